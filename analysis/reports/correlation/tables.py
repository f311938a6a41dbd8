"""The correlation report as tables."""

from collections.abc import Iterator, Mapping
from typing import Any

from analysis.filter.question import Question
from analysis.reports.correlation.report import HEADLINE, TITLES
from analysis.reports.kind import Stored, Table
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    as_json,
    metric_cells,
    result_cells,
)

_NAMES = (*TITLES, "asked")
_DESCRIBED = ("aspect", "own_aspect", "orientation", "better", "note")
_VARIANT = ("level", "statistic", "grouping", "raw_value")
_SUBSET = ("aspect", "side", "size", "systems", "statistic")
_IMPORTED = ("metric", "imported_as", "compared_to", "imported_compared_to", "text_setting")
_BESIDE_IMPORTED = (
    *(*_IMPORTED, "aspect", "computed", "imported", "difference"),
    *("n", "mean_absolute_difference", "r_of_scores", "signatures"),
)


def _headline(content: Stored) -> Iterator[Row]:
    """Yield one row per metric and aspect, as a paper prints it."""
    for row in content["rows"]:
        results = row["results"]
        values = (results[name].get("value") for name in _NAMES)
        signatures = as_json({name: results[name]["signature"] for name in _NAMES})
        described = (*metric_cells(row), row["aspect"], row["orientation"])
        yield (*described, *values, signatures, row["note"])


def _correlations(content: Stored) -> Iterator[Row]:
    for row in content["rows"]:
        signatures = set()
        for name, result in row["results"].items():
            asked = question_of(row, name)
            variant = (asked.level, asked.statistic, asked.grouping)
            if (result["signature"], *variant) in signatures:
                continue
            signatures.add((result["signature"], *variant))
            described = (*metric_cells(row), *(row[key] for key in _DESCRIBED))
            conditions = as_json(asked.to_query())
            yield (*described, *variant, row["raw"][name], *result_cells(result), conditions)


def question_of(row: Mapping[str, Any], name: str) -> Question:
    """Return the question that gives one result of a correlation row again, by itself."""
    asked = Question.parse(row["conditions"])
    changes: Mapping[str, Any] = HEADLINE.get(name, {})
    if changes.get("level") == "system":
        return asked.but(**{"grouping": "none", **changes})
    return asked.but(**changes)


def _human_scores(content: Stored) -> Iterator[Row]:
    for row in content["rows"]:
        for kind, result in row.get("scores", {}).items():
            yield (*metric_cells(row), row["aspect"], kind, *result_cells(result))


def _subsets(content: Stored) -> Iterator[Row]:
    for curve in content["curves"]:
        for subset in curve["subsets"]:
            of_subset = (subset["side"], subset["size"], as_json(subset["systems"]))
            for name, result in subset["results"].items():
                described = (*metric_cells(curve), curve["aspect"], *of_subset, name)
                yield (*described, *result_cells(result))


def _beside_imported(content: Stored) -> Iterator[Row]:
    for entry in content.get("beside_imported", ()):
        scores = entry["scores"]
        signatures = {name: entry[name]["signature"] for name in ("computed", "imported")}
        yield (
            *(entry[key] for key in _IMPORTED),
            entry["aspect"],
            *(entry[name].get("value") for name in ("computed", "imported")),
            entry["difference"],
            *(scores[name] for name in ("n", "mean_absolute_difference")),
            scores["between"].get("value"),
            as_json(signatures | {"r_of_scores": scores["between"]["signature"]}),
        )


def _ceilings(content: Stored) -> Iterator[Row]:
    for entry in content["ceilings"]:
        for name, result in entry["results"].items():
            yield (entry["aspect"], name, *result_cells(result))


def _system_means(content: Stored) -> Iterator[Row]:
    for points in content["points"]:
        for system in points["systems"]:
            numbers = (system[key] for key in ("system", "metric", "human", "n"))
            yield (*metric_cells(points), points["aspect"], *numbers)


TABLES = (
    Table(
        "headline",
        "Metrics compared with human raters: headline statistics and the one asked for",
        "rows",
        (*METRIC_COLUMNS, "aspect", "orientation", *_NAMES, "signatures", "note"),
        _headline,
        ("metric", "compared_to", "text_setting", "aspect", "orientation", *_NAMES),
    ),
    Table(
        "correlations",
        "Correlation of metrics with human scores, one number a row",
        "rows",
        (*METRIC_COLUMNS, *_DESCRIBED, *_VARIANT, *RESULT_COLUMNS, "conditions"),
        _correlations,
        ("metric", "compared_to", "aspect", "level", "statistic", *PRINTED),
    ),
    Table(
        "human-scores",
        "Correlation by raw, z-scored and ranked human scores",
        "kinds",
        (*METRIC_COLUMNS, "aspect", "scores", *RESULT_COLUMNS),
        _human_scores,
        ("metric", "compared_to", "aspect", "scores", *PRINTED),
    ),
    Table(
        "top-last",
        "Correlation over the top N and the last N systems",
        "curves",
        (*METRIC_COLUMNS, *_SUBSET, *RESULT_COLUMNS),
        _subsets,
        ("metric", "compared_to", "aspect", "side", "size", "statistic", *PRINTED),
    ),
    Table(
        "beside-imported",
        "Scores computed here beside imported ones of the same metric",
        "beside_imported",
        _BESIDE_IMPORTED,
        _beside_imported,
        tuple(name for name in _BESIDE_IMPORTED if name not in ("signatures", "text_setting")),
    ),
    Table(
        "ceilings",
        "Ceilings of correlations and human baselines",
        "ceilings",
        ("aspect", "number", *RESULT_COLUMNS),
        _ceilings,
    ),
    Table(
        "system-means",
        "Mean metric and human scores of systems",
        "points",
        (*METRIC_COLUMNS, "aspect", "system", "metric_mean", "human_mean", "n"),
        _system_means,
    ),
)
