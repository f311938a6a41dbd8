"""Texts of practice items that an owner wrote: practice need not use outputs of the study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LONGEST_TEXT = 2000
LONGEST_STYLE = 100
Shown = dict[str, str]


@dataclass(frozen=True, slots=True)
class OwnText:
    """One text that a practice item may have.

    Parameters
    ----------
    name, label
        Its key in the item's `texts`, and its name in a form.
    required
        Whether the item cannot be shown without it.
    longest
        How many characters it may have.
    """

    name: str
    label: str
    required: bool = True
    longest: int = LONGEST_TEXT


OUTPUT = OwnText("output", "Output")
SOURCE = OwnText("source", "Source")
REFERENCE = OwnText("reference", "Reference", required=False)
TARGET_STYLE = OwnText("target_style", "Target style", False, LONGEST_STYLE)


def read_texts(texts: Mapping[str, Any], known: Sequence[OwnText]) -> dict[str, Any]:
    """Check the texts of a practice item; those that are empty are left out.

    Raises
    ------
    ValueError
        Naming the text that cannot be used: ``"source: …"``.
    """
    names = [text.name for text in known]
    if unknown := [name for name in texts if name not in names]:
        raise ValueError(f"texts: {unknown[0]!r} is not shown; shown are: {', '.join(names)}")
    result = {text.name: read_text(texts.get(text.name, ""), text) for text in known}
    return {name: text for name, text in result.items() if text}


def read_text(given: Any, text: OwnText) -> str:
    """Check one text.

    Raises
    ------
    ValueError
        If it is none, too long, or empty and required.
    """
    if not isinstance(given, str) or len(given) > text.longest:
        raise ValueError(f"{text.name}: expected a text of up to {text.longest} characters")
    if text.required and not given.strip():
        raise ValueError(f"{text.name}: write this text; annotators see it")
    return given


def shown_beside(texts: Mapping[str, Any]) -> Shown:
    """Return what stands beside the texts that are judged."""
    return {
        name: str(texts[name]) for name in ("source", "reference", "target_style") if name in texts
    }
