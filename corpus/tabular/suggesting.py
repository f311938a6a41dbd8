"""Which tables a file may hold, told from what is in its columns where their names do not say.

What is said here is never believed without a person who confirms it: the mapping page shows it, the
command and the API print it and leave the file alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from corpus.tabular.column_groups import shared_pattern
from corpus.tabular.column_names import canonical
from corpus.tabular.fields import TableSpec
from corpus.tabular.looking import Look
from corpus.tabular.mapping import Columns, Mapping, Wide

FEWEST_ROWS = 4
"""Of fewer rows the contents say nothing."""
OVERALL = "overall"
"""The aspect of ratings of which nothing says what was rated."""
_KEYS = ("segment", "system", "rater", "aspect", "metric")
_TEXTS = ("source", "output")
_HUMAN = {"human", "gold", "humantext", "humanoutput"}
_NO_ANSWER = re.compile(
    r"\b(id|ids|index|idx|time|seconds|secs|minutes|duration|date|age|year|seed|progress)$|"
    r" (nr|num|number|length|count|words|tokens|turn|order|position|page|batch|version)$"
)
"""Ends of names of numbers that are neither answers nor scores."""


def suggest(look: Look, specs: Sequence[TableSpec]) -> tuple[Mapping, ...]:
    """Propose mappings of a file by what its columns hold; none if too much stays open."""
    if look.rows < FEWEST_ROWS:
        return ()
    known = {spec.name: spec for spec in specs}
    return tuple(
        mapping
        for mapping in _mappings(_Roles(look, specs))
        if mapping.table in known and not mapping.missing_fields(known[mapping.table])
    )


class _Roles:
    """What each column is for, found out step by step: by its name, else by its cells."""

    def __init__(self, look: Look, specs: Sequence[TableSpec]) -> None:
        self.look = look
        self.columns = look.columns
        self.by_role: dict[str, str] = {}
        self.texts_beside: list[str] = []
        """Texts of a row that are neither its source nor its one output."""
        for role in (*_KEYS, *_TEXTS):
            names = _names_of(role, specs)
            fits = [name for name in self._free() if canonical(name.rpartition(".")[2]) in names]
            if fits:
                self.by_role[role] = fits[0]
        self._find_texts()
        self.ratings = self._of_kind("rating", "percentage")
        self.scores = self._of_kind("number")
        self.references = self._references(specs)
        if "system" in self.by_role:
            self._find_what_tells_apart()

    def used(self, *roles: str) -> list[str]:
        """Return the columns of those roles that have one."""
        return [self.by_role[role] for role in roles if role in self.by_role]

    def is_repeated(self, *roles: str) -> bool:
        """Whether rows are equal in some roles."""
        return self.look.combinations(*self.used(*roles)) < self.look.rows

    def is_determined(self, text: str, *keys: str) -> bool:
        """Whether a text has its column, and rows with the same keys have the same text."""
        held = self.used(*keys)
        found = self.by_role.get(text)
        return found is not None and (not held or self.look.determines(found, *held))

    def _free(self) -> list[str]:
        taken = {*self.by_role.values(), *self.texts_beside}
        return [name for name in self.columns if name not in taken]

    def _of_kind(self, *kinds: str) -> list[str]:
        """Return free columns of some kinds; of numbers none that are times or count rows."""
        found = [name for name in self._free() if self.columns[name].kind in kinds]
        return [n for n in found if "name" in kinds or not _NO_ANSWER.search(_words(n))]

    def _find_texts(self) -> None:
        """Find segment, source, system and output: the first reading in which all are found."""
        known, found = dict(self.by_role), list[dict[str, str]]()
        for roles in self._segments():
            self.by_role, self.texts_beside = known | roles, []
            self._find_system()
            found.append(dict(self.by_role))
            if {"output", "source"} <= self.by_role.keys() or self.texts_beside:
                return
        self.by_role = found[0] if found else known
        if not found:
            self._find_system()

    def _segments(self) -> Iterator[dict[str, str]]:
        """Yield what may be key and source: a text that is equal wherever its key is."""
        segment, source = self.by_role.get("segment"), self.by_role.get("source")
        texts = [source] if source else self._of_kind("text")
        names = self._of_kind("name", "integer", "rating", "percentage")
        keys = [segment] if segment else names
        fits = [
            (self.columns[key].distinct, key, text)
            for text in texts
            for key in keys
            if self.columns[key].distinct >= FEWEST_ROWS - 1
            and self.look.determines(text, key)
            and (segment or self.look.determines(key, text))
        ]
        # Of several pairs the one that comes again most: a key of rows names no segment.
        for _, key, text in sorted(fits, key=lambda fit: fit[0]):
            yield {"segment": key, "source": text}
        if segment:
            return
        if texts and not fits and (pair := self._pair_of_keys()):
            yield {"segment": pair}
            return
        for text in sorted(texts, key=lambda text: self.columns[text].distinct):
            yield {"source": text}
        numbered = [name for name in names if self.columns[name].kind != "rating"]
        if not texts and numbered:
            yield {"segment": max(numbered, key=lambda name: self.columns[name].distinct)}

    def _pair_of_keys(self) -> str | None:
        """Return the key of segments where each text has two keys, the other being a system's."""
        for one, other in combinations(self._names(), 2):
            if self.look.combinations(one, other) == self.look.rows:
                return max(one, other, key=lambda name: self.columns[name].distinct)
        return None

    def _find_system(self) -> None:
        """Find system and output: the names that, with the key, determine another text."""
        key = self.by_role.get("segment") or self.by_role.get("source")
        if key is None:
            return
        output, system = self.by_role.get("output"), self.by_role.get("system")
        texts = [output] if output else self._of_kind("text")
        texts = [text for text in texts if self.columns[text].distinct > 1]
        names = [system] if system else self._names()
        if self.columns[key].is_unique and not system:
            self.texts_beside = texts
            return
        for text in texts:
            for name in sorted(names, key=lambda each: self.columns[each].distinct):
                is_its_own = output or not self.look.determines(text, key)
                if is_its_own and self.look.determines(text, key, name):
                    self.by_role |= {"system": name, "output": text}
                    return
        if not texts and names and "source" not in self.by_role:
            self.by_role["system"] = names[0]

    def _references(self, specs: Sequence[TableSpec]) -> list[str]:
        """Return texts that their names call references, or human, and that segments determine."""
        names = _names_of("reference", specs) | _HUMAN
        keys = self.used("segment") or self.used("source")
        texts = self._of_kind("text") if keys else []
        found = [n for n in texts if canonical(n) in names and self.look.determines(n, *keys)]
        lists = self.look.lists if "system" not in self.by_role else []
        return found or lists[:1]

    def _names(self) -> list[str]:
        """Return the columns of names that come again."""
        held = self.columns
        return [n for n in self._of_kind("name") if 2 <= held[n].distinct < self.look.rows]

    def _find_what_tells_apart(self) -> None:
        """Give raters and aspects, or metrics, the names without which records would repeat."""
        roles = ["metric"] if self.scores and not self.ratings else ["rater", "aspect"]
        for role in roles:
            if role in self.by_role:
                continue
            known = self.used(*_KEYS)
            before = self.look.combinations(*known)
            if before == self.look.rows:
                return
            for name in self._names():
                if self.look.combinations(*known, name) > before:
                    self.by_role[role] = name
                    break


