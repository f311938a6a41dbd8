"""How well the columns of a file fit one table: which column fits which of its fields."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import chain, product
from string import digits

from corpus.tabular.guesses.columns import canonical, last_part, list_path, may_be_numbers
from corpus.tabular.guesses.known_columns import FILE_NAME, known
from corpus.tabular.shaping.fields import Field, Spread, TableSpec
from corpus.tabular.shaping.mapping import Mapping as Choices
from corpus.tabular.shaping.mapping import columns_in, constant, key_made_of, list_of, object_of
from corpus.tabular.shaping.wide import Wide, label_in

Cells = Mapping[str, Collection[str]]
_Spread = tuple[Wide, tuple[str, ...]]


class Candidate:
    """A table that a file may hold: its columns, given to fields one after another.

    Parameters
    ----------
    spec
        The table.
    cells
        Columns with different cells of some rows.
    path
        List whose elements would be the records; None if the file's rows are.
    is_named
        Whether the file's name speaks for the table.
    system
        What the file's name gives if it names no table.

    Attributes
    ----------
    spec, mapping
        The table, and which columns fit.
    used, values
        Columns that fit fields, and those of fields that are no keys: no two tables may claim them.
    digested, keys
        Columns from which keys are made, and all that tell records apart.
    is_complete, is_recognised
        Whether nothing is missing; whether there is that by which the table is recognised.
    weight
        Of two that claim a column the greater one gets it.
    """

    def __init__(
        self, spec: TableSpec, cells: Cells, path: str | None, is_named: bool, system: str | None
    ) -> None:
        self.spec = spec
        self._found: dict[str, str] = {}
        self._cells = cells
        self._prefix = f"{path}[]." if path else ""
        self._is_named = is_named
        self._free = [column for column in cells if _is_within(column, path)]
        self._match_fields()
        wide, spread, known_labels = self._match_wide()
        given = {*self._found, *((*wide.names, wide.value) if wide else ())}
        digests = dict(self._digests(given))
        by_file = spec.named_by_file
        columns = {name: self._found[name] for name in spec.names if name in self._found}
        if system and by_file and by_file not in given:
            columns[by_file] = constant(system)
        columns |= {name: key_made_of(text) for name, text in digests.items()}
        self.mapping = Choices(spec.name, columns, wide=wide, explode=path)
        self.digested = set(digests.values())
        fields = {field.name for field in spec.fields if field.kind == "key"}
        own = {c for name in fields & self._found.keys() for c in columns_in(self._found[name])}
        self.keys = own | self.digested
        self.used = set(spread).union(*map(columns_in, self._found.values()))
        self.values = self.used - own
        self.is_complete = not self.mapping.missing_fields(spec)
        self.weight = (is_named, self.is_complete, known_labels, len(self.used))
        distinctive = tuple((f.name,) for f in spec.fields if f.required and f.kind != "key")
        self.is_recognised = (
            all(given & set(group) for group in spec.recognised_by or distinctive)
            and bool(spec.recognised_by or (given & fields and (self.values or is_named)))
            and (path is None or any(list_path(column) == path for column in self.used))
        )

    def is_part_of(self, other: "Candidate") -> bool:
        """Whether another candidate reads all that this one reads, and more."""
        return self.used < other.used and (other.is_complete or not self.is_complete)

    def is_repeated_by(self, other: "Candidate") -> bool:
        """Whether several rows of another table have the same keys of this one."""
        return self.keys < other.keys and self.mapping.explode == other.mapping.explode

    def _match_fields(self) -> None:
        """Give columns to fields: by whole name before last part, by name before synonym."""
        parts: tuple[Callable[[str], str], ...] = (self._whole, last_part)
        single = [field for field in self.spec.fields if field.many == "one"]
        for part, is_own, field in product(parts, (True, False), single):
            # The last part of a name says little: as a synonym only of what the table must have.
            is_said = is_own or field.required or part is not last_part
            if is_said and field.name not in self._found:
                names = {canonical(field.name)} if is_own else self._synonyms(field)
                fits = [column for column in self._free if canonical(part(column)) in names]
                # An "id" beside a list is the segment's, one inside it the element's own.
                fits.sort(key=lambda column: column.startswith(self._prefix) != is_own)
                self._give(field, *fits[:1])
        for field in self.spec.fields:
            if field.many == "list":
                names = {canonical(field.name)} | self._synonyms(field)
                ends = {column: canonical(last_part(column)) for column in self._free}
                self._give(field, *(c for c, n in ends.items() if {n, n.rstrip(digits)} & names))
            elif field.many == "map":
                patterns, _ = known(self.spec.name, field.name)
                families = (self._labelled(each, field.kind == "number") for each in patterns)
                if family := next((each for each in families if len(each) > 1), None):
                    self._give(field, *family.values())
                    self._found[field.name] = object_of(family)

    def _give(self, field: Field, *columns: str) -> None:
        if columns:
            self._found[field.name] = list_of(columns)
            self._free = [column for column in self._free if column not in columns]

    def _synonyms(self, field: Field) -> set[str]:
        return self._names(*known(self.spec.name, field.name, is_shared=field.is_shared))

    def _names(self, always: Iterable[str], beside: Iterable[tuple[str, str]]) -> set[str]:
        """Return the names that count in this file, as they are compared."""
        there = {*self._found, *([FILE_NAME] if self._is_named else ())}
        return {canonical(n) for n in (*always, *(n for n, other in beside if other in there))}

    def _whole(self, column: str) -> str:
        return column.removeprefix(self._prefix)

    def _labelled(self, pattern: str, numbers: bool) -> dict[str, str]:
        """Return label and column for the free columns that match a pattern with ``{name}``."""
        start, _, end = pattern.partition("{name}")
        labels = {column: label_in(self._whole(column), start, end) for column in self._free}
        return {n: c for c, n in labels.items() if n and (not numbers or self._holds_numbers(c))}

    def _holds_numbers(self, column: str) -> bool:
        # People answer in words of a scale; metrics do not.
        return may_be_numbers(self._cells[column], in_words="rater" in self.spec.names)

    def _match_wide(self) -> tuple[Wide | None, tuple[str, ...], int]:
        """Spread two fields over columns if neither has a column of its own.

        Also returns the columns, and how many of them have labels that the table knows.
        """
        for spread in self.spec.wide:
            if self._found.keys() & {spread.name, spread.value}:
                continue
            labels = self._names(*known(self.spec.name, spread.name, "label"))
            numbers = self.spec.field(spread.value).kind in ("number", "integer")
            for wide, columns in chain(
                self._by_pattern(spread, numbers), self._by_label(spread, labels, numbers)
            ):
                return wide, columns, sum(canonical(last_part(c)) in labels for c in columns)
        return None, (), 0

    def _by_pattern(self, spread: Spread, numbers: bool) -> Iterator[_Spread]:
        patterns, _ = known(self.spec.name, spread.name, "pattern")
        for pattern in (pattern for pattern in patterns if "{name}" in pattern):
            if fits := tuple(self._labelled(pattern, numbers).values()):
                # Objects may have further keys later in the file; a header has not.
                start = self._prefix + pattern.partition("{name}")[0]
                family = [column for column in self._cells if column.startswith(start)]
                columns = () if "." in pattern and len(family) == len(fits) else fits
                pattern = self._prefix + pattern.replace("{name}", f"{{{spread.name}}}")
                yield Wide(spread.value, pattern, columns), fits

    def _by_label(self, spread: Spread, labels: set[str], numbers: bool) -> Iterator[_Spread]:
        patterns, _ = known(self.spec.name, spread.name, "pattern")
        globs = [pattern for pattern in patterns if "{name}" not in pattern]
        columns = tuple(
            column
            for column in self._free
            if canonical(end := last_part(column)) in labels
            or any(fnmatchcase(end.lower(), glob) for glob in globs)
            if not numbers or self._holds_numbers(column)
        )
        holders = {column.rpartition(".")[0] for column in columns}
        prefix = f"{min(holders)}." if len(holders) == 1 and min(holders) else ""
        if columns:
            yield Wide(spread.value, f"{prefix}{{{spread.name}}}", columns), columns

    def _digests(self, given: set[str]) -> Iterator[tuple[str, str]]:
        """Yield keys that no column gives, with the column of the text they are made from."""
        for field in self.spec.fields:
            of_texts, _ = known(self.spec.name, field.name, "digest", is_shared=field.is_shared)
            names = set(map(canonical, of_texts))
            fits = (c for c in self._cells if canonical(last_part(c)) in names and "[]" not in c)
            if names and field.name not in given and (text := next(fits, None)):
                yield field.name, text


def _is_within(column: str, path: str | None) -> bool:
    """Whether a column has one value per element of the list at a path."""
    own = list_path(column)
    return own is None or (path is not None and f"{path}[]".startswith(f"{own}[]"))
