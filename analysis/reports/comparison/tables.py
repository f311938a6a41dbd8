"""Comparisons and accuracies as flat tables: one test or number a row, unrounded."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analysis.flat_table import RESULT_COLUMNS, FlatTable, Row, as_json, result_cells
from analysis.reports.system_comparison.many_systems import all_pair_rows
from analysis.table_titles import METRIC_COLUMNS, PRINTED, make_table

_PAIR_COLUMNS = ("test", "holm", "benjamini_hochberg")
_STRENGTH_COLUMNS = ("first", "second", "difference", "p_value", "holm")


def accuracy_tables(content: Mapping[str, Any]) -> list[FlatTable]:
    """Return the table of accuracies."""
    rows = (
        (*(row[key] for key in METRIC_COLUMNS), content["aspect"], name, *result_cells(result))
        for row in content["rows"]
        for name, result in row["results"].items()
    )
    columns = (*METRIC_COLUMNS, "aspect", "number", *RESULT_COLUMNS)
    printed = ("metric", "compared_to", "number", *PRINTED)
    return [make_table("accuracy", "accuracy", columns, rows, printed)]


def comparison_tables(content: Mapping[str, Any]) -> list[FlatTable]:
    """Return the tables of compared metrics."""
    metrics = content["metrics"]
    described = [tuple(metric[key] for key in METRIC_COLUMNS) for metric in metrics]
    other = tuple(f"other_{key}" for key in METRIC_COLUMNS)
    places = ("best", "worst", "cluster")
    rows = (
        (*described[index], *(metric[key] for key in places), *result_cells(metric["result"]))
        for index, metric in enumerate(metrics)
    )
    pairs = (
        (*described[pair["first"]], *described[pair["second"]], *cells)
        for pair in content["pairs"]
        for cells in _pair_tests(pair)
    )
    printed = ("metric", "compared_to", "other_metric", "other_compared_to", "test")
    return [
        make_table(
            "comparison",
            "metrics",
            (*METRIC_COLUMNS, *places, *RESULT_COLUMNS),
            rows,
            ("metric", "compared_to", *places, "value", "low", "high", "n"),
        ),
        make_table(
            "comparison",
            "pairs",
            (*METRIC_COLUMNS, *other, *_PAIR_COLUMNS, *RESULT_COLUMNS),
            pairs,
            (*printed, "value", "low", "high", "p_value", "holm"),
        ),
    ]


def beside_imported_table(content: Mapping[str, Any]) -> FlatTable:
    """Return the table of what was computed here beside what was imported."""
    keys = ("metric", "imported_as", "compared_to", "imported_compared_to", "text_setting")
    columns = (
        *(*keys, "aspect", "computed", "imported", "difference"),
        *("n", "mean_absolute_difference", "r_of_scores", "signatures"),
    )
    rows = (
        (
            *(entry[key] for key in keys),
            entry["aspect"],
            *(entry[name].get("value") for name in ("computed", "imported")),
            entry["difference"],
            *(entry["scores"][name] for name in ("n", "mean_absolute_difference")),
            entry["scores"]["between"].get("value"),
            as_json(
                {name: entry[name]["signature"] for name in ("computed", "imported")}
                | {"r_of_scores": entry["scores"]["between"]["signature"]}
            ),
        )
        for entry in content.get("beside_imported", ())
    )
    printed = tuple(name for name in columns if name not in ("signatures", "text_setting"))
    return make_table("correlation", "beside-imported", columns, rows, printed)


def system_comparison_tables(content: Mapping[str, Any]) -> list[FlatTable]:
    """Return the tables of compared systems."""
    kind = "system-comparison"
    names = [entry["system"] for entry in content["systems"]]
    places = ("best", "worst", "cluster")
    kinds = (content["scores"], "z" if content["scores"] == "raw" else "raw")
    systems = (
        (entry["system"], entry["human"], *(entry[key] for key in places), scores, *cells)
        for entry in content["systems"]
        for scores, cells in zip(
            kinds, (result_cells(entry["result"]), result_cells(entry["other"])), strict=True
        )
    )
    pairs = (
        (content["aspect"], names[pair["first"]], names[pair["second"]], *cells)
        for pair in all_pair_rows(content)
        for cells in _pair_tests(pair)
    )
    strengths = (
        (entry["aspect"], row["system"], *result_cells(row["result"]))
        for entry in content["strengths"]
        for row in entry["systems"]
    )
    return [
        make_table(
            kind,
            "systems",
            ("system", "human_written", *places, "scores", *RESULT_COLUMNS),
            systems,
            ("system", *places, "scores", "value", "low", "high", "n"),
        ),
        make_table(
            kind,
            "pairs",
            ("aspect", "system", "other_system", *_PAIR_COLUMNS, *RESULT_COLUMNS),
            pairs,
            ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
        ),
        make_table(kind, "strengths", ("aspect", "system", *RESULT_COLUMNS), strengths),
        make_table(
            kind,
            "strength-pairs",
            ("aspect", "system", "other_system", "difference", "p_value", "holm"),
            (cells for entry in content["strengths"] for cells in _strength_pairs(entry)),
        ),
    ]


def _strength_pairs(entry: Mapping[str, Any]) -> Iterator[Row]:
    """Yield every two strengths of an aspect, however the report holds them."""
    columns = entry.get("pair_columns")
    if not columns:
        for pair in entry["pairs"]:
            yield entry["aspect"], *(pair[key] for key in _STRENGTH_COLUMNS)
        return
    names = [row["system"] for row in entry["systems"]]
    numbers = (columns[key] for key in _STRENGTH_COLUMNS)
    for first, second, *values in zip(*numbers, strict=True):
        yield entry["aspect"], names[first], names[second], *values


def metric_means_tables(content: Mapping[str, Any]) -> list[FlatTable]:
    """Return the tables of systems by metrics: every number, and the tests by one metric."""
    kind, systems = "metric-means", content["systems"]
    described = [tuple(column[key] for key in METRIC_COLUMNS) for column in content["columns"]]
    values = (
        (
            *described[row["column"]],
            *(content["columns"][row["column"]][key] for key in ("value", "better")),
            *(system[key] for key in ("system", "human", "baseline")),
            row["ranks"][place],
            *result_cells(row["results"][place]),
        )
        for row in content["rows"]
        for place, system in enumerate(systems)
    )
    columns = (*METRIC_COLUMNS, "number", "better", "system", "human_written", "baseline", "rank")
    printed = ("metric", "compared_to", "system", "rank", "value", "low", "high", "n")
    tested = content["tested"] or {"label": "", "systems": [], "pairs": []}
    label, names = tested["label"], [entry["system"] for entry in tested["systems"]]
    places = ("best", "worst", "cluster")
    ranked = (
        (label, entry["system"], *(entry[key] for key in places), *result_cells(entry["result"]))
        for entry in tested["systems"]
    )
    pairs = (
        (label, names[pair["first"]], names[pair["second"]], *cells)
        for pair in tested["pairs"]
        for cells in _pair_tests(pair)
    )
    return [
        make_table(kind, "metric-means", (*columns, *RESULT_COLUMNS), values, printed),
        make_table(kind, "systems", ("metric", "system", *places, *RESULT_COLUMNS), ranked),
        make_table(
            kind,
            "pairs",
            ("metric", "system", "other_system", *_PAIR_COLUMNS, *RESULT_COLUMNS),
            pairs,
            ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
        ),
    ]


def _pair_tests(pair: Mapping[str, Any]) -> Iterable[Row]:
    """Yield the cells of one pair under `_PAIR_COLUMNS` and `RESULT_COLUMNS`, one row a test."""
    for test, result in pair["tests"].items():
        adjusted = pair["adjusted"][test]
        yield (test, adjusted["holm"], adjusted["benjamini-hochberg"], *result_cells(result))
