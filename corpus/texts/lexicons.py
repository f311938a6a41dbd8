"""Style lexicons of a study: stored once, read as the weights that masking takes."""

import hashlib
import json
import math
from collections.abc import Sequence
from typing import NamedTuple

from corpus.models import Study, StyleLexicon


class LexiconEntry(NamedTuple):
    """A word or several; the style it speaks for, where stated; and how strongly."""

    word: str
    style: str = ""
    weight: float | None = None


class LexiconError(ValueError):
    """A lexicon that cannot be stored under its name; the message says why."""


def store_lexicon(
    study: Study, name: str, entries: Sequence[LexiconEntry]
) -> tuple[StyleLexicon, bool]:
    """Store a lexicon and return it and true, or the one with the same entries and false.

    Raises
    ------
    LexiconError
        If other entries are stored under this name.
    """
    sha256 = entries_sha256(entries)
    same = study.lexicons.filter(sha256=sha256).first()
    if same is not None:
        return same, False
    if study.lexicons.filter(name=name).exists():
        raise LexiconError(
            f"lexicon {name!r} is stored with other entries; give the new one another name"
        )
    lexicon = StyleLexicon.objects.create(
        study=study, name=name, sha256=sha256, entries=[list(entry) for entry in entries]
    )
    return lexicon, True


def entries_sha256(entries: Sequence[LexiconEntry]) -> str:
    """Return a fingerprint of a lexicon, whatever the order of its entries."""
    canonical = sorted(json.dumps(list(entry), ensure_ascii=False) for entry in entries)
    return hashlib.sha256("\n".join(canonical).encode()).hexdigest()


def lexicon_entries(lexicon: StyleLexicon) -> list[LexiconEntry]:
    """Return the entries in their order."""
    return [
        # A database may give a whole number back as an integer.
        LexiconEntry(word, style, None if weight is None else float(weight))
        for word, style, weight in lexicon.entries
    ]


def lexicon_weights(lexicon: StyleLexicon) -> dict[str, float]:
    """Return each word with its weight, as `corpus.texts.masking` takes it.

    Of a word that stands under several styles the strongest weight is taken; a word without a
    weight is a style word under every threshold.
    """
    weights: dict[str, float] = {}
    for word, _, weight in lexicon_entries(lexicon):
        strength = math.inf if weight is None else weight
        if abs(strength) >= abs(weights.get(word, 0.0)):
            weights[word] = strength
    return weights
