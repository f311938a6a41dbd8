"""What is looked for among the outputs about which a metric and people disagree."""

from dataclasses import dataclass, field
from math import inf

from analysis.data.divisions import BANDS
from analysis.explorer.output_kinds import KINDS
from analysis.filter.question import Question, QuestionError

SIDES = {"": "both sides", "metric": "the metric likes it, people do not", "people": "the reverse"}
Range = tuple[float, float]
EVERYWHERE: Range = (-inf, inf)
LENGTHS = {band: f"{band} third" for band in BANDS}


@dataclass(frozen=True)
class Exploration:
    """What is looked for.

    Attributes
    ----------
    question
        Aspect, direction, systems and the like; its aspect is never empty.
    scored_by
        Name of the metric column, as `column_names` gives it.
    side
        Which way they disagree, of `SIDES`.
    length
        Third of the source lengths in words, of `LENGTHS`; empty for all.
    kind
        Of `output_kinds.KINDS`; empty for all.
    segment
        Key of the one segment to show; empty for all.
    metric_range, human_range
        Lowest and highest of the metric's score, turned as the question says, and of people's
        mean, both included.
    """

    question: Question
    scored_by: str = ""
    side: str = ""
    length: str = ""
    kind: str = ""
    segment: str = ""
    metric_range: Range = field(default=EVERYWHERE, kw_only=True)
    human_range: Range = field(default=EVERYWHERE, kw_only=True)

    def __post_init__(self) -> None:
        for name, known in (("side", SIDES), ("length", LENGTHS), ("kind", KINDS)):
            value = getattr(self, name)
            if value and value not in known:
                expected = ", ".join(filter(None, known))
                raise QuestionError(f"{name}={value}: expected one of {expected}")
