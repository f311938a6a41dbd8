"""The planning report as tables: components, and what each size of a study reaches."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.planning.report import PlanningReport
from analysis.tables.flat_table import Row

_PLANNED = ("goal", "wanted", "raters", "segments", "ratings", "reached")


def _components(content: PlanningReport) -> Iterator[Row]:
    for entry in content.components:
        if found := entry.found:
            facts = (found.systems, found.segments, found.raters, found.cells, found.signature)
            for source, estimate in found.estimates.items():
                yield (entry.aspect, source, estimate, found.shares[source], *facts)


def _plans(content: PlanningReport) -> Iterator[Row]:
    if plan := content.plan:
        for entry in plan.plans:
            size = entry.plan
            yield (
                *(content.aspect, plan.goal, plan.wanted, entry.raters),
                *((size.segments, size.ratings, size.expected) if size else (None, None, None)),
                *(entry.reason, size.signature if size else ""),
            )


def _sizes(content: PlanningReport) -> Iterator[Row]:
    if plan := content.plan:
        for segments, values in zip(plan.segments, plan.reached, strict=True):
            for raters, value in zip(plan.raters, values, strict=True):
                yield (content.aspect, plan.goal, segments, raters, value)


def _ways(content: PlanningReport) -> Iterator[Row]:
    if compared := content.ways:
        for each in compared.ways:
            yield (
                *(content.aspect, each.way, compared.chosen_by, compared.metric),
                *(each.segments, compared.rated, each.told_apart, each.half_width, each.covered),
            )


TABLES = (
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
        "ways",
        "Ways to spend the same ratings",
        "ways",
        (
            *("aspect", "way", "chosen_by", "metric", "segments", "rated"),
            *("told_apart", "half_width", "covered"),
        ),
        _ways,
        ("way", "segments", "told_apart", "half_width"),
    ),
)
