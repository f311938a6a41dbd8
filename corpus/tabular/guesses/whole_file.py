"""How a file may be read: by the names of its columns, else by what they hold."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import duckdb

from corpus.tabular.guesses.columns import Look
from corpus.tabular.guesses.guessing import guess
from corpus.tabular.guesses.shown_rows import Preview
from corpus.tabular.guesses.suggesting import suggest
from corpus.tabular.guesses.surveys import survey
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.loading import Tables
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.names import Scope

_TEXTS = {"segments", "outputs"}
"""Numbers beside named columns of texts may be anything."""
_FEWEST_RECORDS = 2
"""One record may be any object: a description, or results."""


def with_guess(
    tables: Tables, source: SourceFile, shown: Preview, specs: Sequence[TableSpec]
) -> Preview:
    """Return what is shown of a file with the tables that it may hold."""
    found = guess(shown.columns, shown.rows, specs, file_name=source.name)
    suggested: Sequence[Mapping] = ()
    if not found.is_complete and len(shown.rows) >= _FEWEST_RECORDS:
        with suppress(duckdb.Error):  # which is said when the file is read
            suggested = _by_contents(tables, source, shown, specs)
    if named := {mapping.table for mapping in found.mappings}:
        suggested = [each for each in suggested if each.table in named | _TEXTS]
    if not named <= {each.table for each in suggested}:
        suggested = ()
    written, proposed = (
        tuple(replace(mapping, dialect=shown.dialect) for mapping in mappings)
        for mappings in (found.mappings, suggested)
    )
    return replace(shown, guess=replace(found, mappings=written, suggested=proposed))


def _by_contents(
    tables: Tables, source: SourceFile, shown: Preview, specs: Sequence[TableSpec]
) -> Sequence[Mapping]:
    loaded = tables.load(source, shown.dialect)
    scope = Scope(loaded.columns)
    values = {name: scope.sql(name) for name in loaded.leaves if "[]" not in name}
    lists = [name for name, kind in loaded.columns.items() if kind.id == "list"]
    look = Look(tables.database.locked(), source.name, values, lists)
    return survey(look, specs) or suggest(look, specs)
