"""From how many units on an interval held in our simulations, and what is said below that.

The numbers are those of ``docs/statistics/coverage.md``: an interval *holds* where 95 % intervals
of simulated studies covered the truth in at least 92.5 % of them, which is 95 % less what chance
allows in 400 studies and the slight narrowness of every bootstrap.
"""

from dataclasses import dataclass
from typing import Literal

Drawn = Literal["segments", "systems", "annotators", "segments and annotators"]
Method = Literal["percentile", "bca", "studentised", "fisher"]
HELD = 92.5
"""Percent of simulated studies whose interval covered the truth, from which on it held."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """What the simulations say of a kind of interval.

    Parameters
    ----------
    enough : int or None
        Fewest units with which it held; None where it did at no number that was simulated.
    seen : str
        What was seen below that, in words.
    """

    enough: int | None
    seen: str


SEGMENTS = Simulated(40, "with 10 segments such intervals covered 86 to 90 %")
SEGMENTS_BCA = Simulated(80, "with 40 segments BCa intervals of pooled outputs covered 92 %")
SEGMENTS_STUDENTISED = Simulated(20, "with 10 segments such intervals covered 92 to 93 %")
SEGMENTS_OF_SYSTEMS = Simulated(80, "system means over fewer segments were not simulated")
SYSTEMS = Simulated(30, "with 5, 8 and 15 systems such intervals covered 86, 89 and 92 %")
SYSTEMS_OF_OUTPUTS = Simulated(
    None, "with 5, 15 and 60 systems such intervals covered 75, 86 and 90 %"
)
SYSTEMS_BCA = Simulated(None, "with 5 to 60 systems BCa intervals covered 72 to 89 %")
SYSTEMS_STUDENTISED = Simulated(5, "fewer systems than 5 were not simulated")
SYSTEMS_OF_OUTPUTS_STUDENTISED = Simulated(
    None, "with 5 to 60 systems studentised intervals of outputs covered 89 to 92 %"
)
FISHER = Simulated(5, "fewer systems than 5 were not simulated")
ANNOTATORS = Simulated(
    None,
    "it is about other annotators of these same outputs, and covered what other segments would "
    "give in 82 to 91 %",
)
BOTH = Simulated(8, "fewer annotators than 8 were not simulated")


def caution(
    units: int,
    *,
    drawn: Drawn,
    method: Method = "percentile",
    level: Literal["segment", "system"] = "segment",
) -> str:
    """Say in words when an interval rests on fewer units than it held with; else return "".

    Parameters
    ----------
    units : int
        How many were there to draw; for Fisher's interval, how many it rests on.
    drawn : {"segments", "systems", "annotators", "segments and annotators"}
        Of Fisher's interval: the independent units.
    method : {"percentile", "bca", "studentised", "fisher"}
    level : {"segment", "system"}
        Of the correlation.

    Examples
    --------
    >>> caution(12, drawn="segments")
    'too narrow an interval is likely: 12 segments, and with 10 segments such intervals covered \
86 to 90 %; it held from 40 on'
    >>> caution(80, drawn="segments")
    ''
    """
    known = _simulated(drawn, method, level)
    if known.enough is None:
        return f"read the interval with care: in our simulations {known.seen}"
    if units >= known.enough:
        return ""
    return (
        f"too narrow an interval is likely: {units} {drawn}, and {known.seen}; "
        f"it held from {known.enough} on"
    )


def _simulated(drawn: Drawn, method: Method, level: str) -> Simulated:
    if method == "fisher":
        return FISHER
    if drawn == "segments":
        if level == "system":
            return SEGMENTS_OF_SYSTEMS
        return {"bca": SEGMENTS_BCA, "studentised": SEGMENTS_STUDENTISED}.get(method, SEGMENTS)
    if drawn == "systems":
        if method == "bca":
            return SYSTEMS_BCA
        if method == "studentised":
            return SYSTEMS_STUDENTISED if level == "system" else SYSTEMS_OF_OUTPUTS_STUDENTISED
        return SYSTEMS if level == "system" else SYSTEMS_OF_OUTPUTS
    return ANNOTATORS if drawn == "annotators" else BOTH
