"""Kinds of text settings, and what is said of a text of which they leave nothing."""

from typing import Literal

Kind = Literal["plain", "style_removed", "style_masked"]
KINDS: tuple[Kind, ...] = ("plain", "style_removed", "style_masked")
NO_WORD_LEFT = "no word is left besides style words"
