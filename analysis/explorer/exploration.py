"""What is looked for among the outputs about which a metric and people disagree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

from analysis.data.divisions import BANDS
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
