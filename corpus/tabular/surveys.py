"""Answers of surveys: one row a respondent, names of columns that hold segment, system, aspect."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.tabular.column_contents import ColumnContent
from corpus.tabular.column_names import canonical
from corpus.tabular.fields import TableSpec
from corpus.tabular.known_values import may_be_numbers
from corpus.tabular.looking import Look
from corpus.tabular.mapping import Columns, Wide
from corpus.tabular.mapping import Mapping as Choices

FEWEST_QUESTIONS = 3
_RATINGS = "ratings"
_ABOUT_RESPONSES = {
    *("startdate", "enddate", "status", "ipaddress", "progress", "duration", "finished", "score"),
    *("recordeddate", "responseid", "recipientlastname", "recipientfirstname", "recipientemail"),
    *("externalreference", "locationlatitude", "locationlongitude", "distributionchannel", "id"),
    *("userlanguage", "timestamp", "lastpage", "seed", "startlanguage", "submitdate", "datestamp"),
    *("refurl", "responsetype", "collectorid", "lastname", "firstname", "interviewtime", "age"),
    *("customdata1", "gender", "respondentid"),
}
"""Columns of answers' circumstances, as tools for surveys name them."""
_RESPONDENTS = (
    *("prolificpid", "prolificid", "workerid", "participantid", "participant", "rater"),
    *("annotator", "raterid", "annotatorid", "username", "emailaddress", "email", "token"),
    *("responseid", "respondentid", "respondent", "userid", "user", "name", "id"),
)
"""Names of columns that name who answered, the best first."""
_CUTS = (
    re.compile(r"(\s*(?:[\[\]()/|:>_]|\. |\s[-–—.]\s)+\s*)"),
    re.compile(r"(\s*(?:[\[\]()/|:>_.,?]|\s[-–—]\s)+\s*|\s+)"),
    re.compile(r"((?:[\W_]|(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d]))+)"),
)
"""What parts of a name are cut at: marks, then spaces too, then where letters meet digits."""
_KEYS = {
    "segment": ("segment", "item", "segmentid", "itemid", "id", "document", "text"),
    "system": ("system", "model", "sys", "systemid", "modelid"),
    "rater": ("rater", "annotator", "raterid", "annotatorid", "judge", "workerid", "worker"),
}
_STEM = 5
_SENTENCE = re.compile(r"(\D*\W)?([^\W\d_]*\d+)(\D*)")
_NUMBERED = re.compile(r"\W*(?:[^\W\d_]*[\W_]*\d+)+\W*")


@dataclass(frozen=True)
class _Family:
    """Columns of answers whose names have the same marks between as many parts."""

    names: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    marks: tuple[str, ...]

    @property
    def varying(self) -> list[int]:
        """Places of the parts that differ."""
        return [n for n in range(len(self.parts[0])) if len(self.values(n)) > 1]

    def is_question(self, place: int) -> bool:
        """Whether the parts at a place are several words each."""
        return all(value.strip().count(" ") > 1 for value in self.values(place))

    def values(self, place: int) -> list[str]:
        """Return the different parts at a place."""
        return list(dict.fromkeys(parts[place] for parts in self.parts))


def survey(look: Look, specs: Sequence[TableSpec]) -> tuple[Choices, ...]:
    """Propose how answers of a survey are read; nothing if its columns are none."""
    ratings = next((spec for spec in specs if spec.name == _RATINGS), None)
    keys = _keys_of_rows(look)
    if ratings is None or "rater" in keys:
        return ()
    aspects = _aspects(ratings)
    answers = [each.name for each in look.columns.values() if _is_answer(each)]
    for cut in _CUTS:
        family = _family(answers, cut)
        roles = _roles(family, aspects, set(keys)) if family else {}
        if family and roles:
            columns = keys or _respondent(look, family.names)
            return tuple(_mappings(family, roles, columns, aspects))
    return ()


def _aspects(ratings: TableSpec) -> dict[str, str]:
    """Return known aspects by their names as these are compared."""
    spreads = [spread for spread in ratings.wide if spread.name == "aspect"]
    labels = [[*each.labels, *(name for name, _ in each.labels_beside)] for each in spreads]
    return {canonical(label): label for each in labels for label in each}


def _aspect_in(text: str, aspects: Mapping[str, str]) -> str:
    """Return the aspect that a question names: fluency where it asks what is fluent."""
    words = [canonical(word) for word in re.split(r"[\W_]+", text)]
    for plain, label in aspects.items():
        stem = plain[:_STEM]
        if len(stem) == _STEM and any(word.startswith(stem) for word in words):
            return label
    return ""


def _is_answer(column: ColumnContent) -> bool:
    """Whether cells are numbers of a scale, labels of one, or one of a few words."""
    if canonical(re.sub(r"\(.*|\..*", "", column.name)) in _ABOUT_RESPONSES:
        return False
    is_scale = column.kind in ("rating", "percentage", "name", "text")
    return is_scale and bool(column.values) and may_be_numbers(column.values)


def _family(names: Sequence[str], cut: re.Pattern[str]) -> _Family | None:
    """Return the most columns that are cut alike, if they are most of the columns of answers."""
    families: dict[tuple[str, ...], list[tuple[str, list[str]]]] = {}
    for name in names:
        parts, between = _pieces(name, cut)
        families.setdefault(tuple(between), []).append((name, parts))
    if not families:
        return None
    marks, found = max(families.items(), key=lambda item: len(item[1]))
    if len(found) < FEWEST_QUESTIONS or 2 * len(found) <= len(names):
        return None
    named = tuple(name for name, _ in found)
    return _Family(named, tuple(tuple(parts) for _, parts in found), marks)


