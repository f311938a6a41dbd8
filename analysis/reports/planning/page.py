"""The page that plans a study from the variance of the one at hand."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.charts.bars import variance_shares
from analysis.charts.chart import counted, format_number
from analysis.charts.lines import plan_curves
from analysis.charts.table import Row
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import METRICS, OF_Z, RATINGS, Question
from analysis.reports.figure import Figure, figure
from analysis.reports.grouping import crossed
from analysis.reports.kind import Early, Report, ReportKind, aspect_offer
from analysis.reports.metrics_listed import picked_words
from analysis.reports.page_address import Address, Choices
from analysis.reports.planning.report import (
    AspectComponents,
    Components,
    PanelPlan,
    PlanningReport,
    PlanOfStudy,
    planning_cost,
    planning_report,
)
from analysis.reports.planning.ways import WaysCompared
from analysis.reports.summaries import Sentence, aspect_words, said
from analysis.reports.table import Parts, Table
from analysis.stats.planning.rating_ways import BOTH, CHOSEN, POWERED, RANDOM
from analysis.stats.planning.variance_components import WORDS
from analysis.wording import column_labels

REACHED = {
    "difference": "Half-width of the interval for a difference of two systems",
    "mean": "Half-width of the interval for a system’s mean",
    "correlation": "Half-width of the interval for a metric’s r",
    "metrics": "Power to detect the difference of the two metrics",
}


def planning_figures(
    content: PlanningReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the plan, and the shares of every aspect with components."""
    plan = content.plan
    if plan and any(value is not None for row in plan.reached for value in row):
        yield figure(
            "plan",
            plan_curves,
            lambda: _reached_rows(plan),
            "dashed: the goal",
            title=f"{REACHED[plan.goal]}, {content.aspect}",
            reached="Power" if plan.goal == "metrics" else "Half-width",
            wanted=plan.wanted,
        )
    if any(entry.found for entry in content.components):
        yield figure(
            "variance-shares",
            variance_shares,
            lambda: _shares(content.components),
            title="Where the variance of ratings comes from",
        )


def _reached_rows(plan: PlanOfStudy) -> Iterator[Row]:
    for segments, values in zip(plan.segments, plan.reached, strict=True):
        for raters, value in zip(plan.raters, values, strict=True):
            yield {"segments": segments, "raters": raters, "value": value}


def _shares(components: Sequence[AspectComponents]) -> Iterator[Row]:
    for entry in components:
        if found := entry.found:
            for source, share in found.shares.items():
                numbers = {"share": share, "estimate": found.estimates[source]}
                yield {"aspect": entry.aspect, "source": source, **numbers}


def decimals(plan: PlanOfStudy) -> int:
    """Return with how many decimals a plan's half-widths or powers are shown."""
    return 2 if plan.wanted >= 1 else 3


def plan_sentences(aspect: str, plan: PlanOfStudy) -> Iterator[Sentence]:
    """Say what is expected and wanted, and how many segments a panel of raters needs."""
    if plan.correlations.reason:
        return
    now, places = plan.now, decimals(plan)
    sign = "" if plan.goal == "metrics" else "±"
    yield said(
        f"{REACHED[plan.goal]} on {aspect_words(aspect)}: "
        f"{sign}{format_number(now.reached, places)} is expected of this study, with "
        f"{counted(now.segments, 'segment')} and {counted(now.raters, 'rater')} of each output; "
        f"the goal is {sign}{format_number(plan.wanted, places)}."
    )
    for entry in plan.plans:
        if entry.raters == plan.panel:
            nearest = "" if plan.nearest is None else f"{sign}{format_number(plan.nearest, places)}"
            yield _enough(entry, nearest)


def _enough(entry: PanelPlan, nearest: str) -> Sentence:
    panel = f"With {counted(entry.raters, 'rater')} of each output"
    if entry.plan is None:
        offer = f" The nearest goal within reach is {nearest}." if nearest else ""
        return said(f"{panel} there is no plan: {entry.reason}.{offer}")
    segments, ratings = entry.plan.segments, entry.plan.ratings
    return said(
        f"{panel}, {counted(segments, 'segment is', 'segments are')} expected to be enough: "
        f"{ratings:,} ratings in all."
    )


_PLANNED = ("goal", "wanted", "raters", "segments", "ratings", "reached")


def _components(content: PlanningReport) -> Iterator[Parts]:
    for entry in content.components:
        if found := entry.found:
            for source, estimate in found.estimates.items():
                own = {"variance": estimate, "share": found.shares[source], "ratings": found.cells}
                yield entry, found, {"source": source} | own


def _plans(content: PlanningReport) -> Iterator[Parts]:
    if plan := content.plan:
        for entry in plan.plans:
            size = entry.plan
            numbers = (size.segments, size.ratings, size.expected) if size else (None, None, None)
            own = dict(zip(("segments", "ratings", "reached"), numbers, strict=True))
            yield plan, entry, own | {"signature": size.signature if size else ""}


def _sizes(content: PlanningReport) -> Iterator[Parts]:
    if plan := content.plan:
        for segments, values in zip(plan.segments, plan.reached, strict=True):
            for raters, value in zip(plan.raters, values, strict=True):
                yield plan, {"segments": segments, "raters": raters, "reached": value}


