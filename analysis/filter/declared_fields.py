"""Every field of the filter: its default, what it is called, what it does and what it can be."""

from dataclasses import dataclass, field

from analysis.filter.field import (
    FilterField,
    amount,
    any_text,
    correlation,
    number,
    one_of,
    several,
)

FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
MOST_RATERS = 50
"""Of an output in a planned study."""


DDOF = FilterField(
    "z-scores: ddof",
    "Delta degrees of freedom of the standard deviation in z-scores, 0 or 1.",
    {"0": "0", "1": "1"},
    is_variant=True,
)


@dataclass(frozen=True, slots=True)
class DeclaredFields:
    """The fields of a question.

    Each is declared here alone: forms, the parameters of the API, the options of commands and the
    table in the documents are made from them.
    """

    aspect: str = any_text(
        "Aspect", "What was rated: a measure by name, or an aspect. Without it, all of them."
    )
    metric: tuple[str, ...] = several(
        "Metrics", "Names of metrics; `*` stands for any characters. May be repeated."
    )
    compared_to: str = any_text(
        "Compared to",
        "What a metric compares outputs with: `source`, `reference`, …; `none` for metrics that "
        "compare with nothing.",
    )
    text_setting: str = any_text(
        "Text setting", "Setting of the texts that a metric saw; `none` for metrics without it."
    )
    direction: str = any_text(
        "Direction", "`source style-to-target style`, as in `informal-to-formal`."
    )
    systems: tuple[str, ...] = several(
        "Systems", "Names of systems; `*` stands for any characters. May be repeated."
    )
    leave_out: tuple[str, ...] = several(
        "Leave out", "Names of systems to leave out; may be repeated."
    )
    humans: str = one_of(
        {"out": "left out", "in": "included"},
        "Human-written systems",
        "Whether human-written systems are included in correlations and agreement.",
    )
    withdrawn: str = one_of(
        {"out": "left out", "in": "included"},
        "Withdrawn work",
        "Whether withdrawn work of annotators is included.",
    )
    where: tuple[str, ...] = several(
        "Only where",
        "`attribute:value` that segments or systems must have; may be repeated.",
        pair="attribute:value",
    )
    campaign: str = any_text(
        "Campaign",
        "Short name of the campaign whose ratings count. Without it, all campaigns, each with "
        "measures of its own.",
    )
    protocol: str = any_text(
        "Protocol", "Protocol of the ratings that count. Without it, all protocols."
    )
    shown: str = one_of(
        {"": "masked and plain", "masked": "masked", "plain": "plain"},
        "Texts shown to raters",
        "Only ratings of texts whose style words were masked, or only of texts where they were "
        "not.",
    )
    raters: str = one_of(
        {
            name: name or "all but models"
            for name in (
                *("", "person", "place", "mean", "median", "majority", "unstated"),
                *("model", "all"),
            )
        },
        "Raters",
        "Kind of the raters that count. Without it, all but language models.",
    )
    about: tuple[str, ...] = several(
        "Only raters who answered",
        "`question:answer` that annotators gave about themselves; may be repeated.",
        pair="question:answer",
    )
    rater_groups: str = any_text(
        "Groups of raters",
        "Question about themselves by whose answers raters are grouped, or `raters` for each rater "
        "alone. By default, the first question that makes groups, else each rater.",
    )
    level: str = one_of(
        {"segment": "segment", "system": "system"},
        "Level",
        "Level at which correlations are computed.",
    )
    statistic: str = one_of(
        {
            "pearson": "Pearson r",
            "spearman": "Spearman ρ",
            "kendall-tau-b": "Kendall τ-b",
            "kendall-tau-c": "Kendall τ-c",
            "tau-like": "Kendall τ-like",
        },
        "Statistic",
        "Correlation coefficient.",
    )
    grouping: str = one_of(
        {"none": "none: pooled", "segment": "by segment", "system": "by system"},
        "Grouping at segment level",
        "Grouping of segment-level correlations.",
        is_variant=True,
    )
    scores: str = one_of(
        {"raw": "raw", "z": "z per annotator", "rank": "ranks within annotator"},
        "Human scores",
        "Human scores: raw, z-scores for each annotator, or ranks within each annotator.",
        is_variant=True,
    )
    ddof: int = field(default=0, metadata={"filter": DDOF})
    orientation: str = one_of(
        {"oriented": "oriented", "raw": "as they are"},
        "Metric scores",
        "Whether metric scores are oriented, so that higher is better, or used as they are.",
        is_variant=True,
    )
    min_gap: float = amount(
        "τ-like: smallest human gap",
        "τ-like: smallest difference of human scores for a pair of outputs to count.",
        is_variant=True,
    )
    metric_ties: str = one_of(
        {"discordant": "count against it", "half": "count half", "skip": "skipped"},
        "τ-like: ties of the metric",
        "τ-like: how a pair counts to which the metric gives the same score.",
        is_variant=True,
    )
    average: str = one_of(
        {"segments": "segments", "pooled": "pairs, pooled"},
        "τ-like: average over",
        "τ-like: whether it is averaged over segments, or all pairs are pooled.",
        is_variant=True,
    )
    batch: str = any_text(
        "Batches by", "Segment attribute that divides the agreement report into batches."
    )
    candidates: str = one_of(
        {"aspect": "of the aspect’s family", "all": "all"},
        "Metrics compared",
        "Metrics to take: those of the aspect's family, or all.",
    )
    aggregate: str = one_of(
        {"corpus": "corpus score, else mean", "mean": "mean of outputs"},
        "Metric of a system",
        "How a metric scores a system in the report of metric scores by system: by its corpus "
        "score where it has one, or by the mean over outputs.",
    )
    tested: str = any_text(
        "Systems compared by",
        "Metric by which the report of metric scores by system compares systems, named as there. "
        "Without it, the first.",
    )
    epsilon: float = number(
        0.15,
        "Shortfall allowed",
        "By how much less often than a rater a judge may be as good and still stand in for one: "
        "0.2 for experts, 0.15 for skilled raters, 0.1 for a crowd.",
        "0 or more, below 1",
        lambda share: 0 <= share < 1,
        is_variant=True,
    )
    cut: float | None = number(
        None,
        "Counts as such from",
        "From which rating on an output counts where the report gives the share of outputs that "
        "do. Without it, from the middle of the scale on.",
        "a number",
        lambda rating: rating is None or abs(rating) < float("inf"),
        is_variant=True,
    )
    test: str = one_of(
        {
            "permutation": "permutation",
            "bootstrap": "paired bootstrap",
            "williams": "Williams",
            "wilcoxon": "Wilcoxon signed-rank",
        },
        "Test",
        "Significance test of a comparison; `wilcoxon` is for systems only, `williams` for metrics "
        "only.",
    )
    swap: str = one_of(
        {
            "standard": "what the level has",
            "cells": "single scores",
            "segments": "whole segments",
            "systems": "whole systems",
            "both": "segments and systems",
        },
        "Permutation swaps",
        "What the permutation test of two metrics swaps; by default cells at segment level and "
        "systems at system level.",
        is_variant=True,
    )
    resample: str = one_of(
        {
            "standard": "what the level has",
            "segments": "segments",
            "systems": "systems",
            "annotators": "annotators",
            "segments-and-annotators": "segments and annotators",
        },
        "Bootstrap resamples",
        "What a bootstrap resamples. By default, for correlations the unit of the level; for "
        "agreement nothing (with an `interval`, segments). Metrics are compared on segments or "
        "systems only.",
        is_variant=True,
    )
    interval: str = one_of(
        {
            "standard": "the default",
            "percentile": "percentile bootstrap",
            "bca": "BCa bootstrap",
            "studentised": "studentised bootstrap",
            "fisher": "Fisher where it is valid",
        },
        "Intervals",
        "How intervals are computed. By default, intervals of correlations are Fisher's at system "
        "level, Student's t over groups, and percentile bootstrap otherwise.",
        is_variant=True,
    )
    correction: str = one_of(
        {"holm": "Holm", "benjamini-hochberg": "Benjamini–Hochberg"},
        "Correction",
        "How the p-values of a comparison are adjusted for their number.",
    )
    model: str = one_of(
        {"none": "none", "mixed": "mixed-effects"},
        "Model of ratings",
        "Model shown with the tests of systems. The mixed-effects model is cumulative-link where "
        "the declared scale has categories, and linear otherwise.",
    )
    penalty: str = one_of(
        {"none": "none", "win-and-loss": "a win and a loss for each system"},
        "Penalty of strengths",
        "What keeps the strengths of voted systems finite where one lost or won every time: a win "
        "and a loss of each against an imaginary system of strength 0.",
        is_variant=True,
    )
    margin: float = amount(
        "Equivalent within",
        "Largest difference that a comparison treats as none; 0 for no such margin.",
        is_variant=True,
    )
    by: str = any_text(
        "Divided by",
        "What divides the study into subgroups: `direction`, `batch`, `length`, `system-subset`, "
        "or an attribute of segments or systems.",
    )
    sets: str = one_of(
        {"fixed": "the same systems", "reranked": "ranked anew"},
        "Top N in each resample",
        "Whether the N best systems stay the same in every resample or are ranked anew.",
    )
    goal: str = one_of(
        {
            "difference": "difference of two systems",
            "mean": "mean of a system",
            "correlation": "correlation of a metric",
            "metrics": "difference of two metrics",
        },
        "Planned for",
        "What a new study is planned for.",
    )
    half_width: float = amount(
        "Half-width wanted",
        "Half-width that the planned interval should have; 0 for half of this study's.",
    )
    power: float = number(
        0.8,
        "Power wanted",
        "Power of the test of the difference of two metrics.",
        "between 0.05 and 1, as 0.8",
        lambda power: 0.05 < power < 1,
    )
    panel: int = number(
        0,
        "Raters of each output",
        "Raters of every output of the planned study; 0 for as many as this study has.",
        f"1 to {MOST_RATERS} raters",
        lambda raters: 0 <= raters <= MOST_RATERS,
        size=4,
    )
    first: float | None = correlation(
        "First metric’s r, noise-free", "Correlation of the first metric with noise-free scores."
    )
    second: float | None = correlation(
        "Second metric’s r, noise-free", "Correlation of the second metric with noise-free scores."
    )
    between: float | None = correlation("r of the two metrics", "Correlation of the two metrics.")
    resamples: int = number(
        1000,
        "Number of resamples",
        "Resamples of bootstraps and permutation tests; the site may set a smaller "
        "`RESAMPLES_LIMIT` (10,000 by default). More than 40 systems are tested "
        "without resampling and refuses this field.",
        f"{FEWEST_RESAMPLES} to {MOST_RESAMPLES}",
        lambda draws: FEWEST_RESAMPLES <= draws <= MOST_RESAMPLES,
        is_variant=True,
    )
    seed: int = number(
        20190604,
        "Seed",
        "Seed of bootstraps and permutation tests.",
        "0 or more",
        lambda seed: seed >= 0,
        size=9,
        is_variant=True,
    )
