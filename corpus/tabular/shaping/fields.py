"""How a table of a study is declared: its fields, and how its files may be recognised."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["key", "text", "number", "integer", "choice", "json"]
Many = Literal["one", "list", "map"]


@dataclass(frozen=True)
class Field:
    """One field of a table.

    Attributes
    ----------
    name
        Its name in Touchstone.
    kind
        ``key`` (a name: never empty if required), ``text`` (anything, kept exactly), ``number``,
        ``integer``, ``choice`` or ``json``.
    required
        Whether every record must have it.
    many
        ``one`` value; a ``list`` of the values of several columns (empty cells left out); or a
        ``map`` from labels to the values of several columns.
    is_shared
        Whether other tables have the same field, under the same names of columns.
    choices
        What a ``choice`` may be.
    longest
        Greatest number of characters of a key.
    least, most
        Bounds of a number; None if there is none.
    help
        One sentence for the mapping page.
    """

    name: str
    kind: Kind = "text"
    required: bool = False
    many: Many = "one"
    is_shared: bool = False
    choices: tuple[str, ...] = ()
    longest: int = 200
    least: float | None = None
    most: float | None = None
    help: str = ""


LARGEST_COUNT = 32_767
"""Of a small integer column."""
VARIANT = Field(
    "variant",
    "integer",
    least=1,
    most=LARGEST_COUNT,
    help="1, 2, … where a system gives several outputs for a segment",
)


@dataclass(frozen=True)
class Spread:
    """Two fields that may be spread over columns: labels in the header, values below.

    Attributes
    ----------
    name
        Field that takes the label, such as ``rater``.
    value
        Field that takes the cell, such as ``score``.
    """

    name: str
    value: str


@dataclass(frozen=True)
class TableSpec:
    """One kind of table that a study may have.

    Attributes
    ----------
    name, title
        For programs and for people.
    fields
        In the order in which records carry their values.
    keep_other_columns_as_attributes
        Whether records end with a dictionary of further columns.
    wide
        Which pairs of fields may be spread over columns.
    one_of
        Groups of fields of which each record must have at least one.
    recognised_by
        Groups of fields of which a file must have at least one to be taken for this table
        without being told; required fields count in any case.
    file_names
        Words in file names that speak for this table.
    named_by_file
        Field that a file's name gives if no column does (one file per system).
    told_apart_by
        Fields beyond the required ones that tell records apart, so that two rows which seem to
        be one may be two after all.
    """

    name: str
    title: str
    fields: tuple[Field, ...]
    keep_other_columns_as_attributes: bool = False
    wide: tuple[Spread, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    recognised_by: tuple[tuple[str, ...], ...] = ()
    file_names: tuple[str, ...] = ()
    named_by_file: str | None = None
    told_apart_by: tuple[str, ...] = ()

    def field(self, name: str) -> Field:
        """Return the field of that name; `KeyError` if there is none."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields' names in order."""
        return tuple(field.name for field in self.fields)
