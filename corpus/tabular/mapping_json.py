"""The parts of a mapping, read from decoded JSON; what makes no sense is noted."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from corpus.tabular.checked_json import CheckedJson
from corpus.tabular.conversion import text_of
from corpus.tabular.transforming.taking import HOLE
from corpus.tabular.transforming.wide_patterns import WidePattern
from corpus.tabular.wide import Wide

if TYPE_CHECKING:
    from corpus.tabular.mapping import Columns


def read_columns(checked: CheckedJson) -> dict[str, Columns]:
    """Return the column, or columns, of each field."""
    result: dict[str, Columns] = {}
    for name, value in checked.mapping("columns").items():
        inner = value.values() if isinstance(value, dict) else value
        if isinstance(value, str):
            result[name] = value
        elif isinstance(value, list | dict) and all(isinstance(i, str) for i in inner):
            result[name] = dict(value) if isinstance(value, dict) else tuple(value)
        else:
            checked.note(f"columns.{name}", value, "a column, a list or an object of columns")
    return result


def read_constants(checked: CheckedJson) -> dict[str, Any]:
    """Return the value that all records share, of each field that has one."""
    found = checked.mapping("constants")
    for name, value in found.items():
        inner = value if isinstance(value, list) else [value]
        if any(isinstance(each, list | dict) for each in inner):
            checked.note(f"constants.{name}", value, "a text, a number, or a list of them")
    return found


def read_header(checked: CheckedJson) -> tuple[str, ...] | bool:
    """Return whether there is a line with names, or the names."""
    value = checked.value("header")
    if value is None or isinstance(value, bool):
        return value is not False
    if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
        return tuple(value)
    checked.note("header", value, "true, false, or a list of the names of all columns")
    return True


def read_wide(checked: CheckedJson) -> Wide | None:
    """Return which fields are spread over columns."""
    inner = checked.inner("wide")
    if inner is None:
        return None
    pattern = inner.text("pattern")
    several = not inner.value("name") and pattern is not None and "{name}" not in pattern
    wide = Wide(
        name=inner.text("name", required=not several) or "",
        value=inner.text("value", required=True) or "",
        columns=inner.texts("columns"),
        pattern=pattern,
        skip_empty=inner.flag("skip_empty"),
    )
    if several and not _splits(pattern or ""):
        expected = "{name} and a name, or fields in braces, each once, with text between them"
        inner.note("pattern", pattern, expected)
    one = "{name}" in (pattern or "{name}").replace("*", "{name}", 1)
    if not several and not (one and (wide.columns or pattern)):
        inner.note("", pattern, "columns, or a pattern with {name}")
    inner.unknown({each.name for each in fields(Wide)})
    return wide


def _splits(pattern: str) -> bool:
    try:
        return bool(WidePattern.of(pattern))
    except ValueError:
        return False


def read_digests(checked: CheckedJson) -> dict[str, str | tuple[str, ...]]:
    """Return the column, or columns, of which the digest becomes each key."""
    return _one_or_more(checked, "digests", "a column, or a list of columns")


def read_joined(checked: CheckedJson) -> dict[str, tuple[str, ...]]:
    """Return the columns that are joined for each key."""
    found = {}
    for name, value in checked.mapping("joined").items():
        if _is_list(value) and len(value) > 1:
            found[name] = tuple(value)
        else:
            checked.note(f"joined.{name}", value, "a list of two columns or more")
    return found


def read_values(checked: CheckedJson) -> dict[str, dict[str, str]]:
    """Return what texts mean, field by field; numbers and truth values as texts."""
    found = {}
    for name, table in checked.mapping("values").items():
        if not isinstance(table, dict):
            checked.note(f"values.{name}", table, "an object from text to its meaning")
            continue
        for text, means in table.items():
            if not isinstance(means, str | int | float):
                checked.note(f"values.{name}.{text}", means, "a text or a number")
        found[name] = {text: text_of(m) for text, m in table.items() if not _holds_others(m)}
    return found


def read_take(checked: CheckedJson) -> dict[str, str | tuple[str, ...]]:
    """Return the patterns by which a part of a cell is taken."""
    found = _one_or_more(checked, "take", "a text with {} in it, or a list of such texts")
    for name, patterns in found.items():
        for pattern in (patterns,) if isinstance(patterns, str) else patterns:
            if pattern.count(HOLE) != 1 or pattern == HOLE:
                checked.note(f"take.{name}", pattern, "a text that contains {} once")
    return found


def read_split(checked: CheckedJson) -> dict[str, str]:
    """Return at what the cells of columns are split."""
    found = checked.mapping("split")
    for name, separator in found.items():
        if not isinstance(separator, str) or not separator:
            checked.note(f"split.{name}", separator, "the text between elements, or json")
    return found


def _one_or_more(checked: CheckedJson, key: str, expected: str) -> dict[str, str | tuple[str, ...]]:
    found: dict[str, str | tuple[str, ...]] = {}
    for name, value in checked.mapping(key).items():
        if isinstance(value, str):
            found[name] = value
        elif _is_list(value) and value:
            found[name] = tuple(value)
        else:
            checked.note(f"{key}.{name}", value, expected)
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _holds_others(value: Any) -> bool:
    return value is None or isinstance(value, list | dict)
