"""How the tables of a file may be read, proposed for the mapping page."""

from dataclasses import dataclass, replace

from corpus.imports.suggestions import tables_of
from corpus.tables import handler_for, handlers
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.guessing import Guess, guess
from corpus.tabular.known_values import words_of
from corpus.tabular.mapping import Mapping, columns_of
from corpus.tabular.reading import Preview

_ROWS_LOOKED_AT = 300


@dataclass(frozen=True)
class Guessed:
    """What a file seems to hold.

    Attributes
    ----------
    mappings
        How its tables may be read.
    reason
        Why the names of its columns do not say it.
    is_suggested
        Whether somebody has to confirm the mappings.
    """

    mappings: list[Mapping]
    reason: str
    is_suggested: bool


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
        self._dialect = shown.dialect

    def guessed(self) -> Guessed:
        """Return the tables by the names of columns, else by what the columns hold."""
        specs = [each.spec for each in handlers()]
        found, mappings, suggested = tables_of(self._reading, self._source, self._shown, specs)
        is_translated = any(each.values or each.take for each in mappings)
        return Guessed(suggested or mappings, found.reason, bool(suggested) or is_translated)

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
        found = self._guess([replace(spec, recognised_by=(spec.names,))])
        proposed = found.proposals[0].mapping if found.proposals else Mapping(table)
        return proposed.written(self._dialect)

    def _guess(self, specs: list[TableSpec]) -> Guess:
        return guess(self._shown.columns, self._shown.rows, specs, file_name=self._source.name)

    def words_of(self, mapping: Mapping) -> dict[str, list[str]]:
        """Return by field of numbers the words in its cells; reads more rows if there are any."""
        spec = handler_for(mapping.table).spec
        if not words_of(mapping, spec, self._shown.columns, self._shown.rows):
            return {}
        shown = self._reading.preview(self._source, _ROWS_LOOKED_AT, dialect=self._dialect)
        return words_of(mapping, spec, shown.columns, shown.rows)


def _keys(mapping: Mapping) -> set[str]:
    """Return the columns that tell records of a table apart."""
    keys = {field.name for field in handler_for(mapping.table).spec.fields if field.kind == "key"}
    found = [mapping.columns[name] for name in keys & set(mapping.columns)]
    found += mapping.digests.values()
    return {*(column for used in found for column in columns_of(used))}


def without_columns_of_others(mapping: Mapping, every: list[Mapping]) -> Mapping:
    """Keep no column as an attribute that another table of the file reads as a field."""
    if not mapping.attributes:
        return mapping
    read = {
        column
        for other in every
        if other is not mapping
        for column in replace(other, attributes=()).sources()
    }
    kept = tuple(column for column in mapping.attributes if column not in read)
    return replace(mapping, attributes=kept)
