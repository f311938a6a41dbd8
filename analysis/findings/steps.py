"""How far a study is, in one line and three steps, and the one thing to do next."""

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.findings.holdings import Holdings
from corpus.models import Study

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True)
class Step:
    """A part of a study that may be there or not yet."""

    title: str
    url_name: str
    done: bool


@dataclass(frozen=True)
class NextStep:
    """What to do next: a button, and another way to the same end."""

    title: str
    url_name: str
    other: str = ""
    other_url_name: str = ""


def steps(held: Holdings) -> tuple[Step, ...]:
    """Return the three parts of a study in order."""
    return (
        Step("Texts", "study-segments", held.outputs > 0),
        Step("Ratings", "study-campaigns", held.ratings > 0),
        Step("Scores", "study-metrics", held.runs > 0),
    )


def next_step(study: Study, held: Holdings, *, campaigns: bool, owned: bool) -> NextStep:
    """Return the one thing to do next, for owners and for who only reads."""
    if not owned:
        return NextStep("Read all reports", "study-reports")
    if not held.outputs and held.sources and not study.without_texts:
        return NextStep("Import texts", "study-import", "Write outputs", "study-write")
    if not held.outputs:
        return NextStep("Import texts", "study-import")
    if not held.ratings and campaigns:
        return NextStep("Follow the campaigns", "study-campaigns", "Import ratings", "study-import")
    if not held.ratings and study.without_texts:
        return NextStep("Import ratings", "study-import")
    if not held.ratings:
        return NextStep("Start a campaign", "campaign-new", "Import ratings", "study-import")
    if not held.runs and study.without_texts:
        return NextStep("Import scores", "study-import")
    if not held.runs:
        return NextStep("Score the outputs", "study-score", "Import scores", "study-import")
    return NextStep("Publish the study", "study-publish")


def line(held: Holdings) -> str:
    """Say in one line what a study holds.

    Examples
    --------
    >>> line(Holdings(80, 80, 640, 8, 1, 8, 36, [{}, {}], {1: {"content": 4320}}))
    '80 sources in two directions · 8 systems and a reference · 4,320 ratings by 8 annotators · \
36 metric runs'
    """
    return " · ".join(_parts(held))


def _parts(held: Holdings) -> Iterator[str]:
    if not held.outputs and not held.sources:
        yield "no texts yet"
        return
    ways = len(held.directions)
    yield _many(held.sources, "source") + (f" in {_word(ways)} directions" if ways > 1 else "")
    references = ""
    if held.reference_systems:
        one = held.reference_systems == 1
        references = (
            " and a reference" if one else f" and {_word(held.reference_systems)} references"
        )
    yield _many(held.systems, "system") + references
    rated = _many(held.ratings, "rating")
    if held.ratings and held.annotators:
        rated += f" by {_many(held.annotators, 'annotator')}"
    yield rated if held.ratings else "no ratings yet"
    yield _many(held.runs, "metric run") if held.runs else "no metric scores yet"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _word(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else str(count)
