"""Which column of a file fits which field of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from string import digits

from corpus.tabular.column_names import canonical, last_part, list_path
from corpus.tabular.fields import Field, Spread, TableSpec
from corpus.tabular.json_paths import label_in
from corpus.tabular.known_values import may_be_numbers
from corpus.tabular.mapping import Columns, Wide


class ColumnMatcher:
    """The columns of a file, given to fields one after another, each at most once."""

    def __init__(
        self,
        spec: TableSpec,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        path: str | None,
        is_named: bool,
    ) -> None:
        self.spec = spec
        self.found: dict[str, Columns] = {}
        self.spread_columns: tuple[str, ...] = ()
        self.known_labels = 0
        self._all = columns
        self._rows = rows
        self._prefix = f"{path}[]." if path else ""
        self._is_named = is_named
        self._free = {column: None for column in columns if self._is_within(column, path)}

    @staticmethod
    def _is_within(column: str, path: str | None) -> bool:
        """Whether a column has one value per element of the list at `path`."""
        own = list_path(column)
        return own is None or (path is not None and f"{path}[]".startswith(f"{own}[]"))

    def match_fields(self) -> None:
        """Give columns to fields: by whole name before last part, by name before synonym."""
        single = [field for field in self.spec.fields if field.many == "one"]
        # The last part of a name says little: as a synonym only of what the table must have.
        needed = [field for field in single if field.required]
        tiers = (
            (single, self._whole, _own_name, True),
            (single, self._whole, self._synonyms, False),
            (single, last_part, _own_name, True),
            (needed, last_part, self._synonyms, False),
        )
        for fields, part, names, inner_first in tiers:
            for field in fields:
                if field.name not in self.found:
                    self._match_one(field, part, names(field), inner_first)
        for field in self.spec.fields:
            if field.many == "list":
                self._match_list(field)
            elif field.many == "map":
                self._match_map(field)

    def _synonyms(self, field: Field) -> set[str]:
        return self._names(field.synonyms, field.synonyms_if_named, field.synonyms_beside)

    def _labels(self, spread: Spread) -> set[str]:
        return self._names(spread.labels, spread.labels_if_named, spread.labels_beside)

    def _names(
        self,
        always: Sequence[str],
        if_named: Sequence[str],
        beside: Sequence[tuple[str, str]],
    ) -> set[str]:
        """Return the names that count in this file, as they are compared."""
        further = [*(if_named if self._is_named else ())]
        further += [name for name, other in beside if other in self.found]
        return {canonical(name) for name in (*always, *further)}

    def _whole(self, column: str) -> str:
        return column.removeprefix(self._prefix)

    def _match_one(
        self, field: Field, part: Callable[[str], str], names: set[str], inner_first: bool
    ) -> None:
        fits = [column for column in self._free if canonical(part(column)) in names]
        # An "id" beside a list is the segment's, one inside it the element's own.
        fits.sort(key=lambda column: column.startswith(self._prefix) != inner_first)
        if fits:
            self.found[field.name] = fits[0]
            del self._free[fits[0]]

    def _match_list(self, field: Field) -> None:
        names = _own_name(field) | self._synonyms(field)
        fits = []
        for column in self._free:
            name = canonical(last_part(column))
            if name in names or name.rstrip(digits) in names:
                fits.append(column)
        if fits:
            self.found[field.name] = fits[0] if len(fits) == 1 else tuple(fits)
            for column in fits:
                del self._free[column]

    def _match_map(self, field: Field) -> None:
        for pattern in field.synonyms:
            fits = dict(self._labelled(pattern, field.kind == "number"))
            if len(fits) > 1:
                self.found[field.name] = fits
                for column in fits.values():
                    del self._free[column]
                return

    def _labelled(self, pattern: str, wants_numbers: bool) -> Iterator[tuple[str, str]]:
        """Yield label and column for the free columns that match a pattern with ``{name}``."""
        start, _, end = pattern.partition("{name}")
        for column in self._free:
            label = label_in(column.removeprefix(self._prefix), start, end)
            if label and (not wants_numbers or self._holds_numbers(column)):
                yield label, column

    def _holds_numbers(self, column: str) -> bool:
        index = self._all.index(column)
        return may_be_numbers({row[index] for row in self._rows})

    def match_wide(self) -> Wide | None:
        """Spread two fields over columns if neither has a column of its own."""
        for spread in self.spec.wide:
            if spread.name in self.found or spread.value in self.found:
                continue
            numbers = self.spec.field(spread.value).kind in {"number", "integer"}
            wide = self._by_pattern(spread, numbers) or self._by_label(spread, numbers)
            if wide is not None:
                return wide
        return None

    def _by_pattern(self, spread: Spread, numbers: bool) -> Wide | None:
        for pattern in (pattern for pattern in spread.patterns if "{name}" in pattern):
            fits = dict(self._labelled(pattern, numbers))
            if fits:
                self.spread_columns = tuple(fits.values())
                self._count_known(spread)
                # Objects may have further keys later in the file; a header has not.
                start = self._prefix + pattern.partition("{name}")[0]
                family = [column for column in self._all if column.startswith(start)]
                is_open = "." in pattern and len(family) == len(fits)
                columns = () if is_open else self.spread_columns
                return Wide(spread.name, spread.value, columns, self._prefix + pattern, numbers)
        return None

    def _by_label(self, spread: Spread, numbers: bool) -> Wide | None:
        labels = self._labels(spread)
        globs = [pattern for pattern in spread.patterns if "{name}" not in pattern]
        fits = [
            column
            for column in self._free
            if canonical(last_part(column)) in labels
            or any(fnmatchcase(last_part(column).lower(), glob) for glob in globs)
        ]
        fits = [column for column in fits if not numbers or self._holds_numbers(column)]
        if not fits:
            return None
        self.spread_columns = tuple(fits)
        self._count_known(spread)
        prefixes = {column.rpartition(".")[0] for column in fits}
        pattern = (
            f"{prefixes.pop()}.{{name}}" if len(prefixes) == 1 and "" not in prefixes else None
        )
        return Wide(spread.name, spread.value, tuple(fits), pattern, numbers)

    def _count_known(self, spread: Spread) -> None:
        labels = self._labels(spread)
        self.known_labels = sum(canonical(last_part(c)) in labels for c in self.spread_columns)

    def digests(self, given: set[str]) -> Iterator[tuple[str, str]]:
        """Yield keys that no column gives, with the column of the text they are made from."""
        for field in self.spec.fields:
            if field.name in given or not field.digest_of:
                continue
            names = {canonical(name) for name in field.digest_of}
            for column in self._all:
                if canonical(last_part(column)) in names and "[]" not in column:
                    yield field.name, column
                    break


def _own_name(field: Field) -> set[str]:
    return {canonical(field.name)}
