"""What the form of a table shows of a mapping, and how some of its inputs are read."""

from collections.abc import Sequence
from typing import Any

from corpus.tabular.fields import Field, TableSpec
from corpus.tabular.mapping import Columns, Mapping, Wide, columns_of

EMPTY_CELL = "(empty)"


def initial_of(spec: TableSpec, mapping: Mapping) -> dict[str, Any]:
    """Return what the form shows of a mapping."""
    initial: dict[str, Any] = {}
    for field in spec.fields:
        columns = mapping.columns.get(field.name)
        if field.many == "one":
            if isinstance(columns, str):
                initial[f"column_{field.name}"] = f"column:{columns}"
            elif isinstance(mapping.digests.get(field.name), str):
                initial[f"column_{field.name}"] = f"digest:{mapping.digests[field.name]}"
            initial[f"constant_{field.name}"] = shown_constant(mapping.constants.get(field.name))
        elif columns is not None:
            initial[f"many_{field.name}"] = list(columns_of(columns))
            initial[f"pattern_{field.name}"] = _pattern(field, columns)
    if wide := mapping.wide:
        initial |= {
            "wide": f"{wide.name}/{wide.value}",
            "wide_columns": list(wide.columns),
            "wide_pattern": wide.pattern or "",
            "wide_skip": wide.skip_empty,
        }
    return initial | {
        "attributes": list(mapping.attributes),
        "explode": mapping.explode or "",
        "missing": ", ".join(text or EMPTY_CELL for text in mapping.missing),
        "distinct": mapping.distinct,
    }


def _pattern(field: Field, columns: Columns) -> str:
    """Find how columns are named after their labels."""
    if isinstance(columns, dict):
        for pattern in field.synonyms:
            labelling = Wide("", "", pattern=pattern)
            if all(labelling.label(column) == label for label, column in columns.items()):
                return pattern
    return ""


def shown_constant(constant: Any) -> str:
    """Return a constant as its input shows it."""
    return "" if constant is None else str(constant)


def words_in(text: str) -> tuple[str, ...]:
    """Return words separated by commas, the empty cell among them by its name."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    return tuple("" if word == EMPTY_CELL else word for word in words)


def list_paths(columns: Sequence[str]) -> list[str]:
    """Return the lists that dotted names go through, each once."""
    paths: dict[str, None] = {}
    for column in columns:
        parts = column.split("[]")
        for count in range(1, len(parts)):
            paths["[]".join(parts[:count])] = None
    return [path for path in paths if path]
