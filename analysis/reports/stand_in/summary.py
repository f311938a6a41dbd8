"""The answer of the stand-in report: which judges and metrics may take the place of a rater."""

from collections.abc import Iterator, Sequence

from analysis.charts.chart import counted, format_number
from analysis.reports.stand_in.content import Candidate, StandInReport
from analysis.reports.summaries import MOST_NAMED, Sentence, aspect_words, listed, said
from analysis.stats.agreement.alternative_annotator import Verdict
from analysis.wording import column_labels


def stand_in_sentences(content: StandInReport) -> list[Sentence]:
    """Say who may, who may not, and how many outputs would tell of the others."""
    return list(_sentences(content))


def _sentences(content: StandInReport) -> Iterator[Sentence]:
    tested = [row for row in content.rows if row.beside]
    if not tested:
        return
    labels = dict(zip(map(id, content.rows), column_labels(content.rows), strict=True))

    def of(verdict: Verdict) -> list[str]:
        return [labels[id(row)] for row in tested if row.verdict == verdict]

    place = f"the place of a rater of {aspect_words(content.aspect)}"
    if may := of("may"):
        yield said(f"{_named(may, 'metric')} may take {place}.")
    if may_not := of("may not"):
        yield said(f"{_named(may_not, 'metric')} may not take {place}.")
    if unknown := of("cannot tell"):
        start = f"Whether {_named(unknown, 'metric')} may take {place}, these data cannot tell"
        yield said(f"{start}{_would_tell(tested, content)}.")
    people = [
        person for person in content.people if person.results["winning-rate"].value is not None
    ]
    if people:
        passing = sum(person.verdict == "may" for person in people)
        yield said(
            f"By the same test {passing} of {counted(len(people), 'rater')} may take the place of "
            "the others."
        )
    several = [row for row in tested if row.prompts > 1]
    if several:
        most = max(row.prompts for row in several)
        yield said(
            f"{_named([labels[id(row)] for row in several], 'judge')}: up to {most} prompts were "
            "tried on these ratings, and the best of several looks better than it is; test it on "
            "ratings that did not choose it."
        )


def _would_tell(rows: Sequence[Candidate], content: StandInReport) -> str:
    needed = [
        row.outputs_needed
        for row in rows
        if row.verdict == "cannot tell" and row.outputs_needed is not None
    ]
    if not needed:
        return ""
    low, high = min(needed), max(needed)
    many = f"{_rounded(low)}" if low == high else f"{_rounded(low)} to {_rounded(high)}"
    had = max(row.results["winning-rate"].n for row in rows)
    items = "pairs" if content.answered_by == "choices" else "rated outputs"
    return f"; about {many} {items} in place of {had:,} would"


def _rounded(count: int) -> str:
    """Return a count with two digits: it rests on variances that are estimated themselves."""
    size = 10 ** max(0, len(str(count)) - 2)
    return f"{-(-count // size) * size:,}"


def _named(names: Sequence[str], thing: str) -> str:
    if len(names) <= MOST_NAMED:
        return listed(names)
    return counted(len(names), thing)


def share(value: float | None) -> str:
    """Return a share as whole per cents."""
    return "" if value is None else f"{format_number(100 * value, 0)} %"
