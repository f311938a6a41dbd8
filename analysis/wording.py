"""Names of statistics, metrics and conditions as pages say them."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any

from analysis.data.named_metric import LeftOutMetric, NamedMetric
from analysis.filter.question import FILTER_FIELDS, Question, number_text

AGREEMENT_NAMES = {
    "pearson": "Pearson r, given order",
    "pearson-double-entry": "Pearson r, both orders",
    "pearson-of-rater-pairs": "Pearson r, mean of rater pairs",
    "icc-1-1": "ICC(1), one rating",
    "icc-2-1": "ICC(2), one rating",
    "icc-3-1": "ICC(3), one rating",
    "icc-1-k": "ICC(1), mean of raters",
    "icc-2-k": "ICC(2), mean of raters",
    "icc-3-k": "ICC(3), mean of raters",
    "alpha-interval": "Krippendorff’s α, interval",
    "alpha-ordinal": "Krippendorff’s α, ordinal",
    "alpha-ratio": "Krippendorff’s α, ratio",
    "alpha-nominal": "Krippendorff’s α, nominal",
    "fleiss-kappa": "Fleiss’ κ",
    "cohen-kappa": "Cohen’s κ",
    "cohen-kappa-linear": "Cohen’s κ, linear weights",
    "cohen-kappa-quadratic": "Cohen’s κ, quadratic weights",
    "gwet-ac1": "Gwet’s AC1",
    "gwet-ac2-linear": "Gwet’s AC2, linear weights",
    "gwet-ac2-quadratic": "Gwet’s AC2, quadratic weights",
    "percent-agreement": "Percent agreement",
}
COEFFICIENTS = FILTER_FIELDS["statistic"].words
HEADLINES = {
    "system_pearson": "System r",
    "segment_pearson": "Segment r",
    "segment_tau_like": "τ-like",
}
"""Short names of the headline correlations; `asked` is named by `statistic_words`."""
WHATS = {
    "agreement": "agreement",
    "system-mean": "system mean",
    "correlation": "correlation",
    "margin-of-r": "margin of r",
    "naturalness-agreement": "classifier agrees with human raters",
    "mean-of-values": "mean of values",
}
CORRECTIONS = FILTER_FIELDS["correction"].words
TESTS = {**FILTER_FIELDS["test"].words, "mean": "paired t"}
METRIC_TESTS = {"permutation": "approximate randomisation", "bootstrap": "paired bootstrap"}
"""Tests of two systems by a metric, as sacreBLEU calls them."""
SWAPPED = {
    "cells": "single scores swapped",
    "segments": "whole segments swapped",
    "systems": "systems swapped",
    "both": "whole segments and systems swapped",
}
HUMAN_SCORES = FILTER_FIELDS["scores"].words
MEANS = {"raw": "Mean", "z": "Mean z", "rank": "Mean rank"}
"""What a mean of human scores is called as a column."""
RESAMPLED = {
    name: words for name, words in FILTER_FIELDS["resample"].words.items() if name != "standard"
}
"""What a bootstrap draws, as statistics, signatures and pages name it."""
INTERVALS = {
    "percentile": "percentile intervals",
    "bca": "BCa intervals",
    "studentised": "studentised intervals",
    "fisher": "Fisher’s z",
}
SYMBOLS = {"pearson": "Δr", "spearman": "Δρ", "kendall-tau-b": "Δτ-b"}
"""Differences of two correlations."""
MOST_PARTS = 6


def aspect_heading(aspect: str) -> str:
    """Return an aspect's name as a heading.

    Examples
    --------
    >>> aspect_heading("content_preservation")
    'Content preservation'
    """
    words = aspect.replace("_", " ")
    return words[:1].upper() + words[1:]


def statistic_words(question: Question) -> str:
    """Name the correlation that a question asks for.

    Examples
    --------
    >>> statistic_words(Question(statistic="spearman", level="system"))
    'Spearman ρ, system level'
    """
    words = f"{COEFFICIENTS[question.statistic]}, {question.level} level"
    if question.level == "segment" and question.statistic != "tau-like":
        grouped = "pooled" if question.grouping == "none" else f"grouped by {question.grouping}"
        words += f", {grouped}"
    return words


def variant_words(question: Question) -> list[str]:
    """Name every choice of a question that is not the default, the statistic aside."""
    parts = []
    if question.scores == "z":
        parts.append(f"z-scores (ddof {question.ddof})")
    if question.scores == "rank":
        parts.append("ranks within annotator")
    if question.orientation == "raw":
        parts.append("metric scores as they are, not oriented")
    if question.min_gap:
        parts.append(f"gap of human ratings at least {number_text(question.min_gap)}")
    if question.metric_ties != "discordant":
        parts.append(f"metric ties: {question.metric_ties}")
    if question.average != "segments":
        parts.append("pairs pooled over segments")
    if question.resample != "standard":
        parts.append(f"{RESAMPLED[question.resample]} drawn")
    if question.interval != "standard":
        parts.append(INTERVALS[question.interval])
    return parts


def p_words(p_value: float | None) -> str:
    """Return a p-value for a cell: three digits, or less than .001; a dash for none.

    Examples
    --------
    >>> p_words(0.04567), p_words(3.2e-13), p_words(1.0)
    ('.0457', '< .001', '1')
    """
    if p_value is None:
        return "–"
    if p_value < 0.001:
        return "< .001"
    return f"{p_value:.3g}".removeprefix("0")


def p_said(p_value: float, sign: str = "=") -> str:
    """Return a p-value for a sentence: three decimals, or less than the smallest of them.

    After "≤" they are rounded up, so that the sentence stays true.

    Examples
    --------
    >>> p_said(0.0457), p_said(3.2e-13)
    ('p = .046', 'p < .001')
    >>> p_said(0.0041, "≤")
    'p ≤ .005'
    """
    if p_value < 0.001:
        return "p < .001"
    # A float just above its own three decimals is not more than these.
    shown = ceil(1000 * p_value - 1e-9) / 1000 if sign == "≤" else p_value
    return f"p {sign} {shown:.3f}".replace(" 0.", " .")


def selection_words(question: Question) -> list[str]:
    """Name the part of a study that a question selects."""
    parts = []
    if question.direction:
        parts.append(question.direction.replace("-", " "))
    parts += [pair.replace(":", " ", 1) for pair in question.where]
    if question.systems:
        parts.append(f"systems {_listed(question.systems)}")
    if question.leave_out:
        parts.append(f"without {_listed(question.leave_out)}")
    if question.withdrawn == "in":
        parts.append("withdrawn work included")
    if question.humans == "in" and not question.systems:
        parts.append("human-written systems included")
    return parts


def _listed(names: Sequence[str]) -> str:
    if len(names) <= MOST_PARTS:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_PARTS])} and {len(names) - MOST_PARTS} more"


def metric_words(question: Question) -> str:
    """Name a question's metrics with their setting."""
    settings = [
        part for part in (question.compared_to, question.text_setting) if part not in ("", "none")
    ]
    name = ", ".join(question.metric)
    return f"{name} ({', '.join(settings)})" if settings else name


