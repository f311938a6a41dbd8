"""Tables that hold several texts or keys in a row, recognised by the names of their columns."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from corpus.tabular.guesses.columns import canonical
from corpus.tabular.shaping.mapping import EXPRESSION, key_made_of
from corpus.tabular.shaping.mapping import Mapping as Choices
from corpus.tabular.sql import ROW, literal, quoted, table_name

ByName = Callable[[Sequence[str]], Sequence[Choices]]
"""Recognises what further columns hold."""
_SIDES = (("a", "b"), ("1", "2"), ("left", "right"))
_OUTPUTS = (
    *("output", "response", "completion", "answer", "text", "hypothesis", "translation", "summary"),
    *("candidate", "generation", "reply", "conversation", "rewrite", "story", "out"),
)
_SYSTEMS = ("system", "model", "generator", "sys")
_SOURCES = ("source", "prompt", "instruction", "input", "question", "src")
_ITEM = ("system", "score")
_TURN = re.compile(r"\[\]\.(role|content|from|value|speaker|text)$")
_BEST, _WORST = ("best", "bestitem", "most"), ("worst", "worstitem", "least")
_APPEN = ("_unit_id", "_worker_id", "_golden", "_trust")


def known_shape(columns: Sequence[str], file: str, by_name: ByName) -> list[Choices]:
    """Return how a table of a known shape is read; nothing if it has none.

    Parameters
    ----------
    columns, file
        Names of the columns, and of the file.
    by_name
        Recognises the tables of columns; asked without those that the shape explains.
    """
    shapes = (_arena, _tuples, _crowd_batch)
    return next(filter(None, (shape(columns, file, by_name) for shape in shapes)), [])


def _arena(columns: Sequence[str], file: str, by_name: ByName) -> list[Choices]:
    """Two systems and their two outputs in a row, with who won: outputs, and votes."""
    turns = {_TURN.sub("", name) for name in columns if _TURN.search(name)}
    plain = {canonical(name): name for name in [*turns, *columns]}
    pairs = [
        (systems, outputs)
        for sides in _SIDES
        if (systems := _pair(plain, _SYSTEMS, sides)) and (outputs := _pair(plain, _OUTPUTS, sides))
    ]
    if not pairs:
        return []
    systems, outputs = pairs[0]
    are_turns = set(outputs) <= turns
    rest = [name for name in columns if name.partition("[]")[0] not in outputs]
    source = _first({n: column for n, column in plain.items() if column in rest}, _SOURCES)
    # Under the name of a source a text gives keys to segments that have none.
    named = by_name(["source" if name == source else name for name in rest])
    others = [_with_source(each, source) for each in named if each.table != "outputs"]
    votes = next((each for each in others if each.table == "ratings"), None)
    if votes is None:
        return []
    key = _keys(votes).get("segment", f"key({quoted(source)})")
    if are_turns:
        others = [each for each in others if each.table != "segments"]
        first = _turn(outputs[0], columns, "user")
        others.append(_distinct("segments", file, [f"{key} AS segment, {first} AS source"]))
    elif source and all(each.table != "segments" for each in others):
        read = {"segment": votes.columns.get("segment", key_made_of(source)), "source": source}
        others.insert(0, Choices("segments", read, distinct=True))
    sides_read = [
        f"{key} AS segment, {quoted(system)} AS system, "
        f"{_turn(output, columns, 'assistant') if are_turns else quoted(output)} AS output"
        for system, output in zip(systems, outputs, strict=True)
    ]
    return [*others, _distinct("outputs", file, sides_read)]


def _with_source(mapping: Choices, source: str) -> Choices:
    """Return a mapping of a table whose source was called so, with its name in the file."""
    made, own = key_made_of("source"), {"source": source}
    columns = {
        name: key_made_of(source) if column == made else own.get(column, column)
        for name, column in mapping.columns.items()
    }
    return replace(mapping, columns=columns, attributes=())


def _keys(votes: Choices) -> dict[str, str]:
    """Return SQL for the fields of votes that columns give."""
    return {
        name: column.removeprefix(EXPRESSION) if column.startswith(EXPRESSION) else quoted(column)
        for name, column in votes.columns.items()
    }


def _first(plain: Mapping[str, str], names: Sequence[str]) -> str:
    """Return the column that has the first of some names."""
    return next((plain[name] for name in names if name in plain), "")


def _pair(plain: Mapping[str, str], stems: Sequence[str], sides: tuple[str, str]) -> list[str]:
    """Return the columns of both sides that one stem names."""
    orders = ("{0}{1}", "{1}{0}")
    names = ([order.format(stem, side) for side in sides] for stem in stems for order in orders)
    return next(([plain[n] for n in pair] for pair in names if {*pair} <= plain.keys()), [])


def _turn(column: str, columns: Sequence[str], role: str) -> str:
    """Return SQL for the first turn of a user, or the last one of an assistant."""
    known = ("role", "content"), ("from", "value"), ("speaker", "text")
    who, what = next(pair for pair in known if f"{column}[].{pair[0]}" in columns)
    names = "('user', 'human')" if role == "user" else "('assistant', 'gpt', 'model', 'bot')"
    turns = f"list_filter({quoted(column)}, lambda _turn: _turn.{quoted(who)} IN {names})"
    return f"{turns}[{1 if role == 'user' else -1}].{quoted(what)}"


def _distinct(table: str, file: str, selected: Sequence[str]) -> Choices:
    """Return a query for records that rows repeat."""
    union = "\n    UNION ALL ".join(
        f"SELECT {ROW}, {each} FROM {table_name(file)}" for each in selected
    )
    return Choices(
        table,
        query=f"SELECT min({ROW}) AS {ROW}, * EXCLUDE ({ROW})\n"
        f"FROM (\n    {union}\n)\nGROUP BY ALL\nORDER BY {ROW}",
    )


def _tuples(columns: Sequence[str], file: str, by_name: ByName) -> list[Choices]:
    """Several items in a row of which one is the best and one the worst: a rating of each."""
    plain = {canonical(name): name for name in columns}
    best, worst = (_first(plain, names) for names in (_BEST, _WORST))
    families: dict[str, list[str]] = {}
    for name in columns:
        if found := re.fullmatch(r"(\D+?)[\W_]*(\d+|[a-f])", name.strip().lower()):
            families.setdefault(found[1], []).append(name)
    items = max(families.values(), key=len, default=[])
    if not (best and worst and len(items) > 2):
        return []
    rest = [name for name in columns if name not in (*items, best, worst)]
    read = by_name([*rest, *_ITEM])
    votes = next((each for each in read if each.table == "ratings"), None)
    if votes is None or "segment" not in votes.given:
        return []
    keys = {"aspect": literal("overall"), **_keys(votes), "task": literal("best_worst")}
    given = ", ".join(f"{sql} AS {name}" for name, sql in keys.items() if name not in _ITEM)
    cells = []
    for number, item in enumerate(items, 1):
        chosen = f"IN ({quoted(item)}, {literal(item)}, '{number}')"
        score = f"CASE WHEN {quoted(best)} {chosen} THEN 1 WHEN {quoted(worst)} {chosen} THEN -1 "
        cells.append(f"{{system: {quoted(item)}, score: {score}ELSE 0 END}}")
    listed = ",\n        ".join(cells)
    query = (
        f"SELECT {ROW}, {given},\n    unnest([\n        {listed}\n    ], recursive := true)\n"
        f"FROM {table_name(file)}"
    )
    texts = [replace(each, distinct=True) for each in by_name(rest) if each.table == "segments"]
    return [*texts, Choices("ratings", query=query)]


def _crowd_batch(columns: Sequence[str], file: str, by_name: ByName) -> list[Choices]:
    """Judgements with columns of the tool's own: rows of test questions are left out."""
    if not set(_APPEN) <= set(columns):
        return []
    own = [name for name in columns if name.startswith("_") and name != "_worker_id"]
    gold = [name for name in columns if re.search(r"_gold(_reason)?$", name)]
    kept = [name for name in columns if name not in (*own, *gold)]
    where = "lower(_golden) NOT IN ('true', '1')"
    return [replace(each, where=where, attributes=()) for each in by_name(kept)]