def _pieces(name: str, cut: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """Return the parts of a name and the marks between them; in a sentence its number is one."""
    found = cut.split(name)
    parts: list[str] = []
    marks: list[str] = []
    for part, mark in zip(found[0::2], [*found[1::2], ""], strict=True):
        sentence = _SENTENCE.fullmatch(part) if part.count(" ") > 2 else None
        parts += [each or "" for each in sentence.groups()] if sentence else [part]
        marks += [*(("", "") if sentence else ()), mark]
    return parts, marks[:-1]


def _roles(family: _Family, aspects: Mapping[str, str], given: set[str]) -> dict[int, str]:
    """Return what varying parts of names are; nothing if it cannot be said."""
    found: dict[int, str] = {}
    for place in family.varying:
        values = family.values(place)
        known = {canonical(value) for value in values} & aspects.keys()
        if 2 * len(known) >= len(values) and not found:
            found[place] = "aspect"
    left = [place for place in family.varying if place not in found]
    if not found and _numbered(family, left):
        found = dict.fromkeys(list(filter(family.is_question, left))[:1], "aspect")
    for place in list(left):
        # Parts that go together say one thing: the number of a question, and its text.
        others = [*found, *(other for other in left if other > place)]
        same = next((other for other in others if _is_same(family, place, other)), None)
        if same is not None:
            left.remove(place)
            found = found or {same: "aspect"}
    left = [place for place in left if place not in found]
    wanted = ["rater"] if given else _segment_and_system(family, left, is_open=not found)
    roles = found | dict(zip(left, wanted, strict=False))
    cells = math.prod(len(family.values(place)) for place in roles)
    is_grid = len(left) == len(wanted) > 0 and cells < 2 * len(family.names)
    is_parted = all(family.marks[n] for n in left if n + 1 in left)
    return roles if is_grid and is_parted else {}


def _numbered(family: _Family, places: Iterable[int]) -> list[int]:
    return [n for n in places if all(map(_NUMBERED.fullmatch, family.values(n)))]


def _segment_and_system(family: _Family, left: list[int], *, is_open: bool) -> list[str]:
    """Return the roles of parts: segments are numbered, or more than systems, or come first."""
    numbered = _numbered(family, left)
    if len(left) == 1:
        return ["segment"] if numbered else []
    most = max(left, key=lambda n: (len(family.values(n)), -n), default=-1)
    if len(left) == 2:
        segment = numbered[0] if len(numbered) == 1 else most
        return ["segment" if place == segment else "system" for place in left]
    if len(left) == 3 and is_open:
        order = sorted(left, key=lambda n: (n not in numbered, -len(family.values(n))))
        names = dict(zip(order, ("segment", "system", "aspect"), strict=True))
        return [names[place] for place in left]
    return []


def _is_same(family: _Family, one: int, other: int) -> bool:
    """Whether each part at one place goes with one part at the other."""
    pairs = {(parts[one], parts[other]) for parts in family.parts}
    return len(pairs) == len(family.values(one)) == len(family.values(other))


def _keys_of_rows(look: Look) -> dict[str, Columns]:
    """Return the columns of keys where a row is about an output; nothing if about a respondent."""
    plain = {canonical(name): name for name in reversed(look.names)}
    found: dict[str, Columns] = {}
    for role, known in _KEYS.items():
        if fit := next((plain[name] for name in known if name in plain), None):
            found[role] = fit
    return found if {"segment", "system"} <= found.keys() else {}


def _respondent(look: Look, answers: Iterable[str]) -> dict[str, Columns]:
    """Return the column that names who answered; nothing if the row has to."""
    plain = {canonical(re.sub(r"\..*", "", n)): n for n in look.names if n not in answers}
    for name in _RESPONDENTS:
        column = look.column(plain[name]) if name in plain else None
        if column and 2 * column.distinct > column.rows and column.filled == column.rows:
            return {"rater": column.name}
    return {}


def _mappings(
    family: _Family,
    roles: Mapping[int, str],
    columns: dict[str, Columns],
    aspects: Mapping[str, str],
) -> Iterator[Choices]:
    """Yield a mapping, or one for each aspect if that is more than one part of a name."""
    is_one = not any(n not in roles or family.is_question(n) for n in family.varying)
    open_roles = {n: role for n, role in roles.items() if is_one or role != "aspect"}
    fixed = [n for n in family.varying if n not in open_roles]
    given = {*columns, *roles.values()}
    constants = {} if "rater" in given else {"rater_kind": "person"}
    constants |= {} if "system" in given else {"system": "system"}
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, parts in zip(family.names, family.parts, strict=True):
        groups.setdefault(tuple(parts[n] for n in fixed), []).append(name)
    for names in groups.values():
        parts = family.parts[family.names.index(names[0])]
        holes = [f"{{{open_roles[n]}}}" if n in open_roles else p for n, p in enumerate(parts)]
        pattern = "".join(a + b for a, b in zip(holes, (*family.marks, ""), strict=True))
        if "aspect" not in open_roles.values():
            said = next((parts[n] for n, role in roles.items() if role == "aspect"), "")
            constants["aspect"] = _aspect_in(pattern, aspects) or said.strip(" ?:.") or "overall"
        yield Choices(
            _RATINGS,
            dict(columns),
            dict(constants),
            numbered=() if "rater" in given else ("rater",),
            wide=Wide("", "score", tuple(names), pattern, skip_empty=True),
        )
