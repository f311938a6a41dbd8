"""The planning report as tables: components, and what each size of a study reaches."""

from collections.abc import Iterator

from analysis.reports.kind import Stored, Table
from analysis.tables.flat_table import Row

_PLANNED = ("goal", "wanted", "raters", "segments", "ratings", "reached")


def _components(content: Stored) -> Iterator[Row]:
    for entry in content["components"]:
        if found := entry["found"]:
            counts = (found[key] for key in ("systems", "segments", "raters", "cells"))
            facts = (*counts, found["signature"])
            for source, estimate in found["estimates"].items():
                yield (entry["aspect"], source, estimate, found["shares"][source], *facts)


def _plans(content: Stored) -> Iterator[Row]:
    if plan := content["plan"]:
        for entry in plan["plans"]:
            reached = entry["plan"] or {}
            yield (
                *(content["aspect"], plan["goal"], plan["wanted"], entry["raters"]),
                *(reached.get(key) for key in ("segments", "ratings", "expected")),
                *(entry["reason"], reached.get("signature", "")),
            )


def _sizes(content: Stored) -> Iterator[Row]:
    if plan := content["plan"]:
        for segments, values in zip(plan["segments"], plan.get("reached", []), strict=True):
            for raters, value in zip(plan["raters"], values, strict=True):
                yield (content["aspect"], plan["goal"], segments, raters, value)


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
)
