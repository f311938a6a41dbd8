"""Questions about keys that repeat, with equal, nearly equal or different content."""

from collections.abc import Iterator
from typing import Any

from corpus.tabular.questions.question import KEEP, Change, Question, Results, ask, plural

_TABLES = {
    "segments": (["segment"], ["source", "source_style", "target_style"]),
    "systems": (["system"], ["human"]),
    "outputs": (["segment", "system", "variant"], ["output"]),
}
"""Keys and texts; references are collected, and other columns are attributes."""
_KEEP = (KEEP, "Keep them: the import refuses what repeats")
_VARIANTS: tuple[Change, ...] = (
    ("ALTER TABLE results.outputs ADD COLUMN IF NOT EXISTS variant BIGINT",),
    (
        """UPDATE results.outputs SET variant = number FROM (
               SELECT place, row_number() OVER (PARTITION BY segment, system ORDER BY place)
                   AS number FROM outputs)
           WHERE outputs.rowid = place""",
    ),
)
_COLLECT = """
    UPDATE results.segments SET reference = texts FROM (
        SELECT segment AS key, list(text ORDER BY place) AS texts FROM (
            SELECT segment, text, min(rowid) AS place
            FROM (SELECT segment, rowid, unnest(reference) AS text FROM results.segments)
            GROUP BY ALL) GROUP BY 1)
    WHERE segment = key"""


def without_repeats(results: Results) -> None:
    """Keep the first of segments, systems and outputs that are the same in all that is read."""
    for table, _keys in _repeating(results):
        results.rows(*_once(table, ", ".join(results.fields(table))))


def _repeating(results: Results) -> Iterator[tuple[str, list[str]]]:
    """Yield tables of texts in which keys repeat, with the columns of the keys."""
    for table, (names, _) in _TABLES.items():
        keys = [name for name in names if results.has(table, name)]
        listed = f"SELECT {', '.join(keys)} FROM results.{table} GROUP BY ALL"
        if keys and results.rows(f"{listed} HAVING count(*) > 1 LIMIT 1"):
            yield table, keys


def _once(table: str, key: str) -> Change:
    first = f"SELECT min(rowid) FROM results.{table} GROUP BY {key}"
    return (f"DELETE FROM results.{table} WHERE rowid NOT IN ({first})",)


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
        alike, lines, single, changes = True, [], [], list[Change]()
        for column in results.fields(table, *keys):
            [(different, unlike)] = results.rows(
                f"""SELECT count(*) FILTER (texts > 1), count(*) FILTER (plain > 1) FROM (
                        SELECT count(DISTINCT {column}) AS texts,
                               count(DISTINCT clean({column})) AS plain
                        FROM results.{table} GROUP BY {", ".join(keys)})"""
            )
            is_text = column.strip('"') in _TABLES[table][1]
            if different:
                lines.append(f"{column} differs for {plural(different, table.removesuffix('s'))}")
                alike = alike and not (is_text and unlike)
            if column == '"reference"':
                changes.append((_COLLECT,))
            elif different and not is_text:
                changes.append((f"ALTER TABLE results.{table} DROP COLUMN {column}",))
            else:
                single.append(column)
        changes += [_first(table, keys, single)] if single else []
        label = "Take each once: its first text, all references, without other columns that differ"
        answers: list[tuple[Any, ...]] = [("once", label, *changes), _KEEP]
        likely = "once" if alike else KEEP
        if not alike and table == "outputs":
            answers.insert(0, ("variants", "Number the texts as variants", *_VARIANTS))
            is_rated = results.has("ratings") or results.has("metric_scores")
            likely = KEEP if is_rated else "variants"
        yield ask(
            f"repeated:{table}",
            f"Several rows describe one {table.removesuffix('s')}, and their texts "
            + ("are equal but for white space or Unicode form." if alike else "differ."),
            lines,
            *answers,
            preset=likely,
        )


def repeated_scores(results: Results) -> Iterator[Question]:
    """Ask about scores of metrics that repeat; metric by metric, because there are millions."""
    if not results.has("metric_scores", "metric", "score"):
        return
    key = ", ".join(results.fields("metric_scores", "score", "metric", "missing_because"))
    found, is_equal = [], True
    for (metric,) in results.rows("SELECT name FROM names WHERE key = 'metric'"):
        [(repeated, unlike)] = results.rows(
            f"""SELECT count(*), count(*) FILTER (low <> high)
                FROM (SELECT min(score) AS low, max(score) AS high FROM results.metric_scores
                      WHERE metric = ? GROUP BY {key} HAVING count(*) > 1)""",
            metric,
        )
        found += [f"{metric}: {plural(repeated, 'output')}"] if repeated else []
        is_equal = is_equal and not unlike
    if found:
        yield ask(
            f"{'equal-repeats' if is_equal else 'scores-differ'}:metric_scores",
            "Outputs have several scores of one metric"
            + (", which are equal." if is_equal else ". Is a column not mapped that differs?"),
            found,
            ("first", "Take the first of each", _once("metric_scores", f"metric, {key}")),
            _KEEP,
            preset="" if is_equal else KEEP,
        )
