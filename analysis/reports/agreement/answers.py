"""The answer of the agreement page: one line for each thing that was asked."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from analysis.estimates.agreements import TOGETHER
from analysis.reports.agreement.choices import ChoiceRow
from analysis.reports.agreement.report import ALL, AgreementReport, AgreementRow, Scale
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
        "alpha": number(alpha.result),
        "percent": number(percent.result, percent=True) if known else None,
        "units": units,
        "raters": alpha.raters,
    }


def _scale_words(scale: Scale | None) -> str:
    if scale is None or scale.low is None:
        return "scale not declared"
    ends = f"{scale.low:g} to {scale.high:g}"
    return ends if scale.source == "declared" else f"{ends}, assumed"
