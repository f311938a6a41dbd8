"""Column names of exported tables: fields give way to attributes of the same name."""

from collections.abc import Collection, Sequence


def columns_beside(fields: Sequence[str], attributes: Collection[str]) -> dict[str, str]:
    """Return a column for each field that no attribute has.

    An attribute keeps its name, because an import takes it from the column; of a field the
    mapping in `study.json` says where it is.

    Examples
    --------
    >>> columns_beside(["segment", "source"], ["source", "domain"])
    {'segment': 'segment', 'source': 'source_'}
    """
    columns: dict[str, str] = {}
    for field in fields:
        column = field
        while column in attributes or column in columns.values():
            column += "_"
        columns[field] = column
    return columns
