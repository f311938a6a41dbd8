"""The page that says where a metric holds: in which strata, among which systems."""

from collections.abc import Sequence
from typing import Any

from analysis.filter.question import CHOICES, DRAWS, OF_SEGMENTS, OF_Z, RATINGS, SETTINGS, TAU_LIKE
from analysis.reports.correlation.cost import values_cost
from analysis.reports.correlation.report import MOST_SYSTEMS_FOR_CURVES
from analysis.reports.kind import Early, Pairs, Report, ReportKind
from analysis.reports.offers import aspect_offer, first_is_default
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.reports.subgroups.content import Difference, Subgroup, SubgroupsReport
from analysis.reports.subgroups.figures import SETS, subgroup_figures
from analysis.reports.subgroups.report import (
    FEW_SEGMENTS,
    MOST_METRICS,
    check_subgroups,
    subgroups_cost,
    subgroups_report,
)
from analysis.reports.subgroups.summary import difference_sentences, row_anchor
from analysis.reports.subgroups.tables import TABLES
from analysis.shown_numbers import number
from analysis.wording import (
    COEFFICIENTS,
    SYMBOLS,
    aspect_heading,
    column_labels,
    p_words,
    selection_words,
    statistic_words,
    variant_words,
)


def present(report: Report[SubgroupsReport], address: Address) -> dict[str, Any]:
    """Return the table of strata, and of the differences between them."""
    content, question = report.content, address.question
    labels = column_labels(content.metrics)
    strata = content.strata
    return {
        "selection": selection_words(question),
        "picked": picked_words(content.picked, content.aspect, address),
        "variants": variant_words(question),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "title": content.title,
        "divided": bool(content.divisions),
        "statistic": statistic_words(question),
        "systems": content.systems,
        "segments": content.segments,
        "strata": strata,
        "left_out": content.left_out,
        "paired": content.paired,
        "few": [s.name for s in strata if s.segments < FEW_SEGMENTS],
        "few_segments": FEW_SEGMENTS,
        "rows": [
            (label, metric.note, [number(r) for r in (metric.all, *metric.results)])
            for label, metric in zip(labels, content.metrics, strict=True)
        ],
        "more_metrics": content.more_metrics,
        "most_metrics": MOST_METRICS,
        "summary": difference_sentences(content, SYMBOLS.get(question.statistic, "Δ")),
        "differences": [
            _difference(row, labels, strata) | {"anchor": row_anchor(place)}
            for place, row in enumerate(content.differences)
        ],
        "sets": SETS[question.sets],
        "too_many_systems": len(content.systems) > MOST_SYSTEMS_FOR_CURVES,
        "most_systems": MOST_SYSTEMS_FOR_CURVES,
    }


def _difference(
    row: Difference, labels: Sequence[str], strata: Sequence[Subgroup]
) -> dict[str, Any]:
    return {
        "metric": labels[row.metric],
        "first": strata[row.first].name,
        "second": strata[row.second].name,
        "number": number(row.result),
        "p": p_words(row.p_value),
        "detected": row.detected,
        "undefined": row.result.value is None,
    }


def offers(report: Report[SubgroupsReport] | None) -> dict[str, Pairs]:
    """Return the divisions of the study, the metrics of the curves, and the statistics."""
    offered: dict[str, Pairs] = {
        "statistic": tuple(
            ("" if name == "pearson" else name, words)
            for name, words in COEFFICIENTS.items()
            if name != "kendall-tau-c"
        )
    }
    if report is None:
        return offered
    content = report.content
    if content.divisions:
        (_, title), *others = content.divisions
        offered["by"] = (("", title), *((name, words) for name, words in others))
    if content.metrics:
        offered["drawn"] = first_is_default(column_labels(content.metrics))
    return offered | aspect_offer(report)


KIND = ReportKind(
    key="subgroups",
    fields=(
        *("aspect", "by", "statistic", "level", "sets", "drawn", "marks", "candidates"),
        *(*SETTINGS, "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where"),
        *("grouping", "scores", "ddof", "orientation", *TAU_LIKE, *DRAWS),
    ),
    values={"statistic": tuple(s for s in CHOICES["statistic"] if s != "kendall-tau-c")},
    needs={
        "ddof": OF_Z,
        "grouping": OF_SEGMENTS,
        **dict.fromkeys(TAU_LIKE, ("statistic", ("tau-like",))),
    },
    content=SubgroupsReport,
    build=lambda asked: subgroups_report(
        asked.data, asked.question, asked.bootstrap, asked.progress, asked.divide
    ),
    present=present,
    early=Early(
        cost=lambda size: values_cost(
            size.question, size.segments, size.systems, len(size.columns), 1
        ),
    ),
    cost=lambda size: subgroups_cost(size.question, size.cells, size.systems, len(size.columns)),
    check=check_subgroups,
    tables=TABLES,
    figures=subgroup_figures,
    picture=("strata",),
    sections={
        "strata": "In each stratum",
        "top-last": "Among the best and among the worst systems",
    },
    flat=("top-last",),
    offers=offers,
)