TABLES: tuple[Table[Any], ...] = (
    Table(
        "components",
        "Variance components of ratings",
        "components",
        (
            *("aspect", "source", "variance", "share"),
            *("systems", "segments", "raters", "ratings", "signature"),
        ),
        _components,
        ("aspect", "source", "variance", "share"),
    ),
    Table(
        "plans",
        "Fewest segments for each number of raters",
        "plan",
        ("aspect", *_PLANNED, "reason", "signature"),
        _plans,
        _PLANNED,
    ),
    Table(
        "sizes",
        "What each size of a study reaches",
        "plan",
        ("aspect", "goal", "segments", "raters", "reached"),
        _sizes,
    ),
    Table(
        "votes",
        "Fewest votes that tell two systems apart",
        "votes",
        ("aspect", "power", "ties", "share", "decided", "votes"),
        lambda content: ((each, plan) for each in content.votes for plan in each.plans),
    ),
    Table(
        "ways",
        "Ways to spend the same ratings",
        "ways.ways",
        (
            *("aspect", "way", "chosen_by", "metric", "segments", "rated"),
            *("told_apart", "half_width", "covered"),
        ),
        printed=("way", "segments", "told_apart", "half_width"),
    ),
)


WAYS_IN_WORDS = {
    RANDOM: "segments at random",
    CHOSEN: "segments chosen by probability, weighted",
    POWERED: "segments at random, with the metric (PPI)",
    BOTH: "segments chosen by probability, with the metric",
}
FEW = 5
"""Fewer systems, segments or raters leave the variance between them hardly known."""


def present(report: Report[PlanningReport], address: Address) -> dict[str, Any]:
    """Return the table of components, and the plan with its check."""
    content = report.content
    found = {entry.aspect: entry.found for entry in content.components if entry.found}
    sources = dict.fromkeys(source for each in found.values() for source in each.estimates)
    plan = content.plan
    picked = plan.correlations.picked if plan else None
    return {
        "components": found,
        "missing": [
            (entry.aspect, entry.undefined.reason)
            for entry in content.components
            if entry.undefined
        ],
        "sources": [
            (
                source,
                WORDS[source],
                [(each.shares.get(source), each.estimates.get(source)) for each in found.values()],
            )
            for source in sources
        ],
        "facts": [_facts(aspect, each) for aspect, each in found.items()],
        "summary": plan_sentences(content.aspect, plan) if plan else (),
        "plan": _plan(plan) if plan else None,
        "picked": picked_words(picked, content.aspect, address),
        "ways": _ways(content.ways) if content.ways else None,
    }


def _ways(compared: WaysCompared) -> dict[str, Any]:
    counts = sorted({each.segments for each in compared.ways})
    return vars(compared) | {
        "counts": [(count, count * compared.systems) for count in counts],
        "rows": crossed(
            compared.ways, lambda each: WAYS_IN_WORDS[each.way], lambda each: each.segments
        ),
    }


def _facts(aspect: str, found: Components) -> dict[str, Any]:
    counted = {"systems": found.systems, "segments": found.segments, "raters": found.raters}
    few = [name for name, count in counted.items() if count < FEW]
    return vars(found) | {"aspect": aspect, "few": few}


def _plan(plan: PlanOfStudy) -> dict[str, Any]:
    correlations = plan.correlations
    return vars(plan) | {
        "words": REACHED[plan.goal],
        "decimals": decimals(plan),
        "reason": correlations.reason,
        "metrics": column_labels(correlations.metrics),
        "correlations": [
            (words, value)
            for words, value in (
                ("first metric with noise-free scores", correlations.first),
                ("second metric with noise-free scores", correlations.second),
                ("the two metrics", correlations.between),
            )
            if value is not None
        ],
        "sizes": [
            (segments, [(value, plan.is_enough(value)) for value in values])
            for segments, values in zip(plan.segments, plan.reached, strict=True)
        ],
    }


_OF_METRICS = ("goal", ("correlation", "metrics"))
KIND = ReportKind(
    key="planning",
    fields=(
        *("aspect", "goal", "half_width", "power", "panel", "first", "second", "between"),
        *("candidates", "compared_to", "text_setting", "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where", "scores", "ddof"),
    ),
    needs={
        "ddof": OF_Z,
        "power": ("goal", ("metrics",)),
        "half_width": ("goal", ("difference", "mean", "correlation")),
        "second": ("goal", ("metrics",)),
        "between": ("goal", ("metrics",)),
        **dict.fromkeys(("first", "candidates", *METRICS), _OF_METRICS),
    },
    build=planning_report,
    present=present,
    early=Early(
        cost=lambda size: 20 * size.ratings * size.aspects,
        awaits=lambda content: ("plan",) * any(entry.found for entry in content.components),
    ),
    cost=lambda size: planning_cost(
        size.question, size.ratings * size.aspects, size.cells, len(size.columns)
    ),
    check=check_scale_aspect,
    tables=TABLES,
    figures=planning_figures,
    picture=("plan", "variance-shares"),
    sections={"variance-shares": "Shares as bars", "plan": "What each size reaches"},
    offers=aspect_offer,
)
