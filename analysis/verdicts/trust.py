"""The answer of the agreement report: whether agreement suffices, by Krippendorff's limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from analysis.charts.chart import format_number
from analysis.estimates.agreements import TOGETHER
from analysis.reports.agreement.choices import ChoiceRow
from analysis.reports.agreement.report import ALL, AgreementReport, AgreementRow, Scale
from analysis.reports.summaries import MOST_NAMED, Sentence, aspect_words, listed, said
from analysis.stats.agreement.krippendorff_alpha import ALL_THE_SAME
from analysis.stats.results import Result

Row = TypeVar("Row", AgreementRow, ChoiceRow)


def is_answered(alpha: Result) -> bool:
    """Whether there is an alpha, or none only because all ratings are the same."""
    return alpha.value is not None or alpha.reason == ALL_THE_SAME


def overall(rows: Sequence[Row]) -> list[Row]:
    """Return the rows over all batches, without human-written systems where both are there."""
    states = {row.humans for row in rows}
    left_in = "out" if "out" in states else next(iter(states), "")
    return [row for row in rows if row.batch == ALL and row.humans == left_in]


def _scale_words(scale: Scale | None) -> str:
    if scale is None or scale.low is None:
        return "scale not declared"
    ends = f"{scale.low:g} to {scale.high:g}"
    return ends if scale.source == "declared" else f"{ends}, assumed"


TENTATIVE, FIRM = 0.667, 0.8
"""From where on Krippendorff (2004, p. 241) accepts tentative and firm conclusions."""


@dataclass(frozen=True)
class Agreement:
    """Krippendorff's alpha of what was asked, with how many raters and outputs it rests on.

    `percent` is the percent agreement, undefined on a continuous scale; `manner` says how an aspect
    was asked.
    """

    asked: str
    result: Result
    raters: int
    units: int
    percent: Result | None = None
    aspect: str = ""
    manner: str = ""

    @property
    def least(self) -> float:
        """The low end of its interval; nothing is claimed of one without."""
        return self.result.interval.low if self.result.interval else -1.0

    @property
    def most(self) -> float:
        """The high end of its interval; without one it may be anything."""
        return self.result.interval.high if self.result.interval else 1.0

    @property
    def is_unanimous(self) -> bool:
        """Whether there is no alpha because all ratings are the same."""
        return self.result.value is None and is_answered(self.result)


def agreement_sentences(content: AgreementReport) -> list[Sentence]:
    """Say what agreement allows to conclude, and how large it is; nothing where none is known."""
    found = agreements(content)
    known = [each for each in found if each.result.value is not None]
    unanimous = [said(unanimity(each)) for each in found if each.is_unanimous]
    return [*([said(verdict(known)), said(alpha_values(known))] if known else []), *unanimous]


def agreements(content: AgreementReport) -> list[Agreement]:
    """Return the agreement on all that was asked, over all batches.

    Human-written systems are left out where the study has any, as in correlations.
    """
    declared = {scale.aspect: scale for scale in content.scales}
    scales = {(row.aspect, row.statistic): row for row in overall(content.numbers)}
    choices = {(row.asked, row.statistic): row for row in overall(content.choices)}
    found = []
    for (aspect, statistic), scale in scales.items():
        if statistic == "alpha-interval" and aspect != TOGETHER:
            percent = scales.get((aspect, "percent-agreement"))
            manner = _scale_words(declared.get(aspect))
            found.append(_agreement(aspect, aspect, manner, scale, scale.units, percent))
    for (name, statistic), choice in choices.items():
        if statistic == "alpha-nominal":
            same = choices.get((name, "percent-agreement"))
            aspect, _, manner = name.partition(", ")
            asked = f"{aspect} ({manner})" if manner else aspect
            found.append(_agreement(asked, aspect, manner, choice, choice.pairs, same))
    return found


def _agreement(
    asked: str, aspect: str, manner: str, alpha: Row, units: int, percent: Row | None
) -> Agreement:
    same = percent.result if percent else None
    return Agreement(aspect_words(asked), alpha.result, alpha.raters, units, same, aspect, manner)


def unanimity(found: Agreement) -> str:
    """Say that all raters gave the same answer, and from how many units one knows it."""
    same = f"All raters gave the same answer on {found.asked}"
    chance = "agreement beyond chance is undefined"
    percent = found.percent
    if percent is None or percent.interval is None:
        return f"{same}; {chance}."
    limits = percent.interval.low, percent.interval.high
    low, high = (format_number(100 * limit, 0) for limit in limits)
    rated = f"{percent.n:,} {percent.unit}"
    return f"{same}; {chance}. Same answer 100 % (95 % interval {low} to {high} %, {rated})."


def verdict(known: Sequence[Agreement]) -> str:
    """Say what the intervals allow to conclude."""
    firm = [each.asked for each in known if each.least >= FIRM]
    tentative = [each.asked for each in known if TENTATIVE <= each.least < FIRM]
    below = [each.asked for each in known if each.most < TENTATIVE]
    alone = [each.asked for each in known if each.result.interval is None]
    rest = [e.asked for e in known if e.result.interval and e.least < TENTATIVE <= e.most]
    parts = []
    if firm:
        parts.append(f"is reliable on {_named(firm)}")
    if tentative:
        parts.append(f"allows tentative conclusions on {_named(tentative)}")
    if rest:
        reach = "its interval reaches" if len(rest) == 1 else "their intervals reach"
        parts.append(f"was not shown to suffice on {_named(rest)} ({reach} below {TENTATIVE})")
    if alone:
        has = "it has" if len(alone) == 1 else "they have"
        parts.append(f"was not shown to suffice on {_named(alone)} ({has} no interval)")
    if below:
        lies = "its whole interval lies" if len(below) == 1 else "their whole intervals lie"
        parts.append(f"does not suffice on {_named(below)} ({lies} below {TENTATIVE})")
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
