"""The page of correlations of metrics with human scores."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analysis.charts.chart import format_number
from analysis.data.picking import TAKEN
from analysis.data.selection import metric_columns
from analysis.estimates.ceilings import NAMES as CEILINGS
from analysis.explorer.links import explorer_link
from analysis.filter.field import Pairs
from analysis.filter.question import DRAWS, OF_SEGMENTS, RATINGS, SETTINGS, TAU_LIKE
from analysis.reports.correlation.content import Ceilings, CorrelationReport, MetricRow
from analysis.reports.correlation.figures import (
    CEILING_OF,
    MOST_CURVES,
    Labels,
    asked_value,
    correlation_figures,
    curves_of,
    has_raw_and_oriented,
    headline_asked,
    scatter_labels,
    why_no_curves,
)
from analysis.reports.correlation.report import (
    correlation_cost,
    correlation_report,
    subgroups,
    values_cost,
)
from analysis.reports.correlation.summary import (
    cautions,
    correlation_sentences,
    kinds_table,
    row_anchor,
)
from analysis.reports.correlation.tables import TABLES
from analysis.reports.grouping import grouped
from analysis.reports.kind import Early, Report, ReportKind, Size
from analysis.reports.metrics_listed import (
    BETTER,
    better_sides,
    by_comparison,
    first_is_default,
    named,
    picked_words,
)
from analysis.reports.page_address import Address
from analysis.reports.summaries import Sentence
from analysis.result_values import joined
from analysis.shown_numbers import number
from analysis.stats.results import Result
from analysis.wording import HEADLINES, RESAMPLED, aspect_heading, metric_labels, statistic_words

FEWEST_SYSTEMS = 3
APART = ("other", "description")
"""Metrics that are shown, and from which nothing is concluded."""


def present(report: Report[CorrelationReport], address: Address) -> dict[str, Any]:
    """Return the page's tables, one per aspect, and what is to be known beside them."""
    content, question = report.content, address.question
    asked = statistic_words(question)
    ordered = headline_asked(question) or "asked"
    names = list(dict.fromkeys([*HEADLINES, ordered]))
    headings = {name: HEADLINES.get(name, asked) for name in names}
    labels = metric_labels(content.rows)
    aspects = [
        _aspect(content, ceiling, names, labels)
        | {"picked": _picked(content, ceiling.aspect, address)}
        | {"cautions": cautions(content.rows, ceiling.aspect, headings)}
        | {"beside": _beside(content, ceiling.aspect, labels)}
        for ceiling in content.ceilings
    ]
    kinds = [kinds_table(content, entry, labels) for entry in content.kinds]
    return {
        "asked": asked,
        "summary": first_of_each_first(correlation_sentences(content, address.question.level)),
        "columns": [(words, name == ordered) for name, words in headings.items()],
        "aspects": aspects,
        "others": any((each["others"] and each["own"]) or each["descriptions"] for each in aspects),
        "beside": bool(content.beside_imported),
        "kinds": kinds,
        "by_system": [_by_system(content, aspect, labels) for aspect in content.aspects]
        if content.by_system
        else [],
        "mixed": has_raw_and_oriented(content.rows),
        "few_systems": len(content.systems) < FEWEST_SYSTEMS,
        "left_out": content.human_systems_left_out,
        "include_query": address.query(humans="in"),
        "curves_left_out": any(
            len(curves_of(content, question, aspect)) > MOST_CURVES for aspect in content.aspects
        ),
        "why_no_curves": why_no_curves(content),
        "most_curves": MOST_CURVES,
        "undrawn": _undrawn(content),
        "doubts": content.orientation_doubts,
    }


