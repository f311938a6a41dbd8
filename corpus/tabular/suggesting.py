"""Which tables a file may hold, told from what is in its columns where their names do not say.

What is said here is never believed without a person who confirms it: the mapping page shows it, the
command and the API print it and leave the file alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from corpus.tabular.column_contents import ColumnContent
from corpus.tabular.column_groups import shared_pattern
from corpus.tabular.column_names import canonical
from corpus.tabular.fields import TableSpec
from corpus.tabular.mapping import Mapping, Wide

FEWEST_ROWS = 4
"""Of fewer rows the contents say nothing."""
ROWS_LOOKED_AT = 300
_KEYS = ("segment", "system", "rater", "aspect", "metric")
_TEXTS = ("source", "output")


def suggest(
    columns: Sequence[str], rows: Sequence[Sequence[str]], specs: Sequence[TableSpec]
) -> tuple[Mapping, ...]:
    """Propose mappings of a file by what its columns hold; none if too much stays open.

    Parameters
    ----------
    columns
        Header; columns within lists are passed over.
    rows
        Some rows as texts, in the order of the columns: enough that keys come again.
    specs
        The tables that there are.
    """
    if len(rows) < FEWEST_ROWS:
        return ()
    found = _Roles(columns, rows, specs)
    found.look()
    known = {spec.name: spec for spec in specs}
    return tuple(
        mapping
        for mapping in _mappings(found)
        if mapping.table in known and not mapping.missing_fields(known[mapping.table])
    )


class _Roles:
    """What each column is for, found out step by step: by its name, else by its cells."""

    def __init__(
        self, columns: Sequence[str], rows: Sequence[Sequence[str]], specs: Sequence[TableSpec]
    ) -> None:
        self.count = len(rows)
        self.columns = {
            name: ColumnContent(name, [row[place] for row in rows])
            for place, name in enumerate(columns)
            if "[]" not in name
        }
        self.by_role: dict[str, str] = {}
        self.texts_beside: list[str] = []
        """Texts of a row that are neither its source nor its one output."""
        for role in (*_KEYS, *_TEXTS):
            names = _names_of(role, specs)
            fits = [name for name in self._free() if canonical(name.rpartition(".")[2]) in names]
            if fits:
                self.by_role[role] = fits[0]

    def look(self) -> None:
        """Find the columns of keys, texts and scores."""
        self._find_segment()
        self._find_system()
        self.ratings = self._of_kind("rating", "percentage")
        self.scores = self._of_kind("number")
        if "system" in self.by_role:
            self._find_what_tells_apart()

    def column(self, role: str) -> ColumnContent | None:
        """Return the column of a role."""
        name = self.by_role.get(role)
        return None if name is None else self.columns[name]

    def rows_of(self, *roles: str) -> list[tuple[str, ...]]:
        """Return the cells of some roles, row by row."""
        held = [self.columns[self.by_role[role]].cells for role in roles if role in self.by_role]
        return list(zip(*held, strict=True))

    def is_determined(self, text: str, *keys: str) -> bool:
        """Whether a text has its column, and rows with the same keys have the same text."""
        held = [column.cells for key in keys if (column := self.column(key))]
        found = self.column(text)
        return found is not None and (not held or _determines(held, found.cells))

    def _free(self) -> list[str]:
        taken = {*self.by_role.values(), *self.texts_beside}
        return [name for name in self.columns if name not in taken]

    def _of_kind(self, *kinds: str) -> list[str]:
        return [name for name in self._free() if self.columns[name].kind in kinds]

    def _find_segment(self) -> None:
        """Find key and source: the text that is equal wherever the key is, and not elsewhere."""
        segment, source = self.column("segment"), self.column("source")
        texts = [source] if source else [self.columns[name] for name in self._of_kind("text")]
        names = self._of_kind("name", "integer", "rating", "percentage")
        keys = [segment] if segment else [self.columns[name] for name in names]
        fits = [
            (len(key.values), key.name, text.name)
            for text in texts
            for key in keys
            if len(key.values) >= FEWEST_ROWS - 1 and _determines([key.cells], text.cells)
            if segment or _determines([text.cells], key.cells)
        ]
        if fits:
            # Of several pairs the one that comes again most: a key of rows names no segment.
            _, key_name, text_name = min(fits, key=lambda fit: fit[0])
            self.by_role |= {"segment": key_name, "source": text_name}
        elif texts and not segment and (pair := self._pair_of_keys()):
            self.by_role["segment"] = pair
        elif texts and not segment:
            self.by_role["source"] = min(texts, key=lambda text: len(text.values)).name
        elif not texts and not segment:
            numbered = [self.columns[n] for n in names if self.columns[n].kind != "rating"]
            if numbered:
                most = max(numbered, key=lambda each: len(each.values))
                self.by_role["segment"] = most.name

    def _pair_of_keys(self) -> str | None:
        """Return the key of segments where each text has two keys, the other being a system's."""
        names = self._names()
        for place, one in enumerate(names):
            for other in names[place + 1 :]:
                if len(set(zip(one.cells, other.cells, strict=True))) == self.count:
                    return max(one, other, key=lambda each: len(each.values)).name
        return None

    def _find_system(self) -> None:
        """Find system and output: the names that, with the key, determine another text."""
        key = self.column("segment") or self.column("source")
        if key is None:
            return
        output = self.column("output")
        texts = [output] if output else [self.columns[n] for n in self._of_kind("text")]
        texts = [text for text in texts if not _is_constant(text)]
        system = self.column("system")
        names = [system] if system else self._names()
        if key.is_unique and not system:
            self.texts_beside = [text.name for text in texts]
            return
        for text in texts:
            for name in sorted(names, key=lambda each: len(each.values)):
                if _determines([key.cells, name.cells], text.cells):
                    self.by_role |= {"system": name.name, "output": text.name}
                    return
        if not texts and names and "source" not in self.by_role:
            self.by_role["system"] = names[0].name

    def _names(self) -> list[ColumnContent]:
        """Return the columns of names that come again."""
        found = [self.columns[name] for name in self._of_kind("name")]
        return [each for each in found if 2 <= len(each.values) < self.count]

    def _find_what_tells_apart(self) -> None:
        """Give raters and aspects, or metrics, the names without which records would repeat."""
        roles = ["metric"] if self.scores and not self.ratings else ["rater", "aspect"]
        for role in roles:
            if role in self.by_role:
                continue
            known = [each for each in _KEYS if each in self.by_role]
            before = len(set(self.rows_of(*known)))
            if before == self.count:
                return
            for name in self._names():
                cells = zip(self.rows_of(*known), name.cells, strict=True)
                if len(set(cells)) > before:
                    self.by_role[role] = name.name
                    break


