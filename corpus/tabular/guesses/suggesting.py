"""Which tables a file may hold, told from what is in its columns where their names do not say.

What is said here is never believed without a person who confirms it: the mapping page shows it, the
command and the API print it and leave the file alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from corpus.tabular.guesses.columns import Look, canonical, last_part
from corpus.tabular.guesses.known_columns import known
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping, constant, key_made_of, list_of
from corpus.tabular.shaping.wide import Wide, shared_pattern

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
        self.by_role: dict[str, str] = {}
        self.texts_beside: list[str] = []
        """Texts of a row that are neither its source nor its one output."""
        for role in (*_KEYS, *_TEXTS):
            names = _names_of(role, specs)
            if fits := [n for n in self._free() if canonical(last_part(n)) in names]:
                self.by_role[role] = fits[0]
        self._find_texts()
        self.numbers = {
            "ratings": self._of_kind("rating", "percentage"),
            "metric_scores": self._of_kind("number"),
        }
        self.references = self._references(specs)
        if "system" in self.by_role:
            self._find_what_tells_apart()

    def used(self, *roles: str) -> list[str]:
        """Return the columns of those roles that have one."""
        return [self.by_role[role] for role in roles if role in self.by_role]

    def texts(self, text: str, *keys: str) -> Mapping | None:
        """Return how texts are read that are the same wherever their keys are."""
        held, found = self.used(*keys), self.used(text)
        if not found or (held and not self.look.determines(found[0], *held)):
            return None
        columns = {**self.keys("segment", *keys), text: found[0]}
        if text == "source" and self.references:
            columns["reference"] = list_of(self.references)
        told_apart = self.look.combinations(*self.used("segment", "source", *keys))
        table = "segments" if text == "source" else "outputs"
        is_repeated = told_apart < self.look.rows
        return Mapping(table, columns, distinct=is_repeated)

    def keys(self, *roles: str) -> dict[str, str]:
        """Return the columns of keys by their fields; of a segment without a key it is made."""
        found = {
            role: self.by_role[role] for role in _KEYS if role in roles and role in self.by_role
        }
        if "segment" in roles and "segment" not in found and "source" in self.by_role:
            found["segment"] = key_made_of(self.by_role["source"])
        return found

    def _free(self) -> list[str]:
        taken = {*self.by_role.values(), *self.texts_beside}
        return [name for name in self.look.columns if name not in taken]

    def _of_kind(self, *kinds: str) -> list[str]:
        """Return free columns of some kinds; of numbers none that are times or count rows."""
        found = [name for name in self._free() if self.look.columns[name].kind in kinds]
        return [n for n in found if "name" in kinds or not _NO_ANSWER.search(_words(n))]

    def _distinct(self, name: str) -> int:
        return self.look.columns[name].distinct

    def _names(self) -> list[str]:
        """Return the columns of names that come again."""
        return [n for n in self._of_kind("name") if 2 <= self._distinct(n) < self.look.rows]

    def _find_texts(self) -> None:
        """Find segment, source, system and output: the first reading in which all are found."""
        known, found = self.by_role, list[dict[str, str]]()
        for roles in list(self._segments()) or [{}]:
            self.by_role = known | roles
            self._find_system()
            found.append(self.by_role)
            if {"output", "source"} <= self.by_role.keys() or self.texts_beside:
                return
        self.by_role = found[0]

    def _segments(self) -> Iterator[dict[str, str]]:
        """Yield what may be key and source: a text that is equal wherever its key is."""
        look, segment = self.look, self.by_role.get("segment")
        texts = self.used("source") or self._of_kind("text")
        names = self._of_kind("name", "integer", "rating", "percentage")
        fits = [
            (key, text)
            for text, key in product(texts, self.used("segment") or names)
            if self._distinct(key) >= FEWEST_ROWS - 1
            and look.determines(text, key)
            and (segment or look.determines(key, text))
        ]
        # Of several pairs the one that comes again most: a key of rows names no segment.
        for key, text in sorted(fits, key=lambda fit: self._distinct(fit[0])):
            yield {"segment": key, "source": text}
        if segment:
            return
        # Where each text has two keys, the other is a system's.
        pairs = combinations(self._names() if texts and not fits else (), 2)
        if whole := next((pair for pair in pairs if look.combinations(*pair) == look.rows), None):
            yield {"segment": max(whole, key=self._distinct)}
            return
        yield from ({"source": text} for text in sorted(texts, key=self._distinct))
        numbered = [name for name in names if look.columns[name].kind != "rating"]
        if not texts and numbered:
            yield {"segment": max(numbered, key=self._distinct)}

    def _find_system(self) -> None:
        """Find system and output: the names that, with the key, determine another text."""
        keys, system, output = (
            self.used("segment", "source"),
            self.used("system"),
            self.used("output"),
        )
        texts = [t for t in output or self._of_kind("text") if self._distinct(t) > 1]
        names = system or self._names()
        if keys and self.look.columns[keys[0]].is_unique and not system:
            self.texts_beside = texts
        elif keys:
            for text, name in product(texts, sorted(names, key=self._distinct)):
                is_its_own = output or not self.look.determines(text, keys[0])
                if is_its_own and self.look.determines(text, keys[0], name):
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
        return found or (list(self.look.lists[:1]) if "system" not in self.by_role else [])

    def _find_what_tells_apart(self) -> None:
        """Give raters and aspects, or metrics, the names without which records would repeat."""
        is_score = self.numbers["metric_scores"] and not self.numbers["ratings"]
        for role in ["metric"] if is_score else ["rater", "aspect"]:
            known = self.used(*_KEYS)
            before = self.look.combinations(*known)
            fits = (n for n in self._names() if self.look.combinations(*known, n) > before)
            if role not in self.by_role and before < self.look.rows and (name := next(fits, None)):
                self.by_role[role] = name


def _mappings(found: _Roles) -> Iterator[Mapping]:
    """Say how the tables are read of which the columns are known."""
    segment, has_system = found.keys("segment"), "system" in found.by_role
    yield from filter(None, [found.texts("source", "segment")])
    if found.texts_beside:
        wide = Wide("output", "{system}", tuple(found.texts_beside))
        yield Mapping("outputs", segment, wide=wide)
    if has_system:
        key = "segment" if "segment" in found.by_role else "source"
        yield from filter(None, [found.texts("output", key, "system")])
        for table, *labels in (("ratings", "rater", "aspect"), ("metric_scores", "metric")):
            if numbers := found.numbers[table]:
                judged = found.keys("segment", "system", *labels)
                yield from _judgements(table, judged, labels[-1], numbers)


def _judgements(
    table: str, columns: dict[str, str], label: str, numbers: list[str]
) -> Iterator[Mapping]:
    """Say how numbers are read: as one score, or as one for each label or rater."""
    is_rating, of_rater = table == "ratings", "rater" in columns
    overall = {"aspect": constant(OVERALL)} if is_rating and "aspect" not in columns else {}
    if len(numbers) == 1 and (label in columns or is_rating):
        yield Mapping(table, {**columns, **overall, "score": numbers[0]})
    elif label not in columns or (is_rating and not of_rater):
        if label in columns or (is_rating and not of_rater and _are_numbered(numbers)):
            label = "rater"
        pattern = "{rater}" if label == "rater" else shared_pattern(numbers, label)
        wide = Wide("score", pattern, tuple(numbers))
        yield Mapping(table, columns | (overall if label != "aspect" else {}), wide=wide)


def _are_numbered(names: Sequence[str]) -> bool:
    """Whether names of columns differ by a number alone: ``judge1`` and ``judge2`` do."""
    stems = {re.sub(r"[0-9]+", "", name) for name in names}
    return len(stems) == 1 and bool(stems.pop().strip("_-. "))


def _names_of(role: str, specs: Iterable[TableSpec]) -> set[str]:
    """Return the known names of a column that has a role."""
    fields = [(spec.name, f.is_shared) for spec in specs for f in spec.fields if f.name == role]
    found = (known(table, role, is_shared=is_shared)[0] for table, is_shared in fields)
    return set(map(canonical, (role, *(n for names in found for n in names if "{" not in n))))


def _words(name: str) -> str:
    """Return the words of a name in small letters, one space between them."""
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", name)).lower()
