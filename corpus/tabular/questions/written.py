"""Numbers as people write them: decimal commas, percent, labels, words of scales, stars."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from corpus.tabular.database import literal

MISSING = (
    *("", "na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "nil", "-", "--", "–", "—", ".", "?"),
    *("skip", "skipped", "missing", "empty", "not available", "not applicable", "unanswered"),
    *("no answer", "no response", "no vote", "no opinion", "abstain", "abstained", "dk"),
    *("don't know", "dont know", "do not know", "i don't know", "not sure", "unsure"),
    *("can't say", "can't judge", "cannot say", "cannot judge", "prefer not to answer"),
    *("prefer not to say", "#value!", "#ref!", "#div/0!", "#null!", "#num!", "#name?"),
)
"""Texts for "nobody answered", in small letters, and errors of spreadsheets."""
_SCALES = tuple(
    tuple(frozenset(step.split("=")) for step in scale.split("|"))
    for scale in (
        "strongly disagree=completely disagree=totally disagree|disagree=somewhat disagree|"
        "neutral=neither agree nor disagree=neither=undecided=neither disagree nor agree|"
        "agree=somewhat agree|strongly agree=completely agree=totally agree",
        "strongly disagree|disagree|agree|strongly agree",
        "strongly disagree|disagree|somewhat disagree=slightly disagree|"
        "neutral=neither agree nor disagree=undecided|somewhat agree=slightly agree|agree|"
        "strongly agree",
        "strongly disagree|disagree|slightly disagree=somewhat disagree|"
        "slightly agree=somewhat agree|agree|strongly agree",
        "disagree|neutral=neither agree nor disagree|agree",
        "never|rarely=seldom|sometimes=occasionally|often=frequently|always",
        "never|rarely|sometimes|usually|always",
        "never|sometimes|often|always",
        "very poor=very bad=terrible|poor=bad|fair=average=ok=okay=acceptable|good|"
        "very good=excellent",
        "bad|poor|fair|good|excellent",
        "poor|fair|good|very good|excellent",
        "poor|fair|good|excellent",
        "not at all|slightly=a little|moderately=somewhat|very|extremely=completely",
        "not at all|a little=slightly|somewhat|very much=a lot|completely",
        "very unlikely|unlikely|neutral|likely|very likely",
        "very dissatisfied|dissatisfied|neutral|satisfied|very satisfied",
        "very low|low|medium=moderate|high|very high",
        "low|medium=moderate|high",
        "worse|same|better",
    )
)
"""Usual scales from their lowest step, which is 1; words of one step mean the same."""
_TWO = (
    frozenset(("no", "n", "false", "bad", "incorrect", "wrong", "unacceptable", "fail", "failed")),
    frozenset(("yes", "y", "true", "good", "correct", "right", "acceptable", "pass", "passed")),
)
"""What is 0, and what 1."""
_NUMBER = r"[-+]?[\d.,]*\d"
DOTTED = r"[-+]?\d{1,3}(\.\d{3})+(,\d+)?"
"""Numbers in which points part thousands."""
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_FORMS = {
    "date": rf"^\d{{4}}-\d\d-\d\d(?:[ t].*)?$|^\d\d?-{_MONTH}$|^{_MONTH}-\d\d?$",
    "percent": rf"^({_NUMBER}) ?%$",
    "of": rf"^({_NUMBER}) ?(?:/|out of|of) ?\d+$",
    "number": rf"^({_NUMBER})$",
    "label": r"^([-+]?\d+) ?[-–—:=.)★⭐ ] ?\D*\pL\D*$",
    "label-last": r"^\D*\pL\D*?[ (\[:=–—-]+(\d+)[)\]]?$",
    "stars": r"^([★⭐]+)☆*$",
}
"""Forms of answers; the group is the number."""


def form(text: str) -> str:
    """Return SQL for the form of a folded text: missing, date, percent, …, or word."""
    cases = " ".join(
        f"WHEN regexp_matches({text}, {literal(pattern)}) THEN '{name}'"
        for name, pattern in _FORMS.items()
    )
    words = ", ".join(map(literal, MISSING))
    return f"CASE WHEN {text} IN ({words}) THEN 'missing' {cases} ELSE 'word' END"


def shape(text: str) -> str:
    """Return SQL for a folded number with 9 for its digits, and what it is out of.

    A zero at its beginning stays.
    """
    return (
        f"if(regexp_matches({text}, '^[-+]?0'), '0', '') || regexp_replace({text}, '\\d', '9', 'g')"
        f" || ' ' || regexp_extract({text}, '(?:/|of) ?(\\d+)$', 1)"
    )


def value(text: str, *, comma: str = "decimal", shares: bool = False) -> str:
    """Return SQL for the number that a folded text means by its form; NULL if it means none.

    Parameters
    ----------
    text
        SQL of the text.
    comma
        Whether a single comma before three digits is ``decimal`` or parts ``thousands``;
        ``dotted``: points part thousands.
    shares
        Whether "4 of 5" is .8 and not 4.
    """
    parts = ", ".join(
        f"nullif(regexp_extract({text}, {literal(_FORMS[name])}, 1), '')"
        for name in ("percent", "of", "number", "label", "label-last")
    )
    core = f"coalesce({parts})"
    grouped = (
        r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?"
        if comma == "thousands"
        else (r"[-+]?\d{1,3}((,\d{3})+\.\d+|(,\d{3}){2,})")
    )
    dotted = DOTTED if comma == "dotted" else r"[-+]?\d{1,3}(\.\d{3})*,\d+"
    points = rf"{dotted}|[-+]?\d*,\d+|[-+]?\d{{1,3}}(\.\d{{3}}){{2,}}"
    number = f"""TRY_CAST(CASE
        WHEN regexp_full_match({core}, '{grouped}') THEN replace({core}, ',', '')
        WHEN regexp_full_match({core}, '{points}')
        THEN replace(replace({core}, '.', ''), ',', '.') ELSE {core} END AS DOUBLE)"""
    if shares:
        number = f"({number} / regexp_extract({text}, '(\\d+)$', 1)::DOUBLE)"
    return f"coalesce({number}, nullif(length(regexp_extract({text}, '{_FORMS['stars']}', 1)), 0))"


def scales(words: Collection[str], highest: float = 0) -> list[dict[str, float]]:
    """Return what words mean on the usual scales that have all of them, the likely scale first.

    Parameters
    ----------
    words
        In small letters.
    highest
        The highest number among other answers on the scale.

    Examples
    --------
    >>> scales(["agree", "strongly agree", "disagree", "strongly disagree"])[0]["agree"]
    3.0
    >>> scales(["agree", "disagree", "neutral", "strongly agree"])[0]["agree"]
    4.0
    >>> scales(["yes", "no"]), scales(["agree", "yes"])
    ([{'no': 0.0, 'yes': 1.0}], [])
    """
    found: list[tuple[Any, ...]] = []
    for scale in (*_SCALES, _TWO):
        steps: Sequence[frozenset[str]] = scale
        first = 0 if scale is _TWO else 1
        meant = {
            word: float(n)
            for n, step in enumerate(steps, first)
            for word in sorted(step & {*words})
        }
        if len(meant) == len(set(words)) and highest < len(steps) + first:
            unused = len(steps) - len(set(meant.values()))
            found.append((unused > 0, abs(len(steps) - 5), len(found), meant))
    kept: list[dict[str, float]] = []
    for *_, meant in sorted(found, key=lambda each: each[:3]):
        if meant not in kept:
            kept.append(meant)
    return kept