def first_of_each_first(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the first sentence of each measure, and then the others."""
    measures = grouped(sentences, lambda sentence: sentence["aspect"]).values()
    firsts = [own[0] for own in measures]
    return [*firsts, *(each for each in sentences if each not in firsts)]


def _aspect(
    content: CorrelationReport, ceiling: Ceilings, names: Sequence[str], labels: Labels
) -> dict[str, Any]:
    """Return an aspect's metrics, those that measure it first, each group best first."""
    aspect = ceiling.aspect
    placed = [
        (row, row_anchor(aspect, content.aspects, place))
        for place, row in enumerate(content.rows)
        if row.aspect == aspect
    ]
    placed.sort(key=lambda each: -asked_value(each[0]))
    cells = [
        _metric(row, names, labels, ceiling.results) | {"anchor": anchor} for row, anchor in placed
    ]
    groups: dict[str, list[dict[str, Any]]] = {name: [] for name in (*TAKEN, *APART)}
    groups |= grouped(cells, lambda row: row["relation"])
    picked = content.picked.get(aspect)
    by_name = bool(picked and picked.rule == "named")
    shown = {
        "own": [row for name, group in groups.items() if by_name or name in TAKEN for row in group],
        "others": [] if by_name else groups["other"],
        "descriptions": [] if by_name else groups["description"],
    }
    return {
        "name": aspect,
        "heading": aspect_heading(aspect),
        "ceilings": [
            (words, result)
            for name, words in CEILINGS.items()
            if (result := ceiling.results.get(name))
        ],
        "sides": {
            name: better_sides((row["name"], row["better"]) for row in rows)
            for name, rows in shown.items()
        },
        **{name: by_comparison(rows) for name, rows in shown.items()},
        "other_count": len(groups["other"]),
        "description_count": len(groups["description"]),
    }


def _picked(content: CorrelationReport, aspect: str, address: Address) -> dict[str, Any]:
    """Return what is said of an aspect's metrics; the others are listed below, folded away."""
    found = picked_words(content.picked.get(aspect), aspect, address)
    return found | {"all_query": ""} if found else {}


def _beside(content: CorrelationReport, aspect: str, labels: Labels) -> list[dict[str, Any]]:
    """Return what was computed here beside imported scores of the same metric."""
    return [
        vars(entry)
        | {"metric": labels[entry.run, entry.metric]}
        | {"imported_as": labels[entry.imported_run, entry.imported_as]}
        for entry in content.beside_imported
        if entry.aspect == aspect
    ]


def _metric(
    row: MetricRow, names: Sequence[str], labels: Labels, ceilings: Mapping[str, Result]
) -> dict[str, Any]:
    return (
        vars(row)
        | named(row, labels)
        | {
            "link": explorer_link(row.conditions),
            "better": _better(row),
            "numbers": [
                _beside_ceiling(
                    number(row.results[name], raw=row.raw[name]),
                    ceilings.get(CEILING_OF.get(name, "")),
                )
                for name in names
            ],
        }
    )


def _better(row: MetricRow) -> str:
    """Say which way is better, and why scores stay raw where that does not say it."""
    needs_note = row.note and row.better in ("higher", "lower", "target")
    return BETTER[row.better] + (f", {row.note}" if needs_note else "")


def _by_system(content: CorrelationReport, aspect: str, labels: Labels) -> dict[str, Any]:
    """Return an aspect's correlations within each system, directions below each other."""
    rows = [
        vars(row) | {"name": joined(*labels[row.run, row.metric])}
        for row in content.by_system
        if row.aspect == aspect
    ]
    return {
        "name": aspect,
        "heading": aspect_heading(aspect),
        "groups": list(grouped(rows, lambda row: row["direction"]).items()),
    }


def _beside_ceiling(shown: dict[str, Any], ceiling: Result | None) -> dict[str, Any]:
    """Add the ceiling to what a correlation opens to."""
    if ceiling is None or ceiling.value is None or shown["value"] is None:
        return shown
    beside = ("ceiling √ρₖ, all rated outputs", format_number(ceiling.value))
    return shown | {"details": [*shown["details"], beside]}


def _undrawn(content: CorrelationReport) -> bool:
    """Whether metrics that name no aspect wait for one to be chosen."""
    return len(content.aspects) > 1 and any(row.relation == "possible" for row in content.rows)


def offers(report: Report[CorrelationReport] | None) -> dict[str, Pairs]:
    """Return what a bootstrap can draw, and the metrics that the scatter plot can show."""
    drawn = (("", "the default"), *RESAMPLED.items())
    if report is None or not report.content.points:
        return {"resample": drawn}
    return {"resample": drawn, "scatter": first_is_default(scatter_labels(report.content))}


def _cost(size: Size, estimate: Callable[..., int] = correlation_cost) -> int:
    question = size.question
    columns = len(metric_columns(size.data, question.but(aspect="")))
    beside = 1 if question.aspect else size.aspects
    return estimate(question, size.segments, size.systems, columns, beside)


KIND = ReportKind(
    key="correlation",
    fields=(
        *("aspect", "statistic", "level", *SETTINGS, "direction", "humans", *RATINGS),
        *("curve", "scatter", "marks", "metric", "systems", "leave_out", "where"),
        *("grouping", "scores", "ddof", "orientation", *TAU_LIKE),
        *("resample", "interval", *DRAWS),
    ),
    needs={"grouping": OF_SEGMENTS},
    build=correlation_report,
    present=present,
    cost=_cost,
    early=Early(cost=lambda size: _cost(size, values_cost)),
    parts=subgroups,
    tables=TABLES,
    figures=correlation_figures,
    picture=("metrics", "top"),
    sections={
        "metrics": "Metrics",
        "top-last": "Among the best and among the worst systems",
        "top": "Among the best systems",
        "heat-map": "Metrics and aspects",
        "system-scatter": "Systems, by human raters and by metric",
        "score-scatter": "Outputs, by human raters and by metric",
        "calibration": "What a score means",
    },
    flat=("top-last", "score-scatter"),
    offers=offers,
)
