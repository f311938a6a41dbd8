"""Words in cells of numbers and judgements, and what numbers they mean where that is known."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.tabular.column_contents import ColumnContent
from corpus.tabular.fields import TableSpec
from corpus.tabular.mapping import Mapping, columns_of

MOST_WORDS = 20
"""More different words are no choice."""
NUMBERS = {
    **dict.fromkeys(("yes", "y", "true", "good", "correct", "acceptable", "pass"), "1"),
    **dict.fromkeys(("no", "n", "false", "bad", "incorrect", "unacceptable", "fail"), "0"),
}


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
    for field in spec.fields:
        if field.kind not in ("number", "integer") and field.name != "judgement":
            continue
        used = columns_of(mapping.columns.get(field.name, ()))
        if mapping.wide and mapping.wide.value == field.name:
            used = mapping.resolved(columns, spec).wide.columns  # type: ignore[union-attr]
        places = [columns.index(name) for name in used if name in columns]
        if field.name in mapping.take or not places:
            continue
        cells = dict.fromkeys(row[place] for row in rows for place in places)
        content = ColumnContent(field.name, [c for c in cells if c not in mapping.missing])
        if content.kind in ("name", "text") and len(content.values) <= MOST_WORDS:
            found[field.name] = [cell for cell in cells if cell in content.values]
    return found


def known_meanings(field: str, words: Sequence[str]) -> dict[str, str]:
    """Return what words mean; nothing if the meaning of one is not known."""
    if field == "judgement":
        return {}  # The import itself reads words for sides, ties and names of systems.
    meanings = {
        word: NUMBERS.get(word.strip().lower(), "") for word in words if not _is_number(word)
    }
    if not meanings or not all(meanings.values()):
        return {}
    return meanings


def _is_number(word: str) -> bool:
    return ColumnContent("", [word]).kind in ("rating", "percentage", "integer", "number")