def _mappings(found: _Roles) -> Iterable[Mapping]:
    """Say how the tables are read of which the columns are known."""
    role = found.by_role
    key = {"segment": role["segment"]} if "segment" in role else {}
    digests = {"segment": role["source"]} if "source" in role and not key else {}
    if found.is_determined("source", "segment"):
        segments = set(found.rows_of("segment", "source"))
        columns = {**key, "source": role["source"]}
        is_repeated = len(segments) < found.count
        yield Mapping("segments", {**columns}, digests=digests, distinct=is_repeated)
    if found.texts_beside:
        wide = Wide("system", "output", tuple(found.texts_beside))
        yield Mapping("outputs", {**key}, digests=digests, wide=wide)
    if "system" not in role:
        return
    key["system"] = role["system"]
    if found.is_determined("output", "segment" if "segment" in role else "source", "system"):
        outputs = set(found.rows_of("segment", "source", "system"))
        columns = {**key, "output": role["output"]}
        is_repeated = len(outputs) < found.count
        yield Mapping("outputs", {**columns}, digests=digests, distinct=is_repeated)
    judged = key | {name: column for name, column in role.items() if name in ("rater", "aspect")}
    yield from _judgements("ratings", judged, digests, "aspect", found.ratings)
    scored = key | {name: column for name, column in role.items() if name == "metric"}
    yield from _judgements("metric_scores", scored, digests, "metric", found.scores)


def _judgements(
    table: str, columns: dict[str, str], digests: dict[str, str], label: str, numbers: list[str]
) -> Iterable[Mapping]:
    """Say how numbers are read: as one score, or as one for each label or rater."""
    if not numbers:
        return
    if len(numbers) == 1 and (label in columns or table == "ratings"):
        yield Mapping(table, {**columns, "score": numbers[0]}, digests=digests)
        return
    if label in columns:
        if table != "ratings" or "rater" in columns:
            return
        label = "rater"
    elif table == "ratings" and "rater" not in columns and _are_numbered(numbers):
        label = "rater"
    pattern = None if label == "rater" else shared_pattern(numbers)
    wide = Wide(label, "score", tuple(numbers), pattern, skip_empty=True)
    yield Mapping(table, {**columns}, digests=digests, wide=wide)


def _are_numbered(names: Sequence[str]) -> bool:
    """Whether names of columns differ by a number alone: ``judge1`` and ``judge2`` do."""
    stems = {re.sub(r"[0-9]+", "", name) for name in names}
    return len(stems) == 1 and bool(stems.pop().strip("_-. "))


def _names_of(role: str, specs: Iterable[TableSpec]) -> set[str]:
    """Return the known names of a column that has a role."""
    found = {canonical(role)}
    for spec in specs:
        for field in spec.fields:
            if field.name == role:
                found |= {canonical(name) for name in field.synonyms if "{" not in name}
    return found


def _determines(keys: Sequence[Sequence[str]], cells: Sequence[str]) -> bool:
    """Whether rows with the same keys have the same cell."""
    seen: dict[tuple[str, ...], str] = {}
    rows = zip(zip(*keys, strict=True), cells, strict=True)
    return all(seen.setdefault(key, cell) == cell for key, cell in rows)


def _is_constant(column: ColumnContent) -> bool:
    return len(column.values) < 2
