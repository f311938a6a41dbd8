"""Questions about rows: those that may not count, and keys of segments that number rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from corpus.tabular.database import literal, quoted
from corpus.tabular.questions.question import (
    KEEP,
    Change,
    Question,
    Results,
    ask,
    plural,
    records,
)

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_STATUS = r"\b(status|state|channel|decision|review)\b"
_GOOD = (
    r"\b(finish(ed)?|completed?|approved?|accept(ed)?|valid|passed|included?|eligible|submitted|"
    r"consent)\b"
)
_BAD = (
    r"\b(reject(ed|ion)?|excluded?|discard(ed)?|cancell?ed|skip(ped)?|preview|fail(ed)?|spam|"
    r"flagged|tainted|golden|practice|tutorial|training|returned|invalid|incomplete)\b"
)
_CHECK = r"\b(attention|attn|instructed|imc|catch|trap)\b"
_NO = ("false", "f", "no", "n", "0", "fail", "failed", "incorrect", "wrong", "incomplete")
_YES = ("true", "t", "yes", "y", "1", "x")
_DOES_NOT_COUNT = (
    r"\W*(rejected|returned?|timed?[ _-]?out|incomplete|partial|in[ _-]progress|abandoned|"
    r"(survey[ _-])?(preview|test)|spam|screened[ _-]?out|fail(ed)?([ _].*)?|discarded|excluded|"
    r"invalid|cancell?ed|skipped|withdrawn|revoked|expired|draft|not[ _-](complete|approved).*)\W*"
)


_SUMMARY = (
    *("mean", "average", "avg", "total", "sum", "median", "std", "sd", "stdev", "std dev", "n"),
    *("standard deviation", "count", "minimum", "maximum", "min", "max", "overall", "grand total"),
)
_REQUIRED = {"segment": ("segments", "outputs", "ratings"), "system": ("outputs", "ratings")}
"""Keys that records of these tables need."""


def no_records(results: Results) -> Iterator[Question]:
    """Ask about rows that are no records: summaries at the end, repeated names, without a key."""
    sources = dict.fromkeys(name for names in results.sources.values() for name in names)
    for source in sources:
        tables = [table for table, files in results.sources.items() if source in files]
        named = _named(results, source)
        keyless, summary, last, total = set[int](), set[int](), 0, 0
        for table in (each for each in tables if results.has(each, "_row")):
            of_source = f"FROM results.{table} WHERE {results.text(table, '_file')} IN ('', ?)"
            needed = [key for key, all_ in _REQUIRED.items() if table in all_]
            no_key = _any(f"{results.text(table, k)} = ''" for k in needed if results.has(table, k))
            names = [k for k in ("segment", "system", "rater") if results.has(table, k)]
            sums_up = _any(
                f"trim(lower({results.text(table, k)}), ' :*') IN {_SUMMARY}" for k in names
            )
            odd = f"SELECT _row, {no_key}, {sums_up} {of_source} AND ({no_key} OR {sums_up})"
            for row, has_no_key, _ in results.rows(odd, source):
                (keyless if has_no_key else summary).add(row)
            highest = (
                f"SELECT max(_row), max(_row) FILTER (NOT ({no_key} OR {sums_up})) {of_source}"
            )
            ends = results.rows(highest, source)[0] if keyless | summary | named else (0, 0)
            total, last = max(total, ends[0] or 0), max(last, ends[1] or 0)
        found = {
            "names of columns again": named,
            "no key": keyless,
            "a summary": {row for row in summary if row > last},
        }
        all_ = sorted(set[int]().union(*found.values()))
        if all_ and 3 * len(all_) <= total:
            yield _left_out(results, tables, source, found, all_)


def _any(conditions: Iterable[str]) -> str:
    return f"({' OR '.join(conditions) or 'false'})"


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


def _left_out(
    results: Results, tables: list[str], source: str, found: dict[str, set[int]], rows: list[int]
) -> Question:
    changes: list[Change] = []
    for table in tables:
        where = f"{results.text(table, '_file')} IN ('', ?) AND list_contains(?, _row)"
        changes.append((f"DELETE FROM results.{table} WHERE {where}", source, rows))
    return ask(
        *("no-records", "rows", source if len(results.sources) > 1 else ""),
        f"{source}: {plural(len(rows), 'row')} may be no record.",
        [
            f"{kind}: row{'s' * (len(odd) > 1)} {', '.join(map(str, sorted(odd)[:9]))}"
            for kind, odd in found.items()
            if odd
        ],
        ("leave-out", "Leave them out", *changes),
        (KEEP, "Keep them"),
    )


def rows_not_counted(results: Results) -> Iterator[Question]:
    """Ask about ratings whose rows say that they were rejected, returned, not finished, …."""
    sources, has_file = results.sources.get("ratings", ()), results.has("ratings", "_file")
    if not results.rated() or (len(sources) > 1 and not has_file):
        return
    for source in sources:
        asked: set[int] = set()
        for column in results.files.get(source, ()):
            condition = _condition(results, source, column)
            found = _found(results, source, column, condition) if condition else []
            rows = {row for *_, some, _ in found for row in some}
            if rows <= asked or all(is_answer for *_, is_answer in found):
                continue
            asked |= rows
            count = sum(n for _, n, *_ in found)
            where = f"WHERE {results.text('ratings', '_file')} IN ('', ?)"
            total = results.rows(f"SELECT count(*) FROM results.ratings {where}", source)[0][0]
            change = (
                f"DELETE FROM results.ratings {where} AND _row IN "
                f"(SELECT _row FROM files.{quoted(source)} WHERE {condition})"
            )
            answers = [
                ("leave-out", "Leave these ratings out", (change, source)),
                (KEEP, "Keep them: they count"),
            ]
            where_found = f"{column}-{source}" if len(sources) > 1 else column
            yield ask(
                *("rows-not-counted", "ratings", where_found),
                f"{count:,} of {plural(total, 'rating')} are from {plural(len(rows), 'row')} of "
                f"{source} that may not count: see the column {column}.",
                records(found, "rating"),
                *(answers if 2 * count <= total else answers[::-1]),
            )


def _condition(results: Results, source: str, column: str) -> str:
    """Return SQL for values of a column that say that a row does not count; empty if none can."""
    value, words = f"lower(trim({quoted(column)}))", " ".join(_WORDS.findall(column)).lower()
    if re.search(_CHECK, words):
        counted = f"SELECT {value} AS v, count(*) AS n FROM files.{quoted(source)} GROUP BY 1"
        shares = results.rows(
            f"SELECT v, n / sum(n) OVER () FROM ({counted}) WHERE v <> '' ORDER BY n DESC LIMIT 1"
        )
        for most, share in shares:
            expected = most.replace("'", "''")
            return f"{value} NOT IN ('', '{expected}')" if share >= 0.6 else f"{value} IN {_NO}"
    rules = [
        (f"{_STATUS}|{_GOOD}|{_BAD}", f"regexp_full_match({value}, '{_DOES_NOT_COUNT}')"),
        (_GOOD, f"{value} IN {_NO}"),
        (_BAD, f"{value} IN {_YES}"),
        (r"\breject(ion)?\b", f"{value} NOT IN {('', *_NO)}"),
        (r"\bprogress\b", f"TRY_CAST({value} AS DOUBLE) < 100"),
        (r"\bsubmitdate\b", f"{value} = ''"),
    ]
    conditions = [condition for pattern, condition in rules if re.search(pattern, words)]
    return f"({' OR '.join(conditions)})" if conditions else ""


def _found(
    results: Results, source: str, column: str, condition: str
) -> list[tuple[str, int, list[int], bool]]:
    """Return values that do not count, with ratings, rows, and whether the value is the answer."""
    return results.rows(
        f"""SELECT value, sum(n)::BIGINT, list(_row::BIGINT), bool_and(is_answer) FROM (
                SELECT value, _row, count(*) AS n,
                       bool_or(nullif(value, '') = answer OR TRY_CAST(value AS DOUBLE) = number)
                           AS is_answer
                FROM rated JOIN (SELECT _row::VARCHAR AS _row, {quoted(column)} AS value
                                 FROM files.{quoted(source)} WHERE {condition}) USING (_row)
                WHERE _file IN ('', ?) GROUP BY ALL)
            GROUP BY 1 ORDER BY 2 DESC""",
        source,
    )


def row_numbers(results: Results) -> Iterator[Question]:
    """Ask about keys of segments that number rows or tasks.

    Keys of equal sources and styles have fewer systems each than they have together; without
    sources, each segment has one of several systems.
    """
    places = [
        f"SELECT segment, {column} AS system FROM results.{table}"
        for table, column in results.places("system")
        if table in ("outputs", "ratings") and results.has(table, "segment")
    ]
    if not places:
        return
    has_sources = results.has("segments", "segment", "source")
    keys = _keys(results) if has_sources else "SELECT segment, 0 AS key FROM counted"
    [(segments, highest, sources, repeated, parted, systems)] = results.rows(
        f"""WITH units AS (SELECT DISTINCT segment, system FROM ({" UNION ALL ".join(places)})
                           WHERE system NOT IN ('', '(source)', '(reference)')),
                 counted AS (SELECT segment, count(*) AS n FROM units GROUP BY 1),
                 grouped AS (
                    SELECT key, count(DISTINCT segment) AS segments, max(n) AS highest,
                           count(DISTINCT system) AS systems
                    FROM units JOIN counted USING (segment) JOIN ({keys}) USING (segment)
                    GROUP BY key)
            SELECT sum(segments), max(highest), count(*), count(*) FILTER (segments > 1),
                   count(*) FILTER (segments > 1 AND systems > highest),
                   (SELECT count(DISTINCT system) FROM units) FROM grouped"""
    )
    keep = (KEEP, "No: keep the segments as they are")
    by_source = ("source", "Yes: one segment for each source", *_keyed_by_source(results))
    if has_sources and repeated and 2 * repeated >= sources and 2 * parted >= repeated:
        answers = [by_source, keep]
    elif not has_sources and highest == 1 < systems < segments:
        answers = [keep]
    else:
        return
    yield ask(
        *("row-numbers", "segments", ""),
        f"{plural(segments, 'segment')} have at most {highest} of {plural(systems, 'system')} "
        "each. Do their keys number rows or tasks? If a column names source sentences, map it to "
        "segment.",
        [plural(sources, "different source")] if has_sources else (),
        *answers,
    )


def _keys(results: Results) -> str:
    """Return a query for keys made from sources, with the styles where a source has several."""
    styles = [results.text("segments", name) for name in ("source_style", "target_style")]
    columns = ", ".join(styles)
    return f"""SELECT segment, left(sha256(source), 12) || if(
            count(DISTINCT ({columns})) OVER (PARTITION BY source) > 1,
            ':' || concat_ws(':', {columns}), '') AS key
        FROM results.segments WHERE source <> ''"""


def _keyed_by_source(results: Results) -> list[Change]:
    keys = f"SELECT segment AS old, any_value(key) AS key FROM ({_keys(results)}) GROUP BY 1"
    updates = [
        f"UPDATE results.{table} SET segment = key FROM keyed_by_source WHERE {table}.segment = old"
        for table, _ in results.places("segment")
    ]
    begin = f"CREATE OR REPLACE TEMP TABLE keyed_by_source AS {keys}"
    return [(each,) for each in (begin, *updates, "DROP TABLE keyed_by_source")]