def _mappings(found: _Roles) -> Iterable[Mapping]:
    """Say how the tables are read of which the columns are known."""
    role = found.by_role
    key = {"segment": role["segment"]} if "segment" in role else {}
    digests = {"segment": role["source"]} if "source" in role and not key else {}
    if found.is_determined("source", "segment"):
        columns: dict[str, Columns] = {**key, "source": role["source"]}
        if found.references:
            columns["reference"] = tuple(found.references)
        is_repeated = found.is_repeated("segment", "source")
        yield Mapping("segments", columns, digests=digests, distinct=is_repeated)
    if found.texts_beside:
        wide = Wide("system", "output", tuple(found.texts_beside))
        yield Mapping("outputs", {**key}, digests=digests, wide=wide)
    if "system" not in role:
        return
    key["system"] = role["system"]
    if found.is_determined("output", "segment" if "segment" in role else "source", "system"):
        columns = {**key, "output": role["output"]}
        is_repeated = found.is_repeated("segment", "source", "system")
        yield Mapping("outputs", columns, digests=digests, distinct=is_repeated)
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
    constants = {"aspect": OVERALL} if table == "ratings" and "aspect" not in columns else {}
    if len(numbers) == 1 and (label in columns or table == "ratings"):
        yield Mapping(table, {**columns, "score": numbers[0]}, constants, digests=digests)
        return
    if label in columns:
        if table != "ratings" or "rater" in columns:
            return
        label = "rater"
    elif table == "ratings" and "rater" not in columns and _are_numbered(numbers):
        label = "rater"
    pattern = None if label == "rater" else shared_pattern(numbers)
    wide = Wide(label, "score", tuple(numbers), pattern, skip_empty=True)
    constants = constants if label != "aspect" else {}
    yield Mapping(table, {**columns}, constants, digests=digests, wide=wide)


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


def _words(name: str) -> str:
    """Return the words of a name in small letters, one space between them."""
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", name)).lower()
