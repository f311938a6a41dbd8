"""The correlation report as tables."""

from collections.abc import Iterator
from typing import Any

from analysis.filter.question import Question
from analysis.reports.correlation.content import CorrelationReport, MetricRow
from analysis.reports.correlation.report import HEADLINE, TITLES
from analysis.reports.table import Parts, Table
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS
from analysis.tables.marks import tested

_NAMES = (*TITLES, "asked")
_DESCRIBED = ("aspect", "own_aspect", "orientation", "better", "note")
_VARIANT = ("level", "statistic", "grouping", "raw_value")
_OF_SYSTEMS = (*METRIC_COLUMNS, "aspect", "orientation", "direction", "system", "absolute")
_SUBSET = ("aspect", "side", "size", "systems", "statistic")
_IMPORTED = ("metric", "imported_as", "compared_to", "imported_compared_to", "text_setting")
_BESIDE_IMPORTED = (
    *(*_IMPORTED, "aspect", "computed", "imported", "difference"),
    *("n", "mean_absolute_difference", "r_of_scores", "signatures"),
)


def _headline(content: CorrelationReport) -> Iterator[Parts]:
    """Yield one row per metric and aspect, as a paper prints it."""
    for row in content.rows:
        results = {name: row.results[name] for name in _NAMES}
        values = {name: tested(each.value, each.p_value) for name, each in results.items()}
        yield row, values, {"signatures": {name: each.signature for name, each in results.items()}}


def _correlations(content: CorrelationReport) -> Iterator[Parts]:
    for row in content.rows:
        seen = set()
        for name, result in row.results.items():
            asked = question_of(row, name)
            variant = {key: getattr(asked, key) for key in ("level", "statistic", "grouping")}
            key = (result.signature, *variant.values())
            if key not in seen:
                seen.add(key)
                own = {"raw_value": row.raw[name], "conditions": asked.to_query()}
                yield row, variant | own, result


def question_of(row: MetricRow, name: str) -> Question:
    """Return the question that gives one result of a correlation row again, by itself."""
    asked = Question.parse(row.conditions)
    changes = HEADLINE.get(name, {})
    if changes.get("level") == "system":
        return asked.but(**{"grouping": "none", **changes})
    return asked.but(**changes)


def _beside_imported(content: CorrelationReport) -> Iterator[Parts]:
    for entry in content.beside_imported:
        scores = entry.scores
        results = {
            "computed": entry.computed,
            "imported": entry.imported,
            "r_of_scores": scores.between,
        }
        values = {name: result.value for name, result in results.items()}
        signatures = {name: result.signature for name, result in results.items()}
        yield entry, scores, values | {"signatures": signatures}


def _of_systems(content: CorrelationReport) -> Iterator[Parts]:
    for row in content.by_system:
        for system, result in zip(content.systems, row.results, strict=True):
            size = None if result.value is None else abs(result.value)
            yield row, {"system": system, "absolute": tested(size, result.p_value)}, result


TABLES: tuple[Table[Any], ...] = (
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
        lambda content: ((row, row.scores) for row in content.rows),
    ),
    Table(
        "top-last",
        "Correlation over the top N and the last N systems",
        "curves.subsets",
        (*METRIC_COLUMNS, *_SUBSET, *RESULT_COLUMNS),
        printed=("metric", "compared_to", "aspect", "side", "size", "statistic", *PRINTED),
    ),
    Table(
        "beside-imported",
        "Scores computed here compared with imported ones of the same metric",
        "beside_imported",
        _BESIDE_IMPORTED,
        _beside_imported,
        tuple(name for name in _BESIDE_IMPORTED if name not in ("signatures", "text_setting")),
    ),
    Table(
        "by-system",
        "Correlation over the outputs of one system, in each direction and over all",
        "by_system",
        (*_OF_SYSTEMS, *RESULT_COLUMNS),
        _of_systems,
        ("metric", "compared_to", "aspect", "direction", "system", "absolute", *PRINTED),
    ),
    Table(
        "ceilings",
        "Ceilings of correlations and human baselines",
        "ceilings",
        ("aspect", "number", *RESULT_COLUMNS),
    ),
    Table(
        "system-means",
        "Mean metric and human scores of systems",
        "points.systems",
        (*METRIC_COLUMNS, "aspect", "system", "metric_mean", "human_mean", "n"),
    ),
)
