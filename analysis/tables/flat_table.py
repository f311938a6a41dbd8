"""A table of plain cells, ready for CSV, JSON and LaTeX."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.stats.results import Result
from analysis.tables.marks import tested, with_mark_columns
from corpus.tabular.spreadsheets import spreadsheet_csv

if TYPE_CHECKING:
    import pandas

Cell = str | int | float | bool | None
TableRow = tuple[Cell, ...]

SIMULATED = "SIMULATED RATINGS: no person judged these outputs; a program drew the judgements."
SIMULATED_COLUMN, SIMULATED_MARK = "simulated", "simulated ratings"
REGISTRATION_COLUMN = "registration"
RESULT_COLUMNS = (
    *("state", "value", "low", "high", "confidence", "interval_method", "p_value", "n", "unit"),
    *("raters", "pairs", "reason", "signature", "details"),
)
METRIC_COLUMNS = ("metric", "metric_aspect", "compared_to", "text_setting")
PRINTED = ("value", "low", "high", "p_value", "n")
"""Columns of a result that fit a printed page."""


@dataclass(frozen=True)
class FlatTable:
    """A table of plain cells, ready for CSV, JSON and LaTeX.

    Parameters
    ----------
    name : str
        Short ASCII name, fit for file names.
    title : str
        One line that says what the rows are.
    columns : tuple of str
        Names of the columns.
    rows : tuple of tuple
        Cells aligned with `columns`; numbers unrounded, None where there is nothing.
    printed : tuple of str
        The columns that fit a printed page; empty for all.
    sources : tuple of str
        Where the numbers come from: study, filter, hashes, versions.
    simulated : bool
        Whether the ratings behind it are simulated.
    registration : str
        How it stands to the preregistration: `confirmatory`, `exploratory` or `imported plan`;
        empty without one.
    marks : str
        How significance is marked, one of `analysis.tables.marks.WORDS`: in LaTeX at the numbers,
        in CSV and JSON in columns of their own.
    verdict : str
        What the report allows to say, for the caption of its first table.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    printed: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    simulated: bool = False
    registration: str = ""
    marks: str = ""
    verdict: str = ""

    @property
    def signatures(self) -> tuple[str, ...]:
        """Every signature among the rows, once each."""
        found: dict[str, None] = {}
        for record in self.records():
            if signature := record.get("signature"):
                found[str(signature)] = None
            elif several := record.get("signatures"):
                found |= dict.fromkeys(filter(None, json.loads(str(several)).values()))
        return tuple(found)

    def records(self) -> list[dict[str, Cell]]:
        """Return the rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_frame(self) -> "pandas.DataFrame":
        """Return the rows as a data frame; `attrs` has title, sources and whether simulated."""
        import pandas

        frame = pandas.DataFrame(list(self.rows), columns=list(self.columns))
        frame.attrs = {
            "title": self.title,
            "sources": list(self.sources),
            "simulated": self.simulated,
        }
        return frame


def csv_text(table: FlatTable) -> str:
    """Return a table as CSV for people, unrounded and safe to open in a spreadsheet.

    Every line is a row of the table, so that any reader of CSV reads it. A table of simulated
    ratings has one more column, the first, that says so in each row; one of a study with a
    preregistration a column that says how it stands to it.
    """
    table = with_mark_columns(table)
    marks: dict[str, Cell] = {SIMULATED_COLUMN: SIMULATED_MARK} if table.simulated else {}
    if table.registration:
        marks[REGISTRATION_COLUMN] = table.registration
    rows = ((*marks.values(), *row) for row in table.rows)
    return spreadsheet_csv([(*marks, *table.columns), *rows])


def json_text(table: FlatTable) -> str:
    """Return a table as JSON: its title, where it comes from, and one object a row."""
    table = with_mark_columns(table)
    content = {
        "name": table.name,
        "title": table.title,
        "simulated": table.simulated,
        **({"notice": SIMULATED} if table.simulated else {}),
        "sources": list(table.sources),
        "columns": list(table.columns),
        "rows": table.records(),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def result_cells(result: Result) -> TableRow:
    """Return a result as cells aligned with `RESULT_COLUMNS`."""
    interval = result.interval
    limits: TableRow = (None, None, None, "")
    if interval:
        limits = (interval.low, interval.high, interval.level, interval.method)
    return (
        "undefined" if result.value is None else "defined",
        tested(result.value, result.p_value),
        *limits,
        result.p_value,
        result.n,
        result.unit,
        result.raters,
        result.pairs,
        result.reason,
        result.signature,
        as_json(result.to_dict()["details"]),
    )


def as_json(value: Any) -> str:
    """Return conditions or details as one cell."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
