"""Words in cells of numbers and judgements, and what they mean where that is known."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from corpus.tabular.column_contents import is_missing, is_number, kind_of
from corpus.tabular.fields import TableSpec
from corpus.tabular.looking import Look
from corpus.tabular.mapping import Mapping, columns_of
from corpus.tabular.transforming.conditions import Condition

MOST_WORDS = 20
"""More different words are no choice."""
NUMBERS = {
    **dict.fromkeys(("yes", "y", "true", "good", "correct", "acceptable", "pass"), "1"),
    **dict.fromkeys(("no", "n", "false", "bad", "incorrect", "unacceptable", "fail"), "0"),
}
_SIDES = {
    **dict.fromkeys(("win", "won", "wins", "better"), "system"),
    **dict.fromkeys(("loss", "lose", "lost", "loses", "worse"), "(against)"),
}
_AGREEMENT = "strongly disagree|disagree|{}neither agree nor disagree/neither/neutral/undecided|"
_SCALES = (
    _AGREEMENT.format("") + "agree|strongly agree",
    _AGREEMENT.format("somewhat disagree/slightly disagree|")
    + "somewhat agree/slightly agree|agree|strongly agree",
    "very poor/terrible|poor|fair/average/acceptable/okay/neutral|good|very good/excellent",
    "very bad|bad|neutral/average/fair/okay|good|very good",
    "poor|fair|good|very good|excellent",
    "not at all|slightly/a little|moderately/somewhat|very/mostly|extremely/completely",
    "never|rarely|sometimes|often|always",
    "one|two|three|four|five|six|seven|eight|nine|ten",
)
"""Words of scales from 1 on; those between strokes mean the same."""
_LABELLED = re.compile(
    r"\(?([-+]?\d+(?:\.\d+)?)\)?"
    r"(?:\s*%|\s*(?:/|out of|of|von|sur)\s*\d+|\s*[-–—:=.)]?\s*[^\d\s].*)|"
    r"[^\d(]+[-–—:=(\s]\s*([-+]?\d+)\)?"
)
_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+")
_CELL = re.compile(r'\[?\{("\w+":\s*)-?[\d.]+\}\]?')
_NO_ANSWER = frozenset({"skip", "skipped", "n.a.", "no answer", "prefer not to say"})


def words_of(
    mapping: Mapping, spec: TableSpec, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> dict[str, list[str]]:
    """Return by field the words in its cells that are no number, if they are few.

    Parameters
    ----------
    mapping, spec
        How a table is read, and the table.
    columns, rows
        Of the file: names, and some rows as texts.
    """
    found = {}
    for field, used in _used(mapping, spec, columns).items():
        places = [columns.index(name) for name in used]
        cells = list(dict.fromkeys(row[place] for row in rows for place in places))
        words = [c for c in cells if not is_missing(c) and c not in mapping.missing]
        if kind_of(words) in ("name", "text") and len(words) <= MOST_WORDS:
            found[field] = words
    return found


def needs_a_look(
    mapping: Mapping, spec: TableSpec, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> bool:
    """Whether cells of numbers or judgements hold something else, so that all should be seen."""
    used = {name for names in _used(mapping, spec, columns).values() for name in names}
    places = [place for place, name in enumerate(columns) if name in used]
    cells = {row[place] for row in rows for place in places} - {""}
    keys = [columns.index(name) for name in _names_of_records(mapping, spec, columns)]
    is_no_record = any(keys and not any(row[place] for place in keys) for row in rows)
    return is_no_record or any(is_missing(cell) or not is_number(cell) for cell in cells)


def _names_of_records(mapping: Mapping, spec: TableSpec, columns: Collection[str]) -> list[str]:
    """Return the columns of keys and texts."""
    fields = [field.name for field in spec.fields if field.kind in ("key", "text")]
    used = [mapping.columns.get(name) for name in fields]
    return [name for name in used if isinstance(name, str) and name in columns]


def _used(mapping: Mapping, spec: TableSpec, columns: Collection[str]) -> dict[str, list[str]]:
    """Return fields of numbers and judgements with the columns that they are read from."""
    found = {}
    for field in spec.fields:
        if field.kind not in ("number", "integer") and field.name != "judgement":
            continue
        used = columns_of(mapping.columns.get(field.name, ()))
        if mapping.wide and mapping.wide.value == field.name:
            resolved = mapping.resolved(list(columns), spec).wide
            used = resolved.columns if resolved else ()
        if names := [name for name in used if name in columns and field.name not in mapping.take]:
            found[field.name] = names
    return found


def known_meanings(field: str, words: Sequence[str]) -> dict[str, str]:
    """Return what words mean; nothing if the meaning of one is not known."""
    plain = {word: " ".join(word.lower().split()) for word in words if not is_number(word)}
    if field == "judgement":
        # The import itself reads words for sides, ties and names of systems.
        return {word: _SIDES[key] for word, key in plain.items() if key in _SIDES}
    for known in (NUMBERS, *map(_scale, _SCALES)):
        if plain and set(plain.values()) <= known.keys():
            return {word: known[key] for word, key in plain.items()}
    labels = {word: _LABELLED.fullmatch(word.strip()) for word in plain}
    return {
        w: found[1] or found[2] for w, found in labels.items() if found and all(labels.values())
    }


def _scale(words: str) -> dict[str, str]:
    ranks = enumerate(words.split("|"), 1)
    return {word: str(rank) for rank, same in ranks for word in same.split("/")}


def translated(mapping: Mapping, spec: TableSpec, look: Look) -> Mapping:
    """Say in a mapping what words in cells of numbers mean, and which mean that there is none.

    Rows without any key or text, such as those of means, are left out.
    """
    keys = _names_of_records(mapping, spec, look.names)
    if keys and not mapping.where and 0 < look.empty(*keys) == look.empty(keys[0]):
        mapping = replace(mapping, where=(Condition(keys[0], empty=False),))
    for field, used in _used(mapping, spec, look.names).items():
        held = [look.column(name) for name in used]
        if field in mapping.values or any(each.distinct > len(each.values) for each in held):
            continue
        cells = sorted(frozenset[str]().union(*(each.values for each in held)))
        words = [cell for cell in cells if cell.lower() not in _NO_ANSWER and not is_number(cell)]
        missing = sorted({c for each in held for c in each.missing if is_missing(c) and c})
        missing += [cell for cell in cells if cell.lower() in _NO_ANSWER]
        mapping = replace(mapping, missing=(*mapping.missing, *missing))
        if words and all(map(_COMMA.fullmatch, words)) and field != "judgement":
            mapping = replace(mapping, decimal=",")
        elif words and all(found := [_CELL.fullmatch(word) for word in words]):
            parts = dict.fromkeys(f"{each[1]}{{}}}}" for each in found if each)
            mapping = replace(mapping, take={**mapping.take, field: tuple(parts)})
        elif len(words) <= MOST_WORDS and (known := known_meanings(field, words)):
            mapping = replace(mapping, values={**mapping.values, field: known})
    return mapping


def may_be_numbers(cells: Collection[str]) -> bool:
    """Whether cells are numbers, or hold some that `translated` takes out of them."""
    words = sorted({cell for cell in cells if not (is_missing(cell) or is_number(cell))})
    is_written_otherwise = any(all(map(p.fullmatch, words)) for p in (_COMMA, _CELL))
    few = words[: MOST_WORDS + 1]
    return is_written_otherwise or (
        len(few) <= MOST_WORDS and known_meanings("score", few).keys() >= set(few)
    )
