"""The tables of a report as files: one chosen by its name, or all of them in a zip."""

import io
import zipfile
from collections.abc import Mapping, Sequence

from analysis.tables.flat_table import SIMULATED, FlatTable, csv_text
from corpus.exports.bundle import EPOCH

ABOUT = "about.txt"


class UnknownTable(ValueError):
    """A name that no table of the report has; the message lists those that it has."""


def table_named(tables: Sequence[FlatTable], name: str) -> FlatTable:
    """Return the table of this name.

    Raises
    ------
    UnknownTable
        If there is none.
    """
    for table in tables:
        if table.name == name:
            return table
    raise UnknownTable(f"table={name}: there are {names_of(tables)}")


def names_of(tables: Sequence[FlatTable]) -> str:
    """Return the names of tables in one line."""
    return ", ".join(table.name for table in tables)


def zip_of_tables(tables: Sequence[FlatTable]) -> bytes:
    """Return a zip with a CSV file for each table and a text that says where they come from."""
    files = {f"{table.name}.csv": csv_text(table).encode() for table in tables}
    return zip_of({ABOUT: _about(tables).encode(), **files})


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of named files; equal files give equal bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            archive.writestr(member, content)
    return packed.getvalue()


def _about(tables: Sequence[FlatTable]) -> str:
    simulated = [SIMULATED, ""] if any(table.simulated for table in tables) else []
    # Tables of a document come from several reports.
    sources = dict.fromkeys(line for table in tables for line in table.sources)
    files = [f"{table.name}.csv: {table.title}" for table in tables]
    return "\n".join([*simulated, *sources, "", *files]) + "\n"
