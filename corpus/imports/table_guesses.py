"""How the tables of a file may be read: by the names of its columns, else by what they hold."""

from collections.abc import Sequence
from dataclasses import replace

from corpus.tables.register import handler_for, handlers
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.guesses.guessing import Guess, guess
from corpus.tabular.opening.files import Preview, SourceFile
from corpus.tabular.problems import TableError
from corpus.tabular.shaping.mapping import Mapping, columns_in

_TEXTS = {"segments", "outputs"}
"""Numbers beside named columns of texts may be anything."""
_FEWEST_RECORDS = 2
"""One record may be any object: a description, or results."""


class TableGuesses:
    """Proposals for one file.

    Parameters
    ----------
    reading
        By which the file is opened.
    source, shown
        The file, and its first rows, with how it is written.
    """

    def __init__(self, reading: ConfinedReading, source: SourceFile, shown: Preview) -> None:
        self._reading = reading
        self._source = source
        self._shown = shown

    def guessed(self) -> Guess:
        """Return the tables by the names of columns, and by what these hold where it is open."""
        shown, specs = self._shown, [each.spec for each in handlers()]
        found = guess(shown.columns, shown.rows, specs, file_name=self._source.name)
        suggested: Sequence[Mapping] = ()
        if not found.is_complete and len(shown.rows) >= _FEWEST_RECORDS:
            try:
                suggested = self._reading.propose(self._source, shown.dialect, specs)
            except TableError:  # which is said when the file is read
                suggested = ()
        if named := {mapping.table for mapping in found.mappings}:
            suggested = [each for each in suggested if each.table in named | _TEXTS]
        if not named <= {each.table for each in suggested}:
            suggested = ()
        return replace(
            found, mappings=self._written(found.mappings), suggested=self._written(suggested)
        )

    def _written(self, mappings: Sequence[Mapping]) -> tuple[Mapping, ...]:
        return tuple(replace(mapping, dialect=self._shown.dialect) for mapping in mappings)

    def added(self, table: str, others: list[Mapping]) -> Mapping:
        """Return how a further table of a file may be read: its rows are mostly of the others."""
        mapping = self.proposed(table)
        if not others:
            return mapping
        repeats = any(_keys(mapping) < _keys(o) and mapping.explode == o.explode for o in others)
        # Nobody knows to which of the tables a further column belongs.
        return replace(mapping, attributes=(), distinct=mapping.distinct or repeats)

    def proposed(self, table: str) -> Mapping:
        """Return how a table that somebody asked for may be read, recognised or not."""
        spec = handler_for(table).spec
        specs, shown = [replace(spec, recognised_by=(spec.names,))], self._shown
        found = guess(shown.columns, shown.rows, specs, file_name=self._source.name)
        return self._written(found.mappings or [Mapping(table)])[0]


def _keys(mapping: Mapping) -> set[str]:
    """Return the columns that tell records of a table apart."""
    keys = (field.name for field in handler_for(mapping.table).spec.fields if field.kind == "key")
    return {column for name in keys for column in columns_in(mapping.columns.get(name, ""))}


def without_columns_of_others(mapping: Mapping, every: list[Mapping]) -> Mapping:
    """Keep no column as an attribute that another table of the file reads as a field."""
    others = [replace(other, attributes=()) for other in every if other is not mapping]
    read = {column for other in others for column in other.sources()}
    return replace(mapping, attributes=tuple(c for c in mapping.attributes if c not in read))
