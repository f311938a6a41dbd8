"""Answers of surveys: one row a respondent, names of columns that hold segment, system, aspect."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from corpus.tabular.guesses.columns import (
    POSITION,
    ColumnContent,
    Look,
    canonical,
    may_be_numbers,
)
from corpus.tabular.guesses.known_columns import known
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping as Choices
from corpus.tabular.shaping.mapping import Wide, constant

FEWEST_QUESTIONS = 3
_ABOUT_RESPONSES = (
    "startdate enddate status ipaddress progress duration finished score recordeddate responseid "
    "recipientlastname recipientfirstname recipientemail externalreference locationlatitude "
    "locationlongitude distributionchannel id userlanguage timestamp lastpage seed startlanguage "
    "submitdate datestamp refurl responsetype collectorid lastname firstname interviewtime age "
    "customdata1 gender respondentid"
)
"""Columns of answers' circumstances, as tools for surveys name them."""
_RESPONDENTS = (
    "prolificpid prolificid workerid participantid participant rater annotator raterid "
    "annotatorid username emailaddress email token responseid respondentid respondent userid user "
    "name id"
)
"""Names of columns that name who answered, the best first."""
_CUTS = (
    re.compile(r"(\s*(?:[\[\]()/|:>_]|\. |\s[-–—.]\s)+\s*)"),
    re.compile(r"(\s*(?:[\[\]()/|:>_.,?]|\s[-–—]\s)+\s*|\s+)"),
    re.compile(r"((?:[\W_]|(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d]))+)"),
)
"""What parts of a name are cut at: marks, then spaces too, then where letters meet digits."""
_KEYS = {
    "segment": "segment item segmentid itemid id document text",
    "system": "system model sys systemid modelid",
    "rater": "rater annotator raterid annotatorid judge workerid worker",
}
_STEM = 5
_SENTENCE = re.compile(r"(\D*\W)?([^\W\d_]*\d+)(\D*)")
_NUMBERED = re.compile(r"\W*(?:[^\W\d_]*[\W_]*\d+)+\W*")

_Parts = tuple[str, ...]


class _Family:
    """Columns of answers whose names have the same marks between as many parts.

    Attributes
    ----------
    parts, marks
        The parts by the names, and the marks between them.
    values, varying
        The different parts at each place, and the places where they differ.
    """

    def __init__(self, parts: dict[str, _Parts], marks: _Parts) -> None:
        self.parts, self.marks = parts, marks
        self.values = [list(dict.fromkeys(each)) for each in zip(*parts.values(), strict=True)]
        self.varying = [place for place, values in enumerate(self.values) if len(values) > 1]

    def is_question(self, place: int) -> bool:
        """Whether the parts at a place are several words each."""
        return all(value.strip().count(" ") > 1 for value in self.values[place])

    def is_numbered(self, place: int) -> bool:
        """Whether the parts at a place are numbers, with letters or without."""
        return all(map(_NUMBERED.fullmatch, self.values[place]))

    def is_same(self, one: int, other: int) -> bool:
        """Whether each part at one place goes with one part at the other."""
        pairs = {(parts[one], parts[other]) for parts in self.parts.values()}
        return len(pairs) == len(self.values[one]) == len(self.values[other])


def survey(look: Look, specs: Sequence[TableSpec]) -> tuple[Choices, ...]:
    """Propose how answers of a survey are read; nothing if its columns are none."""
    keys, aspects = _keys_of_rows(look), _aspects(specs)
    if "rater" in keys:
        return ()
    answers = [each.name for each in look.columns.values() if _is_answer(each)]
    for family in filter(None, (_family(answers, cut) for cut in _CUTS)):
        if roles := _roles(family, aspects, is_keyed=bool(keys)):
            columns = keys or _respondent(look, family.parts)
            return tuple(_mappings(family, roles, columns, aspects))
    return ()


def _aspects(specs: Sequence[TableSpec]) -> dict[str, str]:
    """Return known aspects by their names as these are compared."""
    found = (known(spec.name, "aspect", "label") for spec in specs)
    labels = (label for always, beside in found for label in (*always, *dict(beside)))
    return {canonical(label): label for label in labels}


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
    is_about = canonical(re.sub(r"\(.*|\..*", "", column.name)) in _ABOUT_RESPONSES.split()
    is_scale = column.kind in ("rating", "percentage", "name", "text")
    return is_scale and not is_about and may_be_numbers(column.values)


def _family(names: Sequence[str], cut: re.Pattern[str]) -> _Family | None:
    """Return the most columns that are cut alike, if they are most of the columns of answers."""
    families: dict[_Parts, dict[str, _Parts]] = {}
    for name in names:
        parts, marks = _pieces(name, cut)
        families.setdefault(marks, {})[name] = parts
    marks, found = max(families.items(), key=lambda item: len(item[1]), default=((), {}))
    if len(found) < FEWEST_QUESTIONS or 2 * len(found) <= len(names):
        return None
    return _Family(found, marks)


