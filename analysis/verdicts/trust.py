"""The answer of the agreement report: whether agreement suffices, by Krippendorff's limits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from analysis.charts.chart import format_number
from analysis.estimates.agreements import TOGETHER
from analysis.reports.agreement.choices import ChoiceRow
from analysis.reports.agreement.report import ALL, AgreementReport, AgreementRow, Scale
from analysis.reports.summaries import MOST_NAMED, Sentence, aspect_words, listed, said
from analysis.shown_numbers import number
from analysis.stats.agreement.krippendorff_alpha import ALL_THE_SAME
from analysis.stats.results import Result

Row = TypeVar("Row", AgreementRow, ChoiceRow)


def answers(content: AgreementReport) -> list[dict[str, Any]]:
    """Return Krippendorff's alpha, and percent agreement where it has a meaning, over all batches.

    Human-written systems are left out where the study has any, as in correlations.
    """
    return [*_of_scales(content), *_of_choices(content)]


def is_answered(alpha: Result) -> bool:
    """Whether there is an alpha, or none only because all ratings are the same."""
    return alpha.value is not None or alpha.reason == ALL_THE_SAME


def overall(rows: Sequence[Row]) -> list[Row]:
    """Return the rows over all batches, without human-written systems where both are there."""
    states = {row.humans for row in rows}
    left_in = "out" if "out" in states else next(iter(states), "")
    return [row for row in rows if row.batch == ALL and row.humans == left_in]


def _of_scales(content: AgreementReport) -> Iterator[dict[str, Any]]:
    scales = {scale.aspect: scale for scale in content.scales}
    found = {(row.aspect, row.statistic): row for row in overall(content.numbers)}
    for aspect in dict.fromkeys(aspect for aspect, _ in found):
        alpha = found[aspect, "alpha-interval"]
        if aspect == TOGETHER or not is_answered(alpha.result):
            continue
        manner = _scale_words(scales.get(aspect))
        percent = found[aspect, "percent-agreement"]
        yield _answer(aspect, manner, "interval", alpha, percent, alpha.units)


def _of_choices(content: AgreementReport) -> Iterator[dict[str, Any]]:
    found = {(row.asked, row.statistic): row for row in overall(content.choices)}
    for asked in dict.fromkeys(asked for asked, _ in found):
        alpha = found[asked, "alpha-nominal"]
        if not is_answered(alpha.result):
            continue
        aspect, _, manner = asked.partition(", ")
        percent = found[asked, "percent-agreement"]
        yield _answer(aspect, manner, "nominal", alpha, percent, alpha.pairs)


def _answer(
    aspect: str, manner: str, level: str, alpha: Row, percent: Row, units: int
) -> dict[str, Any]:
    known = percent.result.value is not None
    return {
        "aspect": aspect,
        "manner": manner,
        "level": level,
        "alpha": alpha.result,
        "percent": number(percent.result, percent=True) if known else None,
        "units": units,
        "raters": alpha.raters,
    }


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

    `percent` is the percent agreement, undefined on a continuous scale.
    """

    asked: str
    result: Result
    raters: int
    units: int
    percent: Result | None = None

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
    """Return the agreement on all that was asked, over all batches."""
    scales = {(row.aspect, row.statistic): row for row in overall(content.numbers)}
    choices = {(row.asked, row.statistic): row for row in overall(content.choices)}
    found = []
    for (name, statistic), scale in scales.items():
        if statistic == "alpha-interval" and name != TOGETHER:
            percent = scales.get((name, "percent-agreement"))
            found.append(_agreement(name, scale.result, scale.raters, scale.units, percent))
    for (name, statistic), choice in choices.items():
        if statistic == "alpha-nominal":
            same = choices.get((name, "percent-agreement"))
            aspect, _, manner = name.partition(", ")
            asked = f"{aspect} ({manner})" if manner else aspect
            found.append(_agreement(asked, choice.result, choice.raters, choice.pairs, same))
    return found


def _agreement(
    name: str, alpha: Result, raters: int, units: int, percent: AgreementRow | ChoiceRow | None
) -> Agreement:
    return Agreement(aspect_words(name), alpha, raters, units, percent.result if percent else None)


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
