"""Report content as flat tables: one row a number, unrounded, with all that it rests on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.flat_table import RESULT_COLUMNS, FlatTable, Row, as_json, result_cells, sources_of
from analysis.question import Question
from analysis.reports.agreement.tables import further_agreement_tables
from analysis.reports.comparison.tables import (
    accuracy_tables,
    beside_imported_table,
    comparison_tables,
    metric_means_tables,
    system_comparison_tables,
)
from analysis.reports.correlation.report import HEADLINE, TITLES
from analysis.reports.planning.tables import planning_tables
from analysis.reports.subgroups.tables import subgroup_tables
from analysis.table_titles import METRIC_COLUMNS, PRINTED, TABLES, make_table


def flat_tables(report: Mapping[str, Any]) -> list[FlatTable]:
    """Return the tables of one report, or of the document of all reports.

    Parameters
    ----------
    report : mapping
        What `analysis.reports.service.report` or `document` returns.

    Returns
    -------
    list of FlatTable
        One or several per kind; where a document holds parts of the study (directions, models),
        their rows stand in one table with the part in the first column.
    """
    if "reports" in report:
        return _of_document(report)
    content = report["content"]
    tables = _MAKERS[report["kind"]](content)
    sources, simulated = sources_of(report), bool(report["simulated"])
    return [replace(table, sources=sources, simulated=simulated) for table in tables]


def table_titles(report: Mapping[str, Any]) -> dict[str, str]:
    """Return name and title of the tables of one report that have rows, without making them."""
    return {
        name: title
        for name, (title, part) in TABLES[report["kind"]].items()
        # A report that was frozen before lacks what came later.
        if report["content"].get(part)
    }


def _of_document(document: Mapping[str, Any]) -> list[FlatTable]:
    tables = []
    for kind, report in document["reports"].items():
        parts = {"": report} if "content" in report else report
        of_parts = [
            [_with_part(table, part) for table in flat_tables(one)] for part, one in parts.items()
        ]
        for same in zip(*of_parts, strict=True):
            rows = tuple(row for table in same for row in table.rows)
            tables.append(replace(same[0], name=_table_name(kind, same[0].name), rows=rows))
    return tables


def _table_name(kind: str, name: str) -> str:
    return name if name.startswith(kind) else f"{kind}-{name}"


def _with_part(table: FlatTable, part: str) -> FlatTable:
    if not part:
        return table
    return replace(
        table,
        columns=("part", *table.columns),
        rows=tuple((part, *row) for row in table.rows),
        printed=("part", *table.printed) if table.printed else (),
    )


def _agreement(content: Mapping[str, Any]) -> list[FlatTable]:
    keys = ("aspect", "batch", "humans", "statistic")
    numbers = (
        (
            *(number[key] for key in keys),
            *result_cells(number["result"]),
            as_json(number["conditions"]),
        )
        for number in content["numbers"]
    )
    rater_keys = ("rater", "kind", "raters", "campaign", "aspect", "ratings", "mean", "sd")
    raters = (
        (*(row[key] for key in rater_keys), bool(row["constant"])) for row in content["raters"]
    )
    relative = (
        (
            row["group"],
            row["statistic"],
            *result_cells(row["result"]),
            as_json(row["conditions"]),
        )
        for row in content["relative"]
    )
    return [
        make_table(
            "agreement",
            "agreement",
            (*keys, *RESULT_COLUMNS, "conditions"),
            numbers,
            (*keys, *PRINTED),
        ),
        *further_agreement_tables(content),
        make_table("agreement", "raters", (*rater_keys, "constant"), raters),
        make_table(
            "agreement",
            "relative",
            ("group", "statistic", *RESULT_COLUMNS, "conditions"),
            relative,
            ("group", "statistic", *PRINTED),
        ),
    ]


def _correlation(content: Mapping[str, Any]) -> list[FlatTable]:
    described = ("aspect", "own_aspect", "orientation", "better", "note")
    columns = (
        *METRIC_COLUMNS,
        *described,
        *("level", "statistic", "grouping", "raw_value"),
        *RESULT_COLUMNS,
        "conditions",
    )
    return [
        _headline(content),
        make_table(
            "correlation",
            "correlations",
            columns,
            (cells for row in content["rows"] for cells in _correlations_of(row, described)),
            ("metric", "compared_to", "aspect", "level", "statistic", *PRINTED),
        ),
        make_table(
            "correlation",
            "human-scores",
            (*METRIC_COLUMNS, "aspect", "scores", *RESULT_COLUMNS),
            (
                (*(row[key] for key in METRIC_COLUMNS), row["aspect"], kind, *result_cells(result))
                for row in content["rows"]
                for kind, result in row.get("scores", {}).items()
            ),
            ("metric", "compared_to", "aspect", "scores", *PRINTED),
        ),
        make_table(
            "correlation",
            "top-last",
            (*METRIC_COLUMNS, "aspect", "side", "size", "systems", "statistic", *RESULT_COLUMNS),
            (cells for curve in content["curves"] for cells in _subset_rows(curve)),
            ("metric", "compared_to", "aspect", "side", "size", "statistic", *PRINTED),
        ),
        beside_imported_table(content),
        make_table(
            "correlation",
            "ceilings",
            ("aspect", "number", *RESULT_COLUMNS),
            (
                (entry["aspect"], name, *result_cells(result))
                for entry in content["ceilings"]
                for name, result in entry["results"].items()
            ),
        ),
        make_table(
            "correlation",
            "system-means",
            (*METRIC_COLUMNS, "aspect", "system", "metric_mean", "human_mean", "n"),
            (
                (
                    *(points[key] for key in METRIC_COLUMNS),
                    points["aspect"],
                    *(system[key] for key in ("system", "metric", "human", "n")),
                )
                for points in content["points"]
                for system in points["systems"]
            ),
        ),
    ]


def _headline(content: Mapping[str, Any]) -> FlatTable:
    """Return one row per metric and aspect, as a paper prints it."""
    names = [*TITLES, "asked"]
    columns = (*METRIC_COLUMNS, "aspect", "orientation", *names, "signatures", "note")
    rows = (
        (
            *(row[key] for key in METRIC_COLUMNS),
            row["aspect"],
            row["orientation"],
            *(row["results"][name].get("value") for name in names),
            as_json({name: row["results"][name]["signature"] for name in names}),
            row["note"],
        )
        for row in content["rows"]
    )
    printed = ("metric", "compared_to", "text_setting", "aspect", "orientation", *names)
    return make_table("correlation", "headline", columns, rows, printed)


def _correlations_of(row: Mapping[str, Any], described: Sequence[str]) -> Iterable[Row]:
    signatures = set()
    for name, result in row["results"].items():
        asked = question_of(row, name)
        identity = (result["signature"], asked.level, asked.statistic, asked.grouping)
        if identity in signatures:
            continue
        signatures.add(identity)
        yield (
            *(row[key] for key in METRIC_COLUMNS),
            *(row[key] for key in described),
            asked.level,
            asked.statistic,
            asked.grouping,
            row["raw"][name],
            *result_cells(result),
            as_json(asked.to_query()),
        )


def question_of(row: Mapping[str, Any], name: str) -> Question:
    """Return the question that gives one result of a correlation row again, by itself."""
    asked = Question.parse(row["conditions"])
    changes: Mapping[str, Any] = HEADLINE.get(name, {})
    if changes.get("level") == "system":
        return asked.but(**{"grouping": "none", **changes})
    return asked.but(**changes)


def _subset_rows(curve: Mapping[str, Any]) -> Iterable[Row]:
    for subset in curve["subsets"]:
        for name, result in subset["results"].items():
            yield (
                *(curve[key] for key in METRIC_COLUMNS),
                *(curve["aspect"], subset["side"], subset["size"], as_json(subset["systems"])),
                name,
                *result_cells(result),
            )


def _ranking(content: Mapping[str, Any]) -> list[FlatTable]:
    columns = ("aspect", "system", "human_written", "group", "scores", "rank", *RESULT_COLUMNS)
    rows = (
        (
            *(table["aspect"], system["system"], bool(system["human"]), system["group"]),
            *(kind, system[kind]["rank"]),
            *result_cells(system[kind]["result"]),
            as_json(system["conditions"] | ({"scores": ["z"]} if kind == "z" else {})),
        )
        for table in content["tables"]
        for system in table["systems"]
        for kind in ("raw", "z")
    )
    printed = ("aspect", "system", "scores", "rank", "value", "low", "high", "n")
    return [make_table("ranking", "ranking", (*columns, "conditions"), rows, printed)]


def _replication(content: Mapping[str, Any]) -> list[FlatTable]:
    keys = ("where", "what", "printed", "published", "decimals", "rounded")
    columns = (*keys, "recomputed", "outcome", "note", "conditions", *RESULT_COLUMNS)
    rows = (
        (
            *(row[key] for key in keys),
            *(row["value"], row["state"], row["note"], as_json(row["conditions"])),
            *result_cells(row["result"]),
        )
        for row in content["rows"]
    )
    printed = ("where", "what", "printed", "rounded", "recomputed", "outcome")
    return [make_table("replication", "replication", columns, rows, printed)]


def _raters(content: Mapping[str, Any]) -> list[FlatTable]:
    keys = ("aspect", "rater", "campaign", "kind")
    facts = ("ratings", "longest_run", "commonest_share", "median_seconds")
    columns = (*keys, "statistic", *RESULT_COLUMNS, *facts)
    rows = (
        (
            *(row[key] for key in keys),
            statistic,
            *result_cells(result),
            *(row[key] for key in facts),
        )
        for row in content["rows"]
        for statistic, result in row["results"].items()
    )
    printed = (*keys[:2], "statistic", *PRINTED)
    pairs = (
        (
            *(matrix["aspect"], matrix["raters"][first], matrix["raters"][second]),
            *(matrix["values"][first][second], matrix["counts"][first][second]),
            matrix["signature"],
        )
        for matrix in content["matrices"]
        for first in range(len(matrix["raters"]))
        for second in range(first + 1, len(matrix["raters"]))
    )
    pair_columns = ("aspect", "rater", "other_rater", "value", "n", "signature")
    return [
        make_table("raters", "raters", columns, rows, printed),
        make_table("raters", "rater-pairs", pair_columns, pairs),
    ]


def _scores(content: Mapping[str, Any]) -> list[FlatTable]:
    columns, matrix = content["columns"], content["matrix"]
    described = [tuple(column[key] for key in METRIC_COLUMNS) for column in columns]
    pairs = (
        (
            *(*described[first], *described[second]),
            matrix["values"][first][second],
            matrix["counts"][first][second],
            matrix["signature"],
        )
        for first in range(len(columns))
        for second in range(first + 1, len(columns))
    )
    other = tuple(f"other_{key}" for key in METRIC_COLUMNS)
    counted = ("n", "missing", "mean", "sd")
    quantiles = ("minimum", "q05", "q25", "median", "q75", "q95", "maximum")
    distributions = (
        (*described[row["column"]], row["group"], *(row[key] for key in counted), *row["quantiles"])
        for row in content["distributions"]
    )
    facts = ("side", "segment", "people", "systems", "gap")
    extremes = (
        (*described[row["column"]], *(row[key] for key in facts)) for row in content["extremes"]
    )
    return [
        make_table(
            "scores", "metric-matrix", (*METRIC_COLUMNS, *other, "value", "n", "signature"), pairs
        ),
        make_table(
            "scores",
            "distributions",
            (*METRIC_COLUMNS, "texts", *counted, *quantiles),
            distributions,
        ),
        make_table("scores", "extremes", (*METRIC_COLUMNS, *facts), extremes),
    ]


_MAKERS: dict[str, Callable[[Mapping[str, Any]], list[FlatTable]]] = {
    "agreement": _agreement,
    "raters": _raters,
    "correlation": _correlation,
    "planning": planning_tables,
    "subgroups": subgroup_tables,
    "accuracy": accuracy_tables,
    "comparison": comparison_tables,
    "ranking": _ranking,
    "system-comparison": system_comparison_tables,
    "metric-means": metric_means_tables,
    "scores": _scores,
    "replication": _replication,
}
