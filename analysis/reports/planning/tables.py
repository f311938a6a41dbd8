"""The planning report as flat tables: components, and what each size of a study reaches."""

from collections.abc import Mapping
from typing import Any

from analysis.flat_table import FlatTable
from analysis.table_titles import make_table


def planning_tables(content: Mapping[str, Any]) -> list[FlatTable]:
    """Return the tables of variance components and of the plan."""
    components = (
        (
            *(entry["aspect"], source, estimate, entry["found"]["shares"][source]),
            *(entry["found"][key] for key in ("systems", "segments", "raters", "cells")),
            entry["found"]["signature"],
        )
        for entry in content["components"]
        if entry["found"]
        for source, estimate in entry["found"]["estimates"].items()
    )
    counts = ("systems", "segments", "raters", "ratings")
    plan = content["plan"] or {"plans": [], "segments": []}
    plans = (
        (
            *(content["aspect"], plan["goal"], plan["wanted"], entry["raters"]),
            *((entry["plan"] or {}).get(key) for key in ("segments", "ratings", "expected")),
            entry["reason"],
            (entry["plan"] or {}).get("signature", ""),
        )
        for entry in plan["plans"]
    )
    sizes = (
        (content["aspect"], plan["goal"], segments, raters, value)
        for segments, values in zip(plan["segments"], plan.get("reached", []), strict=True)
        for raters, value in zip(plan["raters"], values, strict=True)
    )
    planned = ("goal", "wanted", "raters", "segments", "ratings", "reached")
    return [
        make_table(
            "planning",
            "components",
            ("aspect", "source", "variance", "share", *counts, "signature"),
            components,
            ("aspect", "source", "variance", "share"),
        ),
        make_table(
            "planning",
            "plans",
            ("aspect", *planned, "reason", "signature"),
            plans,
            planned,
        ),
        make_table("planning", "sizes", ("aspect", "goal", "segments", "raters", "reached"), sizes),
    ]
