"""How a further table may be read from a file, because somebody asks for it."""

from dataclasses import replace

from corpus.tables.register import handler_for
from corpus.tabular.guesses.guessing import guess
from corpus.tabular.guesses.shown_rows import Preview
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.shaping.mapping import Mapping, columns_in


def proposed(source: SourceFile, shown: Preview, table: str) -> Mapping:
    """Return how a table may be read from a file, recognised or not."""
    spec = handler_for(table).spec
    specs = [replace(spec, recognised_by=(spec.names,))]
    found = guess(shown.columns, shown.rows, specs, file_name=source.name)
    return replace(next(iter(found.mappings), Mapping(table)), dialect=shown.dialect)


def added(source: SourceFile, shown: Preview, table: str, others: list[Mapping]) -> Mapping:
    """Return how a further table of a file may be read: its rows are mostly of the others."""
    mapping = proposed(source, shown, table)
    if not others:
        return mapping
    repeats = any(_keys(mapping) < _keys(o) and mapping.explode == o.explode for o in others)
    # Nobody knows to which of the tables a further column belongs.
    return replace(mapping, attributes=(), distinct=mapping.distinct or repeats)


def _keys(mapping: Mapping) -> set[str]:
    """Return the columns that tell records of a table apart."""
    keys = (field.name for field in handler_for(mapping.table).spec.fields if field.kind == "key")
    return {column for name in keys for column in columns_in(mapping.columns.get(name, ""))}


def without_columns_of_others(mapping: Mapping, every: list[Mapping]) -> Mapping:
    """Keep no column as an attribute that another table of the file reads as a field."""
    others = [replace(other, attributes=()) for other in every if other is not mapping]
    read = {column for other in others for column in other.sources()}
    return replace(mapping, attributes=tuple(c for c in mapping.attributes if c not in read))
