"""The answer of the agreement page: one line for each thing that was asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.estimates.agreements import TOGETHER
from analysis.reports.agreement.report import ALL
from analysis.views.numbers import number

Row = Mapping[str, Any]


def answers(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return Krippendorff's alpha, and percent agreement where it has a meaning, over all batches.

    Human-written systems are left out where the study has any, as in correlations.
    """
    return [*_of_scales(content), *_of_choices(content)]


def _overall(rows: Sequence[Row]) -> list[Row]:
    """Return the rows over all batches, without human-written systems where both are there."""
    states = {row["humans"] for row in rows}
    left_in = "out" if "out" in states else next(iter(states), "")
    return [row for row in rows if row["batch"] == ALL and row["humans"] == left_in]


def _of_scales(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    scales = {row["aspect"]: row for row in content.get("scales", [])}
    found = {(row["aspect"], row["statistic"]): row for row in _overall(content["numbers"])}
    for aspect in dict.fromkeys(aspect for aspect, _ in found):
        alpha = found[aspect, "alpha-interval"]
        if aspect == TOGETHER or alpha["result"]["kind"] == "undefined":
            continue
        yield _answer(
            aspect,
            _scale_words(scales.get(aspect, {})),
            "interval",
            alpha,
            found[aspect, "percent-agreement"],
            alpha["units"],
        )


def _of_choices(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    found = {(row["asked"], row["statistic"]): row for row in _overall(content.get("choices", []))}
    for asked in dict.fromkeys(asked for asked, _ in found):
        alpha = found[asked, "alpha-nominal"]
        if alpha["result"]["kind"] == "undefined":
            continue
        aspect, _, manner = asked.partition(", ")
        percent = found[asked, "percent-agreement"]
        yield _answer(aspect, manner, "nominal", alpha, percent, alpha["pairs"])


def _answer(
    aspect: str, manner: str, level: str, alpha: Row, percent: Row, units: int
) -> dict[str, Any]:
    known = percent["result"]["kind"] == "estimate"
    return {
        "aspect": aspect,
        "manner": manner,
        "level": level,
        "alpha": number(alpha["result"]),
        "percent": number(percent["result"], percent=True) if known else None,
        "units": units,
        "raters": alpha["raters"],
    }


def _scale_words(scale: Mapping[str, Any]) -> str:
    if scale.get("low") is None:
        return "scale not declared"
    ends = f"{scale['low']:g} to {scale['high']:g}"
    return ends if scale["source"] == "declared" else f"{ends}, assumed"
