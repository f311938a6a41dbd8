"""Questions about rows: those that may not count, and keys of segments that number rows."""

import re
from collections.abc import Iterator

from corpus.tabular.questions.question import (
    KEEP,
    Question,
    Results,
    ask,
    left_out,
    plural,
    records,
)
from corpus.tabular.sql import literal, quoted

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_FOUND = """
    SELECT value, sum(n)::BIGINT, list(_row), bool_and(is_answer) FROM (
        SELECT value, _row, count(*) AS n,
               bool_or(nullif(value, '') = answer OR TRY_CAST(value AS DOUBLE) = number)
                   AS is_answer
        FROM rated JOIN (SELECT _row, {} AS value {}) USING (_row)
        WHERE _file IN ('', ?) GROUP BY ALL)
    GROUP BY 1 ORDER BY 2 DESC"""
"""Values that do not count, with ratings, rows, and whether the value is the answer."""


def no_records(results: Results) -> Iterator[Question]:
    """Ask about rows that are no records: summaries at the end, repeated names, without a key."""
    for source in dict.fromkeys(name for names in results.sources.values() for name in names):
        tables = [table for table, files in results.sources.items() if source in files]
        listed = ", ".join(map(literal, tables))
        [(total, last, keyless, summary)] = results.rows(
            f"""SELECT max(_row), max(_row) FILTER (NOT (no_key OR sums)),
                       list(_row) FILTER (no_key), list(_row) FILTER (sums AND NOT no_key)
                FROM odd_records WHERE tab IN ({listed}) AND _file IN ('', ?)""",
            source,
        )
        found = {
            "names of columns again": _named(results, source),
            "no key": {*(keyless or ())},
            "a summary": {row for row in summary or () if row > (last or 0)},
        }
        rows = sorted(set[int]().union(*found.values()))
        if rows and 3 * len(rows) <= (total or 0):
            where = "_file IN ('', ?) AND list_contains(?, _row)"
            yield ask(
                f"no-records:rows:{source if len(results.sources) > 1 else ''}",
                f"{source}: {plural(len(rows), 'row')} may be no record.",
                [
                    f"{kind}: row{'s' * (len(odd) > 1)} {', '.join(map(str, sorted(odd)[:9]))}"
                    for kind, odd in found.items()
                    if odd
                ],
                (
                    "leave-out",
                    "Leave them out",
                    *(left_out(t, where, source, rows) for t in tables),
                ),
                (KEEP, "Keep them"),
            )


def _named(results: Results, source: str) -> set[int]:
    """Return the rows of a file that hold the names of its columns again."""
    columns = results.files.get(source, ())
    if len(columns) < 2:
        return set()
    same = " + ".join(
        f"({quoted(name)} IS NOT DISTINCT FROM {literal(name)})::INT" for name in columns
    )
    query = f"SELECT _row FROM files.{quoted(source)} WHERE {same} > {len(columns) / 2}"
    return {row for (row,) in results.rows(query)}


def rows_not_counted(results: Results) -> Iterator[Question]:
    """Ask about ratings whose rows say that they were rejected, returned, not finished, …."""
    sources, rules = results.sources.get("ratings", ()), dict(results.rows("FROM row_rules"))
    if len(sources) > 1 and not results.has("ratings", "_file"):
        return
    for source in sources:
        asked: set[int] = set()
        for column in results.files.get(source, ()):
            condition = _condition(results, source, column, rules)
            chosen = f"FROM files.{quoted(source)} WHERE {condition}"
            found = results.rows(_FOUND.format(quoted(column), chosen), source) if condition else []
            rows = {row for *_, some, _ in found for row in some}
            if rows <= asked or all(is_answer for *_, is_answer in found):
                continue
            asked |= rows
            count = sum(n for _, n, *_ in found)
            where = "_file IN ('', ?)"
            [(total,)] = results.rows(f"SELECT count(*) FROM ratings WHERE {where}", source)
            where += f" AND _row IN (SELECT _row {chosen})"
            yield ask(
                f"rows-not-counted:ratings:{column}" + f"-{source}" * (len(sources) > 1),
                f"{count:,} of {plural(total, 'rating')}: {plural(len(rows), 'row')} of "
                f"{source} may not count, see the column {column}.",
                records(found, "rating"),
                ("leave-out", "Leave these ratings out", left_out("ratings", where, source)),
                (KEEP, "Keep them: they count"),
                preset="" if 2 * count <= total else KEEP,
            )


def _condition(results: Results, source: str, column: str, rules: dict[str, str]) -> str:
    """Return SQL for values of a column that say that a row does not count; empty if none can."""
    value, words = f"lower(trim({quoted(column)}))", " ".join(_WORDS.findall(column)).lower()
    found = [rule for name, rule in rules.items() if re.search(rf"\b{name}\b", words)]
    if "check" in found:
        counted = f"SELECT {value} AS v, count(*) AS n FROM files.{quoted(source)} GROUP BY 1"
        shares = results.rows(
            f"SELECT v, n / sum(n) OVER () FROM ({counted}) WHERE v <> '' ORDER BY n DESC LIMIT 1"
        )
        for most, share in shares:
            return f"{value} NOT IN ('', {literal(most)})" if share >= 0.6 else f"is_no({value})"
        found.remove("check")
    return f"({' OR '.join(found)})".format(value) if found else ""
