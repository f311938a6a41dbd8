"""What is looked for among the outputs about which a metric and people disagree."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from math import inf

from analysis.data.divisions import BANDS
from analysis.filter.field import FilterField, any_text, one_of
from analysis.filter.question import Question, QuestionError

KINDS: dict[str, str] = {
    "empty": "nothing was returned",
    "copied": "the source unchanged",
    "reference": "equal to a reference",
    "cut": "less than half as long as the source",
    "grown": "more than twice as long as the source",
    "repeating": "a word three times in a row",
}
Test = Callable[[str, str, Sequence[str]], bool]


def _repeats(text: str) -> bool:
    run = 1
    for before, word in pairwise(text.casefold().split()):
        run = run + 1 if word == before else 1
        if run == 3:
            return True
    return False


_TESTS: dict[str, Test] = {
    "empty": lambda source, output, references: not output.strip(),
    "copied": lambda source, output, references: output.strip() == source.strip(),
    "reference": lambda source, output, references: (
        output.strip() in {each.strip() for each in references}
    ),
    "cut": lambda source, output, references: 2 * len(output.split()) < len(source.split()),
    "grown": lambda source, output, references: len(output.split()) > 2 * len(source.split()),
    "repeating": lambda source, output, references: _repeats(output) and not _repeats(source),
}


def kinds_of(source: str, output: str, references: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the kinds of `KINDS` that an output is of.

    Examples
    --------
    >>> kinds_of("gonna be late", "late late late")
    ('repeating',)
    """
    return tuple(kind for kind, test in _TESTS.items() if test(source, output, references))


SIDES = {
    "": "both sides",
    "metric": "rated higher by the metric than by humans",
    "people": "the reverse",
}
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
    scored_by: str = any_text("Metric")
    side: str = one_of(SIDES, "They disagree")
    length: str = one_of({"": "any", **LENGTHS}, "Length of the source")
    kind: str = one_of({"": "any", **KINDS}, "Output")
    segment: str = any_text("Segment", typed={"size": 12})
    metric_range: Range = field(default=EVERYWHERE, kw_only=True)
    human_range: Range = field(default=EVERYWHERE, kw_only=True)

    def __post_init__(self) -> None:
        for name, declared in EXPLORED.items():
            if fault := declared.fault(getattr(self, name)):
                raise QuestionError(f"{name}={fault}")


EXPLORED: Mapping[str, FilterField] = {
    each.name: each.metadata["filter"] for each in fields(Exploration) if "filter" in each.metadata
}
"""The fields of the filter that say what is looked for, beside those of a question."""
