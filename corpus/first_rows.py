"""The first rows of a file on the mapping page, and what each of its columns becomes."""

from collections.abc import Collection, Sequence

from corpus.mapping_forms import MANY_COLUMNS, TableForm
from corpus.tabular.mapping import columns_of
from corpus.tabular.problems import shorten
from corpus.tabular.reading import Preview

ROWS_SHOWN = 5
LONGEST_CELL = 200


class FirstRows:
    """The beginning of a file.

    Parameters
    ----------
    shown
        As it was read.
    tables
        How it is mapped so far.
    ticked
        Places of the columns of which something is being said.
    """

    def __init__(
        self, shown: Preview, tables: Sequence[TableForm], ticked: Collection[int]
    ) -> None:
        self._shown = shown
        self._tables = tables
        self._ticked = set(ticked)
        self.columns = shown.columns

    @property
    def has_many_columns(self) -> bool:
        """Whether columns are chosen by writing their names."""
        return len(self.columns) > MANY_COLUMNS

    def header(self) -> list[tuple[str, list[str], bool]]:
        """Return each column with the fields that it becomes, and whether it is ticked."""
        becomes = self._becomes()
        return [
            (column, list(becomes[column]), place in self._ticked)
            for place, column in enumerate(self.columns)
        ]

    def constants(self) -> list[str]:
        """Return what is the same in all rows of each table."""
        return [
            f"{table.spec.name}: {name} is {value}"
            for table in self._tables
            for name, value in table.mapping.constants.items()
        ]

    def rows(self) -> list[tuple[int, list[str]]]:
        """Return line and cells of the first rows, long cells cut short."""
        pairs = zip(self._shown.lines, self._shown.rows, strict=True)
        return [
            (line, [shorten(cell, LONGEST_CELL) for cell in row])
            for line, row in list(pairs)[:ROWS_SHOWN]
        ]

    def _becomes(self) -> dict[str, dict[str, None]]:
        """Return each column with what it becomes, in words, once each."""
        columns = self.columns
        found: dict[str, dict[str, None]] = {column: {} for column in columns}
        for table in self._tables:
            if table.mapping.query:
                continue
            mapping = table.mapping.resolved(columns, table.spec)
            said = [(c, name) for name, used in mapping.columns.items() for c in columns_of(used)]
            keys = [*mapping.digests.items(), *mapping.joined.items()]
            said += [(c, f"{name} (key)") for name, used in keys for c in columns_of(used)]
            said += [(condition.column, "chooses rows") for condition in mapping.where]
            if wide := mapping.wide:
                spread = wide.columns or [c for c in columns if wide.meets(c)]
                names = " and ".join(wide.names)
                said += [(column, f"{names} “{wide.label(column)}”") for column in spread]
            said += [(column, "attribute") for column in mapping.attributes]
            for column, words in said:
                if column in found:
                    found[column][f"{table.spec.name}: {words}"] = None
        return found
