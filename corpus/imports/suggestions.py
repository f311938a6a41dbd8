"""Mappings proposed from what the columns of a file hold, where their names do not say."""

from collections.abc import Sequence

from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.guessing import Guess
from corpus.tabular.mapping import Mapping
from corpus.tabular.readers import Dialect
from corpus.tabular.suggesting import FEWEST_ROWS, ROWS_LOOKED_AT, suggest

CELLS_LOOKED_AT = 60_000
_TEXTS = {"segments", "outputs"}
"""Numbers beside named columns of texts may be anything."""


def suggested_by_content(
    reading: ConfinedReading,
    source: SourceFile,
    dialect: Dialect,
    specs: Sequence[TableSpec],
    by_name: Guess,
) -> list[Mapping]:
    """Return mappings that somebody has to confirm; none if names of columns say enough.

    Parameters
    ----------
    reading
        By which the file is opened.
    source, dialect
        The file, and how it is written.
    specs
        The tables that there are.
    by_name
        What the names of the columns say. A table that they name is never left away.
    """
    if by_name.is_complete:
        return []
    rows = CELLS_LOOKED_AT // max(len(by_name.unused), 1)
    rows = min(max(rows, FEWEST_ROWS), ROWS_LOOKED_AT)
    shown = reading.preview(source, rows, dialect=dialect)
    found = [mapping.written(dialect) for mapping in suggest(shown.columns, shown.rows, specs)]
    named = {proposal.mapping.table for proposal in by_name.proposals}
    if named:
        found = [mapping for mapping in found if mapping.table in named | _TEXTS]
    return found if named <= {mapping.table for mapping in found} else []