def _pieces(name: str, cut: re.Pattern[str]) -> tuple[_Parts, _Parts]:
    """Return the parts of a name and the marks between them; in a sentence its number is one."""
    found = cut.split(name)
    parts: list[str] = []
    marks: list[str] = []
    for part, mark in zip(found[0::2], [*found[1::2], ""], strict=True):
        sentence = _SENTENCE.fullmatch(part) if part.count(" ") > 2 else None
        parts += sentence.groups("") if sentence else [part]
        marks += ["", "", mark] if sentence else [mark]
    return tuple(parts), tuple(marks[:-1])


def _roles(family: _Family, aspects: Mapping[str, str], *, is_keyed: bool) -> dict[int, str]:
    """Return what varying parts of names are; nothing if it cannot be said.

    Segments are numbered, or more than systems, or come first.
    """
    varying, values = family.varying, family.values
    known = {n: sum(canonical(value) in aspects for value in values[n]) for n in varying}
    asked = [n for n in varying if 2 * known[n] >= len(values[n])]
    if not asked and any(map(family.is_numbered, varying)):
        asked = list(filter(family.is_question, varying))
    found = dict.fromkeys(asked[:1], "aspect")
    left = [place for place in varying if place not in found]
    for place in list(left):
        # Parts that go together say one thing: the number of a question, and its text.
        others = [*found, *(other for other in left if other > place)]
        same = next((other for other in others if family.is_same(place, other)), None)
        if same is not None:
            left.remove(place)
            found = found or {same: "aspect"}
    left = [place for place in left if place not in found]
    order, names = left, ["rater"]
    if not is_keyed:
        order = sorted(left, key=lambda n: (not family.is_numbered(n), -len(values[n])))
        is_sure = len(left) > 1 or any(map(family.is_numbered, left))
        names = ["segment", "system", *["aspect"] * (not found)] if is_sure else []
    roles = found | dict(zip(order, names, strict=False))
    cells = math.prod(len(values[place]) for place in roles)
    is_grid = 0 < len(left) <= len(names) and cells < 2 * len(family.parts)
    is_parted = all(family.marks[n] for n in left if n + 1 in left)
    return roles if is_grid and is_parted else {}


def _keys_of_rows(look: Look) -> dict[str, str]:
    """Return the columns of keys where a row is about an output; nothing if about a respondent."""
    plain = {canonical(name): name for name in reversed(look.names)}
    fits = {role: [plain[n] for n in known.split() if n in plain] for role, known in _KEYS.items()}
    found = {role: names[0] for role, names in fits.items() if names}
    return found if {"segment", "system"} <= found.keys() else {}


def _respondent(look: Look, answers: Iterable[str]) -> dict[str, str]:
    """Return the column that names who answered; nothing if the row has to."""
    plain = {canonical(re.sub(r"\..*", "", n)): n for n in look.names if n not in answers}
    for column in (look.columns[plain[name]] for name in _RESPONDENTS.split() if name in plain):
        if 2 * column.distinct > column.rows == column.filled:
            return {"rater": column.name}
    return {}


def _mappings(
    family: _Family,
    roles: Mapping[int, str],
    columns: dict[str, str],
    aspects: Mapping[str, str],
) -> Iterator[Choices]:
    """Yield a mapping, or one for each aspect if that is more than one part of a name."""
    is_one = not any(n not in roles or family.is_question(n) for n in family.varying)
    open_roles = {n: role for n, role in roles.items() if is_one or role != "aspect"}
    fixed = [n for n in family.varying if n not in open_roles]
    given = {*columns, *roles.values()}
    read = columns if "rater" in given else {**columns, "rater": POSITION}
    said = {} if "rater" in given else {"rater_kind": "person"}
    said |= {} if "system" in given else {"system": "system"}
    groups: dict[_Parts, list[str]] = {}
    for name, parts in family.parts.items():
        groups.setdefault(tuple(parts[n] for n in fixed), []).append(name)
    for names in groups.values():
        parts = family.parts[names[0]]
        holes = [f"{{{open_roles[n]}}}" if n in open_roles else p for n, p in enumerate(parts)]
        pattern = "".join(a + b for a, b in zip(holes, (*family.marks, ""), strict=True))
        if "aspect" not in open_roles.values():
            asked = next((parts[n] for n, role in roles.items() if role == "aspect"), "")
            said["aspect"] = _aspect_in(pattern, aspects) or asked.strip(" ?:.") or "overall"
        constants = {name: constant(value) for name, value in said.items()}
        wide = Wide("score", pattern, tuple(names))
        yield Choices("ratings", read | constants, wide=wide)
