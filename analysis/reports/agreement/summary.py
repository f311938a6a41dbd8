"""Whether agreement suffices to conclude something, by Krippendorff's limits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.charts.chart import format_number
from analysis.estimates.agreements import TOGETHER
from analysis.reports.agreement.answers import overall
from analysis.reports.agreement.report import AgreementReport
from analysis.reports.summaries import MOST_NAMED, Sentence, aspect_words, listed, said
from analysis.stats.results import Result

TENTATIVE, FIRM = 0.667, 0.8
"""From where on Krippendorff (2004, p. 241) accepts tentative and firm conclusions."""


@dataclass(frozen=True)
class Agreement:
    """Krippendorff's alpha of what was asked, with how many raters and outputs it rests on."""

    asked: str
    result: Result
    raters: int
    units: int

    @property
    def least(self) -> float:
        """The low end of its interval; nothing is claimed of one without."""
        return self.result.interval.low if self.result.interval else -1.0


def agreement_sentences(content: AgreementReport) -> list[Sentence]:
    """Say what agreement allows to conclude, and how large it is; nothing where none is known."""
    known = [each for each in agreements(content) if each.result.value is not None]
    return [said(verdict(known)), said(alpha_values(known))] if known else []


def agreements(content: AgreementReport) -> list[Agreement]:
    """Return the agreement on all that was asked, over all batches."""
    return [*_scales(content), *_choices(content)]


def _scales(content: AgreementReport) -> Iterator[Agreement]:
    for each in overall(content.numbers):
        if each.statistic == "alpha-interval" and each.aspect != TOGETHER:
            yield Agreement(aspect_words(each.aspect), each.result, each.raters, each.units)


def _choices(content: AgreementReport) -> Iterator[Agreement]:
    for each in overall(content.choices):
        if each.statistic == "alpha-nominal":
            yield Agreement(aspect_words(each.asked), each.result, each.raters, each.pairs)


def verdict(known: Sequence[Agreement]) -> str:
    """Say what the intervals allow to conclude."""
    firm = [each.asked for each in known if each.least >= FIRM]
    tentative = [each.asked for each in known if TENTATIVE <= each.least < FIRM]
    rest = [each.asked for each in known if each.least < TENTATIVE]
    parts = []
    if firm:
        parts.append(f"is reliable on {_named(firm)}")
    if tentative:
        parts.append(f"allows tentative conclusions on {_named(tentative)}")
    if rest and parts:
        parts.append(f"was not shown to suffice on {_named(rest)}")
    elif rest:
        on = _named(rest) if len(rest) <= MOST_NAMED else f"any of {len(rest)} aspects"
        parts.append(f"was not shown to suffice on {on}")
    return f"Agreement {listed(parts)}."


def alpha_values(known: Sequence[Agreement]) -> str:
    """Say how large agreement is."""
    end = f"below {TENTATIVE}, even tentative conclusions are unsafe."
    shown = [f"{format_number(e.result.value, 2)} on {e.asked}" for e in known[:MOST_NAMED]]
    if len(known) > MOST_NAMED:
        values = [each.result.value or 0.0 for each in known]
        low, high = format_number(min(values), 2), format_number(max(values), 2)
        return f"Krippendorff’s α lies between {low} and {high}; {end}"
    return f"Krippendorff’s α is {listed(shown)}; {end}"


def _named(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMED:
        return listed(names)
    return f"{len(names)} aspects"
