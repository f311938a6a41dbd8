"""The subgroups report as flat tables: strata, their differences, curves; one number a row."""

from collections.abc import Mapping
from typing import Any

from analysis.flat_table import RESULT_COLUMNS, FlatTable, as_json, result_cells
from analysis.table_titles import METRIC_COLUMNS, PRINTED, make_table


def subgroup_tables(content: Mapping[str, Any]) -> list[FlatTable]:
    """Return the tables of strata, of their differences, and of the curves."""
    metrics, names = content["metrics"], [stratum["name"] for stratum in content["strata"]]
    described = [tuple(metric[key] for key in METRIC_COLUMNS) for metric in metrics]
    strata = (
        (*labels, content["aspect"], content["by"], name, *result_cells(result))
        for labels, metric in zip(described, metrics, strict=True)
        for name, result in zip(("(all)", *names), (metric["all"], *metric["results"]), strict=True)
    )
    differences = (
        (
            *described[row["metric"]],
            *(content["aspect"], content["by"], names[row["first"]], names[row["second"]]),
            row["p_value"],
            *result_cells(row["result"]),
        )
        for row in content["differences"]
    )
    curves = (
        (
            *described[curve["metric"]],
            *(content["aspect"], content["by"], curve["stratum"]),
            *(subset["side"], subset["size"], as_json(subset["systems"])),
            *result_cells(subset["result"]),
        )
        for curve in content["curves"]
        for subset in curve["subsets"]
    )
    named = (*METRIC_COLUMNS, "aspect", "divided_by")
    printed = ("metric", "compared_to")
    return [
        make_table(
            "subgroups",
            "strata",
            (*named, "stratum", *RESULT_COLUMNS),
            strata,
            (*printed, "stratum", *PRINTED),
        ),
        make_table(
            "subgroups",
            "differences",
            (*named, "stratum", "other_stratum", "holm", *RESULT_COLUMNS),
            differences,
            (*printed, "stratum", "other_stratum", "holm", *PRINTED),
        ),
        make_table(
            "subgroups",
            "top-last",
            (*named, "stratum", "side", "size", "systems", *RESULT_COLUMNS),
            curves,
            (*printed, "stratum", "side", "size", *PRINTED),
        ),
    ]
