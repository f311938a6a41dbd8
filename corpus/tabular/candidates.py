"""How well the columns of a file fit one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.tabular.column_matching import ColumnMatcher
from corpus.tabular.column_names import list_path
from corpus.tabular.fields import TableSpec
from corpus.tabular.mapping import Mapping, columns_of


@dataclass(frozen=True)
class Candidate:
    """A table that a file may hold, with the mapping that reads it.

    Attributes
    ----------
    spec, mapping
        The table, and which columns fit.
    used
        Columns that fit fields of the table.
    values
        Of these, columns of fields that are no keys: no two tables may claim them.
    keys
        Columns that tell records apart.
    digested
        Columns from which keys are made.
    known_labels
        Number of spread columns whose label the table knows.
    is_complete
        Whether nothing is missing.
    """

    spec: TableSpec
    mapping: Mapping
    used: frozenset[str]
    values: frozenset[str]
    keys: frozenset[str]
    digested: frozenset[str]
    known_labels: int
    is_complete: bool


def match(
    spec: TableSpec,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    path: str | None,
    is_named: bool,
    system: str | None,
) -> Candidate | None:
    """Fit columns to a table.

    Parameters
    ----------
    spec
        The table.
    columns, rows
        Header, and some rows as texts.
    path
        List whose elements would be the records; None if the file's rows are.
    is_named
        Whether the file's name speaks for the table.
    system
        What the file's name gives if it names no table.

    Returns
    -------
    Candidate or None
        None if the file has nothing by which the table is recognised.
    """
    matcher = ColumnMatcher(spec, columns, rows, path, is_named)
    matcher.match_fields()
    wide = matcher.match_wide()
    given = set(matcher.found) | ({wide.name, wide.value} if wide else set())
    keys = {field.name for field in spec.fields if field.kind == "key"}
    groups = spec.recognised_by or _distinctive(spec)
    if not all(given & set(group) for group in groups):
        return None
    if not spec.recognised_by and not given & keys:
        return None
    spread = matcher.spread_columns
    used = frozenset(spread).union(*map(columns_of, matcher.found.values()))
    if path is not None and not any(list_path(column) == path for column in used):
        return None
    constants = {}
    if system and spec.named_by_file and spec.named_by_file not in given:
        constants[spec.named_by_file] = system
    digests = dict(matcher.digests(given))
    mapping = Mapping(
        spec.name,
        columns={name: matcher.found[name] for name in spec.names if name in matcher.found},
        constants=constants,
        digests=digests,
        wide=wide,
        explode=path,
    )
    key_columns = frozenset(
        column for name in keys & set(matcher.found) for column in columns_of(matcher.found[name])
    )
    if not spec.recognised_by and used <= key_columns and not is_named:
        return None
    return Candidate(
        spec,
        mapping,
        used,
        used - key_columns,
        key_columns | frozenset(digests.values()),
        frozenset(digests.values()),
        matcher.known_labels,
        not mapping.missing_fields(spec),
    )


def _distinctive(spec: TableSpec) -> tuple[tuple[str, ...], ...]:
    """Return what tells a table that does not say so: the required fields that are no keys."""
    return tuple((f.name,) for f in spec.fields if f.required and f.kind != "key")
