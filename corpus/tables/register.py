"""The register of tables: what a study bundle holds, each table owned by one room.

`corpus` defines what a handler must do; `annotation`, `metrics` and `analysis` register theirs at
start, so that import and export of a whole study is one service and imports still go one way.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import TableSpec


@dataclass(frozen=True, slots=True)
class Counts:
    """What publishing a table did."""

    added: int
    unchanged: int


@dataclass(frozen=True, slots=True)
class ExportedTable:
    """One member of a bundle: `rows` is read once; `mapping` tells an import how to read it."""

    file_name: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    mapping: Mapping[str, Any]

    @classmethod
    def plain(
        cls, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> "ExportedTable":
        """Return a member whose columns are called like the fields of its table."""
        mapping = {"table": table, "columns": {name: name for name in columns}}
        return cls(f"{table}.csv", columns, rows, mapping)


class TableHandler(ABC):
    """What a room does with one kind of table."""

    spec: TableSpec
    order: int
    staging: tuple[str, ...] = ()
    """Tables of the database in which rows wait."""
    inline_key: str | None = None
    """Name under which `study.json` may hold the table itself."""
    declaration_key: str | None = None
    """Name under which `study.json` declares how the table is to be read."""

    @abstractmethod
    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Write records into staging in short transactions; return how many."""

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Find what is wrong with the staged rows together, and with what is stored."""
        return iter(())

    def prepare(self, batch: Batch) -> None:  # noqa: B027
        """Do what can be done before publishing, so that publishing is short."""

    @abstractmethod
    def publish(self, batch: Batch) -> Counts:
        """Copy from staging into the tables; runs inside the one publishing transaction."""

    def discard(self, batch: Batch) -> None:
        """Remove the staged rows, and what waits in memory under the table's name."""
        batch.memory.pop(self.spec.name, None)
        for table in self.staging:
            batch.discard(table)

    def declare(self, study: Study) -> dict[str, Any]:
        """Give what `study.json` must say so that an import reads the exported table right."""
        return {}

    @abstractmethod
    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the stored rows in their canonical order; nothing for an empty table."""


_handlers: dict[str, TableHandler] = {}


def register_table(handler: TableHandler) -> None:
    """Add a kind of table to import and export.

    Raises
    ------
    ValueError
        If another handler has the same name.
    """
    known = _handlers.setdefault(handler.spec.name, handler)
    if type(known) is not type(handler):
        raise ValueError(f"two handlers for the table {handler.spec.name!r}")


def handlers() -> list[TableHandler]:
    """Return every handler in the order in which tables depend on each other."""
    return sorted(_handlers.values(), key=lambda handler: (handler.order, handler.spec.name))


def handler_for(name: str) -> TableHandler:
    """Return the handler of a table by name; LookupError names the known ones."""
    try:
        return _handlers[name]
    except KeyError:
        known = ", ".join(handler.spec.name for handler in handlers())
        raise LookupError(f"no table {name!r}; known tables: {known}") from None
