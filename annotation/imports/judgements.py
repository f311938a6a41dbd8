"""Judgements as words in a table, read and written."""

import math

from annotation.protocols.catalogue import TIE
from corpus.models.text import SOURCE_SYSTEM

UNSTATED = "(unstated)"
"""The pseudonym of whoever judged where a table does not say."""
UNREADABLE = "?"
AGAINST = "(against)"
"""The word for the other text, where its system's name would not tell."""
_TIES = ("tie", "equal", "same", "both")
_SOURCE = ("source", "original")
_JUDGED = ("output", "system", "transferred")


def read_judgement(word: str, system: str, against: str) -> tuple[float | None, str]:
    """Read a judgement that may be a number or say which text is better.

    Returns
    -------
    tuple
        A number and ``""``; or None and ``"system"``, ``"against"``, ``"tie"`` or `UNREADABLE`.

    Examples
    --------
    >>> read_judgement("4.5", "BART", "")
    (4.5, '')
    >>> read_judgement("T5", "BART", "T5")
    (None, 'against')
    """
    try:
        number = float(word)
    except ValueError:
        pass
    else:
        return (number, "") if math.isfinite(number) else (None, UNREADABLE)
    word = word.strip()
    against = against or SOURCE_SYSTEM
    if word.lower() in _TIES:
        return None, TIE
    if word in (against, AGAINST) or (against == SOURCE_SYSTEM and word.lower() in _SOURCE):
        return None, "against"
    if word == system or word.lower() in _JUDGED:
        return None, "system"
    return None, UNREADABLE


def written_judgement(choice: str, system: str, against: str) -> str:
    """Write ``"system"``, ``"against"`` or a tie so that `read_judgement` reads it again.

    Examples
    --------
    >>> written_judgement("against", "BART", "(source)")
    'source'
    """
    if choice == "against":
        if against == SOURCE_SYSTEM:
            return "source"
        return AGAINST if against == system or _means_something(against) else against
    if choice == "system":
        return "output" if against == system or _means_something(system) else system
    return choice


def _means_something(name: str) -> bool:
    """Whether a system's name would be read as something else than that system."""
    try:
        float(name)
    except ValueError:
        return name.strip() != name or name.lower() in (*_TIES, *_SOURCE, *_JUDGED)
    return True
