"""Fields that tables share, and the names of columns in exported tables."""

from collections.abc import Collection, Sequence

from corpus.tabular.shaping.fields import Field

SEGMENT = Field(
    *("segment", "key"),
    required=True,
    is_shared=True,
    help="what names the segment in every other table",
)
SYSTEM = Field("system", "key", required=True, is_shared=True)


def columns_apart_from(fields: Sequence[str], attributes: Collection[str]) -> dict[str, str]:
    """Return a column for each field that no attribute has.

    An attribute keeps its name, because an import takes it from the column; of a field the
    mapping in `study.json` says where it is.

    Examples
    --------
    >>> columns_apart_from(["segment", "source"], ["source", "domain"])
    {'segment': 'segment', 'source': 'source_'}
    """
    columns: dict[str, str] = {}
    for field in fields:
        column = field
        while column in attributes or column in columns.values():
            column += "_"
        columns[field] = column
    return columns
