"""Judgements as words in a table, read and written."""

import math

from annotation.protocols.catalogue import BOTH_BAD, TIE
from corpus.models.text import SOURCE_SYSTEM
from corpus.tabular.guesses.columns import is_number

UNSTATED = "(unstated)"
"""The pseudonym of whoever judged where a table does not say."""
UNREADABLE = "?"
AGAINST = "(against)"
"""The word for the other text, where its system's name would not tell."""
_TIES = ("tie", "equal", "same", "both")
_BOTH_BAD = ("bothbad", "tiebothbad", "botharebad")
"""Without what is no letter: `tie (bothbad)` and `both_bad`."""
_SIDES = {
    **dict.fromkeys(("a", "left", "model_a", "system_a", "model_1", "system_1"), "a"),
    **dict.fromkeys(("b", "right", "model_b", "system_b", "model_2", "system_2"), "b"),
}
"""What names the text of `system` and that of `against` by their places."""
_SOURCE = ("source", "original")
_JUDGED = ("output", "system", "transferred")


def read_judgement(
    word: str, system: str, against: str, side: str = ""
) -> tuple[float | None, str]:
    """Read a judgement that may be a number or say which text is better.

    Parameters
    ----------
    word
        The judgement. `A`, `left` or `model_a` mean the text of `system`, unless that was shown on
        side B; names of the two systems come first.
    system, against
        Names of the systems.
    side
        Where the text of `system` was shown, `a` or `b`; empty where it is not known.

    Returns
    -------
    tuple
        A number and ``""``; or None and ``"system"``, ``"against"``, ``"tie"``, ``"both_bad"`` or
        `UNREADABLE`.

    Examples
    --------
    >>> read_judgement("4.5", "BART", "")
    (4.5, '')
    >>> read_judgement("T5", "BART", "T5")
    (None, 'against')
    >>> read_judgement("model_a", "BART", "T5"), read_judgement("tie (bothbad)", "BART", "T5")
    ((None, 'system'), (None, 'both_bad'))
    """
    try:
        number = float(word)
    except ValueError:
        pass
    else:
        return (number, "") if math.isfinite(number) else (None, UNREADABLE)
    word = word.strip()
    placed = _SIDES.get(word.lower()) if against else None
    against = against or SOURCE_SYSTEM
    if word.lower() in _TIES:
        return None, TIE
    if word in (against, AGAINST) or (against == SOURCE_SYSTEM and word.lower() in _SOURCE):
        return None, "against"
    if word == system or word.lower() in _JUDGED:
        return None, "system"
    if placed:
        return None, "system" if placed == (side or "a") else "against"
    return None, BOTH_BAD if _letters(word) in _BOTH_BAD else UNREADABLE


def _letters(word: str) -> str:
    return "".join(filter(str.isalpha, word.lower()))


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
    if is_number(name):
        return True
    known = (*_TIES, *_SOURCE, *_JUDGED)  # of sides names come before places
    return name.strip() != name or name.lower() in known or _letters(name) in _BOTH_BAD
