"""Report content as flat tables: one row a number, unrounded, with all that it rests on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.flat_table import RESULT_COLUMNS, FlatTable, Row, as_json, result_cells, sources_of
from analysis.question import Question
from analysis.reports.correlation import HEADLINE, TITLES

TABLES: dict[str, dict[str, tuple[str, str]]] = {
    "agreement": {
        "agreement": ("Agreement between raters", "numbers"),
        "raters": ("Raters", "raters"),
        "relative": ("Outputs against their sources", "relative"),
    },
    "raters": {
        "raters": ("Raters, each beside the others", "rows"),
        "rater-pairs": ("Correlation of every two raters", "matrices"),
    },
    "scores": {
        "metric-matrix": ("Correlations of metrics with metrics", "columns"),
        "distributions": ("Distributions of scores", "distributions"),
        "extremes": ("Segments where people's and systems' scores are furthest apart", "extremes"),
    },
    "correlation": {
        "headline": ("Metrics beside people: headline statistics and the one asked for", "rows"),
        "correlations": ("Correlation of metrics with people, one number a row", "rows"),
        "top-last": ("Correlation over the top N and the last N systems", "curves"),
        "ceilings": ("Ceilings of correlations and human baselines", "ceilings"),
        "system-means": ("Mean metric and human scores of systems", "points"),
    },
    "accuracy": {"accuracy": ("Accuracy of metrics, one number a row", "rows")},
    "comparison": {
        "metrics": ("Metrics by correlation with people, with rank ranges", "metrics"),
        "pairs": ("Differences between every two metrics, one test a row", "pairs"),
    },
    "ranking": {"ranking": ("Mean human scores of systems, raw and z", "tables")},
    "system-comparison": {
        "systems": ("Mean human scores of systems, with rank ranges", "systems"),
        "pairs": ("Differences between every two systems, one test a row", "pairs"),
        "strengths": ("Log strengths of systems judged against each other", "strengths"),
    },
    "replication": {"replication": ("Published values beside the recomputed ones", "rows")},
}
"""Tables of each kind of report: name to title and to the part of the content it shows."""
_METRIC_COLUMNS = ("metric", "metric_aspect", "compared_to", "text_setting")
PAIR_COLUMNS = ("test", "holm", "benjamini_hochberg")
_PRINTED = ("value", "low", "high", "p_value", "n")


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
        if report["content"][part]
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


def _table(
    kind: str, name: str, columns: Sequence[str], rows: Iterable[Row], printed: Sequence[str] = ()
) -> FlatTable:
    title, _ = TABLES[kind][name]
    return FlatTable(name, title, tuple(columns), tuple(rows), tuple(printed))


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
        _table(
            "agreement",
            "agreement",
            (*keys, *RESULT_COLUMNS, "conditions"),
            numbers,
            (*keys, *_PRINTED),
        ),
        _table("agreement", "raters", (*rater_keys, "constant"), raters),
        _table(
            "agreement",
            "relative",
            ("group", "statistic", *RESULT_COLUMNS, "conditions"),
            relative,
            ("group", "statistic", *_PRINTED),
        ),
    ]


def _correlation(content: Mapping[str, Any]) -> list[FlatTable]:
    described = ("aspect", "own_aspect", "orientation", "better", "note")
    columns = (
        *_METRIC_COLUMNS,
        *described,
        *("level", "statistic", "grouping", "raw_value"),
        *RESULT_COLUMNS,
        "conditions",
    )
    return [
        _headline(content),
        _table(
            "correlation",
            "correlations",
            columns,
            (cells for row in content["rows"] for cells in _correlations_of(row, described)),
            ("metric", "compared_to", "aspect", "level", "statistic", *_PRINTED),
        ),
        _table(
            "correlation",
            "top-last",
            (*_METRIC_COLUMNS, "aspect", "side", "size", "systems", "statistic", *RESULT_COLUMNS),
            (cells for curve in content["curves"] for cells in _subset_rows(curve)),
            ("metric", "compared_to", "aspect", "side", "size", "statistic", *_PRINTED),
        ),
        _table(
            "correlation",
            "ceilings",
            ("aspect", "number", *RESULT_COLUMNS),
            (
                (entry["aspect"], name, *result_cells(result))
                for entry in content["ceilings"]
                for name, result in entry["results"].items()
            ),
        ),
        _table(
            "correlation",
            "system-means",
            (*_METRIC_COLUMNS, "aspect", "system", "metric_mean", "human_mean", "n"),
            (
                (
                    *(points[key] for key in _METRIC_COLUMNS),
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
    columns = (*_METRIC_COLUMNS, "aspect", "orientation", *names, "signatures", "note")
    rows = (
        (
            *(row[key] for key in _METRIC_COLUMNS),
            row["aspect"],
            row["orientation"],
            *(row["results"][name].get("value") for name in names),
            as_json({name: row["results"][name]["signature"] for name in names}),
            row["note"],
        )
        for row in content["rows"]
    )
    printed = ("metric", "compared_to", "text_setting", "aspect", "orientation", *names)
    return _table("correlation", "headline", columns, rows, printed)


def _correlations_of(row: Mapping[str, Any], described: Sequence[str]) -> Iterable[Row]:
    signatures = set()
    for name, result in row["results"].items():
        asked = question_of(row, name)
        identity = (result["signature"], asked.level, asked.statistic, asked.grouping)
        if identity in signatures:
            continue
        signatures.add(identity)
        yield (
            *(row[key] for key in _METRIC_COLUMNS),
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
                *(curve[key] for key in _METRIC_COLUMNS),
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
    return [_table("ranking", "ranking", (*columns, "conditions"), rows, printed)]


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
    return [_table("replication", "replication", columns, rows, printed)]


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
    printed = (*keys[:2], "statistic", *_PRINTED)
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
        _table("raters", "raters", columns, rows, printed),
        _table("raters", "rater-pairs", pair_columns, pairs),
    ]


def _scores(content: Mapping[str, Any]) -> list[FlatTable]:
    columns, matrix = content["columns"], content["matrix"]
    described = [tuple(column[key] for key in _METRIC_COLUMNS) for column in columns]
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
    other = tuple(f"other_{key}" for key in _METRIC_COLUMNS)
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
        _table(
            "scores", "metric-matrix", (*_METRIC_COLUMNS, *other, "value", "n", "signature"), pairs
        ),
        _table(
            "scores",
            "distributions",
            (*_METRIC_COLUMNS, "texts", *counted, *quantiles),
            distributions,
        ),
        _table("scores", "extremes", (*_METRIC_COLUMNS, *facts), extremes),
    ]


def _accuracy(content: Mapping[str, Any]) -> list[FlatTable]:
    rows = (
        (*(row[key] for key in _METRIC_COLUMNS), content["aspect"], name, *result_cells(result))
        for row in content["rows"]
        for name, result in row["results"].items()
    )
    columns = (*_METRIC_COLUMNS, "aspect", "number", *RESULT_COLUMNS)
    printed = ("metric", "compared_to", "number", *_PRINTED)
    return [_table("accuracy", "accuracy", columns, rows, printed)]


def _comparison(content: Mapping[str, Any]) -> list[FlatTable]:
    metrics = content["metrics"]
    described = [tuple(metric[key] for key in _METRIC_COLUMNS) for metric in metrics]
    other = tuple(f"other_{key}" for key in _METRIC_COLUMNS)
    places = ("best", "worst", "cluster")
    rows = (
        (*described[index], *(metric[key] for key in places), *result_cells(metric["result"]))
        for index, metric in enumerate(metrics)
    )
    pairs = (
        (*described[pair["first"]], *described[pair["second"]], *cells)
        for pair in content["pairs"]
        for cells in pair_tests(pair)
    )
    printed = ("metric", "compared_to", "other_metric", "other_compared_to", "test")
    return [
        _table(
            "comparison",
            "metrics",
            (*_METRIC_COLUMNS, *places, *RESULT_COLUMNS),
            rows,
            ("metric", "compared_to", *places, "value", "low", "high", "n"),
        ),
        _table(
            "comparison",
            "pairs",
            (*_METRIC_COLUMNS, *other, *PAIR_COLUMNS, *RESULT_COLUMNS),
            pairs,
            (*printed, "value", "low", "high", "p_value", "holm"),
        ),
    ]


def _system_comparison(content: Mapping[str, Any]) -> list[FlatTable]:
    kind = "system-comparison"
    names = [entry["system"] for entry in content["systems"]]
    places = ("best", "worst", "cluster")
    systems = (
        (entry["system"], entry["human"], *(entry[key] for key in places), *cells)
        for entry in content["systems"]
        for cells in (result_cells(entry["result"]), result_cells(entry["other"]))
    )
    pairs = (
        (content["aspect"], names[pair["first"]], names[pair["second"]], *cells)
        for pair in content["pairs"]
        for cells in pair_tests(pair)
    )
    strengths = (
        (entry["aspect"], row["system"], *result_cells(row["result"]))
        for entry in content["strengths"]
        for row in entry["systems"]
    )
    return [
        _table(kind, "systems", ("system", "human_written", *places, *RESULT_COLUMNS), systems),
        _table(
            kind,
            "pairs",
            ("aspect", "system", "other_system", *PAIR_COLUMNS, *RESULT_COLUMNS),
            pairs,
            ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
        ),
        _table(kind, "strengths", ("aspect", "system", *RESULT_COLUMNS), strengths),
    ]


def pair_tests(pair: Mapping[str, Any]) -> Iterable[Row]:
    """Yield the cells of one pair under `PAIR_COLUMNS` and `RESULT_COLUMNS`, one row a test."""
    for test, result in pair["tests"].items():
        adjusted = pair["adjusted"][test]
        yield (test, adjusted["holm"], adjusted["benjamini-hochberg"], *result_cells(result))


_MAKERS: dict[str, Callable[[Mapping[str, Any]], list[FlatTable]]] = {
    "agreement": _agreement,
    "raters": _raters,
    "correlation": _correlation,
    "accuracy": _accuracy,
    "comparison": _comparison,
    "ranking": _ranking,
    "system-comparison": _system_comparison,
    "scores": _scores,
    "replication": _replication,
}
