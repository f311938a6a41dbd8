"""The page that says what a metric learned from human ratings is worth."""

from typing import Any

from analysis.charts.chart import format_number
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import DRAWS, RATINGS, SETTINGS
from analysis.reports.kind import Report, ReportKind, Size
from analysis.reports.learned_metric.figures import NAME, learned_figures
from analysis.reports.learned_metric.report import (
    KEY,
    LearnedReport,
    WeightedMetric,
    learned_report,
)
from analysis.reports.learned_metric.summary import CONTENDER_WORDS, learned_sentences
from analysis.reports.learned_metric.tables import TABLES
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.shown_numbers import number
from analysis.wording import aspect_heading, column_labels, reasons, selection_words


def present(report: Report[LearnedReport], address: Address) -> dict[str, Any]:
    """Return a row for each contender and each metric."""
    content, question = report.content, address.question
    labels = column_labels(content.rows)
    return {
        "selection": selection_words(question),
        "picked": picked_words(content.picked, content.aspect, address),
        "summary": learned_sentences(content),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "systems": content.systems,
        "segments": content.segments,
        "cells": content.cells,
        "lost": content.lost,
        "blocks": content.segment_folds * content.system_folds,
        "segment_folds": content.segment_folds,
        "system_folds": content.system_folds,
        "unlearned": content.unlearned,
        "reason": content.reason,
        "contenders": [
            {
                "name": CONTENDER_WORDS[row.contender],
                "correlation": number(row.correlation),
                "systems": number(row.systems),
                "better": number(row.better) if row.better is not None else None,
            }
            for row in content.contenders
        ],
        "rows": [
            _row(row, label)
            for label, row in sorted(
                zip(labels, content.rows, strict=True),
                key=lambda each: -(each[1].weight.value or 0.0),
            )
        ],
        "left_out": reasons(content.left_out),
        "store_query": address.query(),
    }


def _row(row: WeightedMetric, label: str) -> dict[str, Any]:
    spread = row.weight.details
    low, high = (spread.get(f"{end} of the folds") for end in ("lowest", "highest"))
    return {
        "name": label,
        "trained": row.trained,
        "weight": number(row.weight),
        "spread": "" if low is None else f"{format_number(low, 2)} to {format_number(high, 2)}",
        "chosen": f"{format_number(100 * row.chosen, 0)} %",
    }


def _cost(size: Size) -> int:
    return len(size.columns) * size.cells * 12 + size.segments * size.question.resamples


KIND = ReportKind(
    key=KEY,
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=(
        *("aspect", "candidates", "metric", *SETTINGS, "direction", "humans", *RATINGS),
        *("systems", "leave_out", "where", *DRAWS),
    ),
    content=LearnedReport,
    build=lambda asked: learned_report(asked.data, asked.question, asked.bootstrap),
    check=check_scale_aspect,
    present=present,
    cost=_cost,
    tables=TABLES,
    figures=learned_figures,
    picture=(NAME,),
    sections={NAME: "What each metric weighs"},
    offers=aspect_offer,
)