def conditions_words(what: str, conditions: Mapping[str, Any], question: Question) -> str:
    """Say the conditions of a published value in words."""
    if what == "mean-of-values":
        return f"of {len(conditions['of'])} values, each rounded to {conditions['of_decimals']}"
    parts: list[str] = [question.aspect] if question.aspect else []
    if what == "agreement":
        parts.append(AGREEMENT_NAMES[str(conditions["agreement_statistic"])])
    elif what == "system-mean":
        parts.append(f"system {conditions['system']}")
    elif what == "naturalness-agreement":
        parts += [metric_words(question), f"{conditions['protocol']} judgements"]
    else:
        parts += [metric_words(question), statistic_words(question)]
    if conditions.get("side"):
        parts.append(f"{conditions['side']} {conditions['size']} systems")
    parts += selection_words(question) + variant_words(question)
    if conditions.get("absolute"):
        parts.append("sign dropped")
    if conditions.get("percent"):
        parts.append("in percent")
    return " · ".join(part for part in parts if part)


def metric_labels(rows: Iterable[NamedMetric]) -> dict[tuple[str, str], tuple[str, str]]:
    """Name every metric column so that no two in one report have the same name.

    Returns
    -------
    dict
        (run, metric) to name and what it is compared to.
    """
    columns = {(row.run, row.metric): row for row in rows}
    plain = {key: _plain_name(row) for key, row in columns.items()}
    wanted: dict[tuple[str, str], tuple[str, str]] = {}
    taken: set[tuple[str, str]] = set()
    for key, row in columns.items():
        name, compared_to = plain[key]
        if row.metric_aspect and list(plain.values()).count(plain[key]) > 1:
            name = f"{name} for {row.metric_aspect}"
        number, numbered = 1, name
        while (numbered, compared_to) in taken:
            number += 1
            numbered = f"{name} #{number}"
        taken.add((numbered, compared_to))
        wanted[key] = (numbered, compared_to)
    return wanted


def column_labels(metrics: Sequence[NamedMetric]) -> list[str]:
    """Return one name for every metric column of a report that no other has."""
    labels = metric_labels(metrics)
    named = (labels[metric.run, metric.metric] for metric in metrics)
    return [
        metric.name or (f"{name} · {compared_to}" if compared_to else name)
        for metric, (name, compared_to) in zip(metrics, named, strict=True)
    ]


def reasons(left_out: Sequence[LeftOutMetric]) -> list[tuple[str, str]]:
    """Return the names of metrics that a report leaves out, each with the reason."""
    labels = column_labels(left_out)
    return [(label, metric.reason) for label, metric in zip(labels, left_out, strict=True)]


def _plain_name(row: NamedMetric) -> tuple[str, str]:
    if row.name:
        metric, *settings = row.name.split("/")
        if row.compared_to in settings:
            settings.remove(row.compared_to)
        return "/".join([metric, *settings]), row.compared_to
    name = row.metric
    if row.text_setting:
        name += f" ({row.text_setting})"
    return name, row.compared_to
