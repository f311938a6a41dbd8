"""Which tables a file holds, told from its header, its name and a few rows; never from hope."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from corpus.tabular.candidates import Candidate, match
from corpus.tabular.column_names import canonical, list_path
from corpus.tabular.database import quoted
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import stem_of
from corpus.tabular.known_shapes import known_shape
from corpus.tabular.mapping import Mapping


@dataclass(frozen=True)
class Proposal:
    """A mapping that may be meant, and what it still lacks.

    Attributes
    ----------
    mapping
        As far as it goes.
    missing
        Fields that the table needs and no column gives; "a or b" where either would do.
    """

    mapping: Mapping
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Guess:
    """What a file seems to hold.

    Attributes
    ----------
    proposals
        One per table, in the order of the specs; empty if the file is unknown.
    reason
        Why it is unknown, or what is unclear.
    unused
        Columns that no proposal reads.
    """

    proposals: tuple[Proposal, ...] = ()
    reason: str = ""
    unused: tuple[str, ...] = field(default=())

    @property
    def mappings(self) -> tuple[Mapping, ...]:
        """The mappings that lack nothing."""
        return tuple(p.mapping for p in self.proposals if not p.missing)

    @property
    def is_complete(self) -> bool:
        """Whether the file can be imported without asking anybody."""
        return bool(self.proposals) and not any(p.missing for p in self.proposals)


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
    places = {name: place for place, name in enumerate(columns)}

    def by_name(names: Sequence[str]) -> Sequence[Mapping]:
        cells = [[row[places[name]] if name in places else "" for name in names] for row in rows]
        return _by_names(names, cells, specs, file_name).mappings

    if shape := known_shape(columns, file_name, by_name):
        used = {name for mapping in shape for name in mapping.sources()}
        queries = " ".join(mapping.query for mapping in shape)
        rest = (n for n in columns if n not in used and quoted(n.partition("[]")[0]) not in queries)
        return Guess(tuple(map(Proposal, shape)), "", tuple(rest))
    return _by_names(columns, rows, specs, file_name)


def _by_names(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    specs: Sequence[TableSpec],
    file_name: str,
) -> Guess:
    stem = stem_of(file_name)
    named = {spec.name for spec in specs if is_named(spec, stem)}
    paths = [None, *dict.fromkeys(filter(None, map(list_path, columns)))]
    found: list[Candidate] = []
    for spec in specs:
        system = None if _is_table_name(spec, stem, named) else stem
        options = [match(spec, columns, rows, path, spec.name in named, system) for path in paths]
        usable = [option for option in options if option is not None]
        if usable:
            found.append(max(usable, key=lambda option: (option.is_complete, len(option.used))))
    found = [one for one in found if not any(_contains(other, one) for other in found)]
    chosen, unclear = _without_rivals(found, named)
    if not chosen:
        names = " or ".join(unclear)
        reason = f"it could hold {names}" if names else "no table has columns like these"
        return Guess((), f"{reason}; say what it holds in a mapping", tuple(columns))
    return _proposed(chosen, columns)


def is_named(spec: TableSpec, stem: str) -> bool:
    """Whether a word in a file's name begins as one that speaks for a table."""
    words = (*re.split(r"[\W_]+", stem.lower()), canonical(stem))
    return any(word.startswith(_names(spec)) for word in words)


def _names(spec: TableSpec) -> tuple[str, ...]:
    return tuple(map(canonical, (spec.name, *spec.file_names)))


def _is_table_name(spec: TableSpec, stem: str, named: set[str]) -> bool:
    """Whether a file is named after a table and so not after a system: ``system_a`` is one."""
    whole = canonical(stem)
    return (
        not whole
        or whole in {n + s for n in _names(spec) for s in ("", "s")}
        or bool(named - {spec.name})
    )


def _contains(greater: Candidate, smaller: Candidate) -> bool:
    """Whether a candidate reads all that another reads, and more."""
    return smaller.used < greater.used and (greater.is_complete or not smaller.is_complete)


def _without_rivals(found: list[Candidate], named: set[str]) -> tuple[list[Candidate], list[str]]:
    """Return the candidates that share no value column, and the names of those undecided."""
    lost: set[str] = set()
    undecided: dict[str, None] = {}
    for one, other in itertools.combinations(found, 2):
        if not one.values & other.values:
            continue
        ranks = [
            (c.spec.name in named, c.is_complete, c.known_labels, len(c.used)) for c in (one, other)
        ]
        if ranks[0] != ranks[1]:
            lost.add((other if ranks[0] > ranks[1] else one).spec.name)
        else:
            undecided.update({one.spec.name: None, other.spec.name: None})
    open_questions = [name for name in undecided if name not in lost]
    if open_questions:
        return [], open_questions
    return [one for one in found if one.spec.name not in lost], []


def _proposed(chosen: list[Candidate], columns: Sequence[str]) -> Guess:
    proposals = []
    used = set().union(*(candidate.used | candidate.digested for candidate in chosen))
    rest = tuple(column for column in columns if column not in used)
    for candidate in chosen:
        mapping = candidate.mapping
        # Beside other tables nobody knows to which of them a further column belongs.
        if candidate.spec.keep_other_columns_as_attributes and len(chosen) == 1:
            mapping = replace(mapping, attributes=tuple(c for c in rest if "[]" not in c))
        if any(_repeats(candidate, other) for other in chosen):
            mapping = replace(mapping, distinct=True)
        proposals.append(Proposal(mapping, mapping.missing_fields(candidate.spec)))
    kept = {name for proposal in proposals for name in proposal.mapping.attributes}
    return Guess(tuple(proposals), "", tuple(column for column in rest if column not in kept))


def _repeats(candidate: Candidate, other: Candidate) -> bool:
    """Whether rows of another table in the same file repeat a candidate's records."""
    return candidate.keys < other.keys and candidate.mapping.explode == other.mapping.explode
