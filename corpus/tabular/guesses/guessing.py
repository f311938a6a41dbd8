"""Which tables a file holds, told from its header, its name and a few rows; never from hope."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from corpus.tabular.guesses.column_matching import Candidate, Cells
from corpus.tabular.guesses.columns import canonical, list_path
from corpus.tabular.guesses.known_shapes import known_shape
from corpus.tabular.opening.files import stem_of
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.sql import quoted


@dataclass(frozen=True)
class Guess:
    """What a file seems to hold.

    Attributes
    ----------
    mappings
        One per table, in the order of the specs, as far as each goes; none if the file is unknown.
    missing
        By table the fields that it needs and no column gives; "a or b" where either would do.
    reason
        Why the file is unknown, or what it lacks.
    unused
        Columns that no mapping reads.
    suggested
        How the file may be read by what its columns hold, which somebody has to confirm.
    """

    mappings: tuple[Mapping, ...] = ()
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reason: str = ""
    unused: tuple[str, ...] = ()
    suggested: tuple[Mapping, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the file can be imported without asking anybody."""
        return bool(self.mappings) and not self.missing


def guess(
    columns: Sequence[str],
    sample_rows: Iterable[Sequence[str]],
    specs: Sequence[TableSpec],
    *,
    file_name: str = "",
) -> Guess:
    """Propose mappings for a file.

    A table is proposed if the fields that it is recognised by have columns. Of two tables where
    one would read only a part of what the other reads, the greater stays. Two tables that claim
    the same column as a value are told apart by the file's name, else by the number of columns,
    else not at all: then the file is unknown.

    Parameters
    ----------
    columns
        Header; of JSON dotted names.
    sample_rows
        A few rows as texts, in the order of the columns.
    specs
        The tables that there are.
    file_name
        Its stem may name the table or, with one file per system, the system.
    """
    rows = list(sample_rows)
    cells = {name: {row[place] for row in rows} for place, name in enumerate(columns)}

    def by_name(names: Sequence[str]) -> Sequence[Mapping]:
        found = _by_names({n: cells.get(n, {""}) for n in names}, specs, file_name)
        return [mapping for mapping in found.mappings if mapping.table not in found.missing]

    if shape := known_shape(columns, file_name, by_name):
        used = {name for mapping in shape for name in mapping.sources()}
        queries = " ".join(mapping.query for mapping in shape)
        rest = (n for n in columns if n not in used and quoted(n.partition("[]")[0]) not in queries)
        return Guess(tuple(shape), unused=tuple(rest))
    return _by_names(cells, specs, file_name)


def _by_names(cells: Cells, specs: Sequence[TableSpec], file_name: str) -> Guess:
    stem = stem_of(file_name)
    named = {spec.name for spec in specs if _is_named(spec, stem)}
    paths = [None, *dict.fromkeys(filter(None, map(list_path, cells)))]
    found: list[Candidate] = []
    for spec in specs:
        system = None if _is_table_name(spec, stem, named) else stem
        options = (Candidate(spec, cells, path, spec.name in named, system) for path in paths)
        if usable := [option for option in options if option.is_recognised]:
            found.append(max(usable, key=lambda option: (option.is_complete, len(option.used))))
    found = [one for one in found if not any(one.is_part_of(other) for other in found)]
    lost, undecided = _rivals(found)
    if undecided or not found:
        names = " or ".join(undecided)
        reason = f"it could hold {names}" if names else "no table has columns like these"
        return Guess(reason=f"{reason}; say what it holds in a mapping", unused=tuple(cells))
    return _proposed([one for one in found if one.spec.name not in lost], [*cells])


def _is_named(spec: TableSpec, stem: str) -> bool:
    """Whether a word in a file's name begins as one that speaks for a table."""
    words = (*re.split(r"[\W_]+", stem.lower()), canonical(stem))
    return any(word.startswith(_names(spec)) for word in words)


def _is_table_name(spec: TableSpec, stem: str, named: set[str]) -> bool:
    """Whether a file is named after a table and so not after a system: ``system_a`` is one."""
    names = {"", *(name.removesuffix("s") for name in _names(spec))}
    return canonical(stem).removesuffix("s") in names or bool(named - {spec.name})


def _names(spec: TableSpec) -> tuple[str, ...]:
    return tuple(map(canonical, (spec.name, *spec.file_names)))


def _rivals(found: list[Candidate]) -> tuple[set[str], list[str]]:
    """Return the tables that lose a column they claim to another, and those undecided."""
    lost: set[str] = set()
    undecided: list[str] = []
    for one, other in combinations(found, 2):
        if one.values & other.values:
            if one.weight == other.weight:
                undecided += [one.spec.name, other.spec.name]
            else:
                lost.add(min(one, other, key=lambda each: each.weight).spec.name)
    return lost, [name for name in dict.fromkeys(undecided) if name not in lost]


def _proposed(chosen: list[Candidate], columns: Sequence[str]) -> Guess:
    used = set().union(*(candidate.used | candidate.digested for candidate in chosen))
    rest = [column for column in columns if column not in used]
    # Beside other tables nobody knows to which of them a further column belongs.
    keeps = len(chosen) == 1 and chosen[0].spec.keep_other_columns_as_attributes
    kept = tuple(column for column in rest if keeps and "[]" not in column)
    # Rows of another table in the file repeat the records of this one.
    repeats = [any(one.is_repeated_by(other) for other in chosen) for one in chosen]
    mappings = tuple(
        replace(each.mapping, attributes=kept, distinct=distinct)
        for each, distinct in zip(chosen, repeats, strict=True)
    )
    lacking = {each.spec.name: each.mapping.missing_fields(each.spec) for each in chosen}
    missing = {table: names for table, names in lacking.items() if names}
    reason = "; ".join(f"{table} lacks {', '.join(names)}" for table, names in missing.items())
    return Guess(mappings, missing, reason, tuple(c for c in rest if c not in kept))
