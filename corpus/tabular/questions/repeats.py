"""Questions about keys that repeat, with equal, nearly equal or different content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corpus.tabular.questions.question import CLEAN, KEEP, Change, Question, Results, ask, plural

_TABLES = {
    "segments": (["segment"], ["source", "source_style", "target_style"]),
    "systems": (["system"], ["human"]),
    "outputs": (["segment", "system", "variant"], ["output"]),
}
"""Keys and texts; references are collected, and other columns are attributes."""
_UNIT = (
    "segment, system, against, rater, aspect, task, campaign, rater_kind, variant, "
    "against_variant, item_kind, occasion"
)
_KEEP = (KEEP, "Keep them: the import refuses what repeats")


def without_repeats(results: Results) -> None:
    """Keep the first of segments, systems and outputs that are the same in all that is read."""
    for table, _keys in _repeating(results):
        results.rows(*_once(table, ", ".join(results.fields(table))))


def _repeating(results: Results) -> Iterator[tuple[str, list[str]]]:
    """Yield tables of texts in which keys repeat, with the columns of the keys."""
    for table, (names, _) in _TABLES.items():
        keys = [name for name in names if results.has(table, name)]
        repeated = f"SELECT 1 FROM results.{table} GROUP BY ALL HAVING count(*) > 1 LIMIT 1"
        if keys and results.rows(repeated.replace("1 FROM", f"{', '.join(keys)} FROM")):
            yield table, keys


def _once(table: str, key: str) -> Change:
    first = f"SELECT min(rowid) FROM results.{table} GROUP BY {key}"
    return (f"DELETE FROM results.{table} WHERE rowid NOT IN ({first})",)


def _numbered(table: str, column: str, key: str, rows: str) -> list[Change]:
    return [
        (f"ALTER TABLE results.{table} ADD COLUMN IF NOT EXISTS {column} BIGINT",),
        (
            f"""UPDATE results.{table} SET {column} = number FROM (
                    SELECT place, row_number() OVER (PARTITION BY {key} ORDER BY place) AS number
                    FROM {rows})
                WHERE {table}.rowid = place""",
        ),
    ]


def _first(table: str, keys: list[str], names: list[str]) -> Change:
    """Return a statement that gives all rows of a key the first value of each column."""
    values = ", ".join(f"any_value({name} ORDER BY rowid) AS {name}" for name in names)
    same = " AND ".join(f"{table}.{key} IS NOT DISTINCT FROM found.{key}" for key in keys)
    key = ", ".join(keys)
    return (
        f"UPDATE results.{table} SET {', '.join(f'{name} = found.{name}' for name in names)} FROM "
        f"(SELECT {key}, {values} FROM results.{table} GROUP BY {key}) found WHERE {same}",
    )


def repeated_texts(results: Results) -> Iterator[Question]:
    """Ask about segments, systems and outputs that differ under one key."""
    for table, keys in _repeating(results):
        noun, alike, lines, attributes = table.removesuffix("s"), True, [], []
        columns = results.fields(table, *keys)
        texts = [name for name in _TABLES[table][1] if results.has(table, name)]
        for column in columns:
            [(different, unlike)] = results.rows(
                f"""SELECT count(*) FILTER (texts > 1), count(*) FILTER (folded > 1) FROM (
                        SELECT count(DISTINCT {column}) AS texts,
                               count(DISTINCT {CLEAN.format(column)}) AS folded
                        FROM results.{table} GROUP BY {", ".join(keys)})"""
            )
            if different:
                lines.append(f"{column} differs for {plural(different, noun)}")
                is_text = column.strip('"') in texts
                alike = alike and not (is_text and unlike)
                if not is_text and column != '"reference"':
                    attributes.append(column)
        changes = [(f"ALTER TABLE results.{table} DROP COLUMN {name}",) for name in attributes]
        single = [name for name in columns if name not in (*attributes, '"reference"')]
        changes += [_first(table, keys, single)] if single else []
        changes += [(_COLLECT,)] if '"reference"' in columns else []
        label = "Take each once: its first text, all references, without other columns that differ"
        answers: list[tuple[Any, ...]] = [("once", label, *changes), _KEEP]
        if not alike and table == "outputs":
            placed = "(SELECT *, rowid AS place FROM results.outputs)"
            variants = _numbered("outputs", "variant", "segment, system", placed)
            answers.insert(0, ("variants", "Number the texts as variants", *variants))
        is_rated = results.has("ratings") or results.has("metric_scores")
        likely = "once" if alike else "variants" if table == "outputs" and not is_rated else KEEP
        yield ask(
            *("repeated", table, ""),
            f"Several rows describe one {noun}, and their texts "
            + ("are equal but for white space or Unicode form." if alike else "differ."),
            lines,
            *sorted(answers, key=lambda answer: answer[0] != likely),
        )


_COLLECT = """
    UPDATE results.segments SET reference = texts FROM (
        SELECT segment AS key, list(text ORDER BY place) AS texts FROM (
            SELECT segment, text, min(rowid) AS place
            FROM (SELECT segment, rowid, unnest(reference) AS text FROM results.segments)
            GROUP BY ALL) GROUP BY 1)
    WHERE segment = key"""


def repeated_ratings(results: Results) -> Iterator[Question]:
    """Ask about ratings that repeat, with equal or different answers, by somebody or nobody."""
    if not results.rated():
        return
    digest = f"hash({_UNIT}, revision)"  # Keys of millions of ratings take much memory.
    is_named = "(rater <> '' OR rater_count <> '')"
    found = results.rows(
        f"""SELECT CASE WHEN NOT named THEN 'unnamed' WHEN differs THEN 'changed' ELSE 'equal' END,
                   count(*), sum(n)::BIGINT
            FROM (SELECT bool_or({is_named}) AS named, count(*) AS n,
                         min(answer) <> max(answer) AS differs
                  FROM rated WHERE {digest} IN (
                      SELECT {digest} FROM rated GROUP BY ALL HAVING count(*) > 1)
                  GROUP BY {_UNIT}, revision HAVING count(*) > 1)
            GROUP BY ALL ORDER BY 1 DESC"""
    )
    later = f"""DELETE FROM results.ratings WHERE rowid IN (
        SELECT place FROM (SELECT place, row_number() OVER (
            PARTITION BY {_UNIT}, revision{{0}} ORDER BY place) AS n FROM rated WHERE {{1}})
        WHERE n > 1)"""
    last = _numbered("ratings", "revision", _UNIT, f"rated WHERE {is_named}")
    label = "The first one counts"
    answers: dict[str, list[tuple[Any, ...]]] = {
        "unnamed": [
            ("several", "Several unnamed raters gave them"),
            ("first", label, (later.format("", f"NOT {is_named}"),)),
        ],
        "equal": [("once", "Take them once", (later.format(", answer", is_named),))],
        "changed": [
            ("revisions", "The last one counts", *last),
            ("first", label, (later.format("", is_named),)),
        ],
    }
    texts = {
        "unnamed": "Nothing says who rated, and outputs have several ratings on one aspect",
        "changed": "A rater gave several answers on the same output and aspect",
        "equal": "Ratings repeat, with equal answers",
    }
    for kind, units, rows in found:
        text = f"{texts[kind]}: {plural(units, 'output')}, {plural(rows, 'rating')}."
        yield ask(f"{kind}-repeats", "ratings", "", text, (), *answers[kind], _KEEP)


def repeated_scores(results: Results) -> Iterator[Question]:
    """Ask about scores of metrics that repeat; metric by metric, because there are millions."""
    if not results.has("metric_scores", "metric", "score"):
        return
    key = ", ".join(results.fields("metric_scores", "score", "metric", "missing_because"))
    found = []
    for metric, _ in results.rows(results.counted("metric") + " ORDER BY name"):
        [(repeated, unlike)] = results.rows(
            f"""SELECT count(*), count(*) FILTER (low <> high)
                FROM (SELECT min(score) AS low, max(score) AS high FROM results.metric_scores
                      WHERE metric = ? GROUP BY {key} HAVING count(*) > 1)""",
            metric,
        )
        if repeated:
            found.append((metric, repeated, unlike))
    if found:
        is_equal = not any(unlike for *_, unlike in found)
        first = ("first", "Take the first of each", _once("metric_scores", f"metric, {key}"))
        yield ask(
            *("equal-repeats" if is_equal else "scores-differ", "metric_scores", ""),
            "Outputs have several scores of one metric"
            + (", which are equal." if is_equal else ". Is a column not mapped that differs?"),
            [f"{metric}: {plural(repeated, 'output')}" for metric, repeated, _ in found],
            *((first, _KEEP) if is_equal else (_KEEP, first)),
        )
