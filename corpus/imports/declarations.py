"""What `study.json` says about a study, checked before anything is read, and tables inside it."""

from collections.abc import Callable, Iterator, Set
from typing import Any

from corpus.imports.options import OptionsError, check_pattern
from corpus.storage.storable import shown, strings, unstorable
from corpus.studies.overview import provenance_words
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.shaping.conversion import UnconvertibleError, converter
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query_files import by_file, files_in, read_queries
from corpus.vocabulary.aspects import check_declared
from corpus.vocabulary.publication_details import IMPORTED, imported_details, wrong_details
from corpus.vocabulary.publication_details import NAME as PUBLICATION

FILE = "study.json"
_NAMES: dict[tuple[type, ...], str] = {
    (str,): "slug title description language system_pattern query format",
    (bool,): "simulated without_texts",
    (dict,): "scales categories campaigns metrics aspects pooled publication",
    (list,): "published provenance",
    (str, dict): "protocol",
    (dict, list): "systems",
}
_TYPES = {name: types for types, names in _NAMES.items() for name in names.split()}
STORED = (
    *("scales", "categories", "protocol", "campaigns", "metrics", "aspects", "pooled"),
    "publication",
)
MOST_CATEGORIES, LONGEST_CATEGORY = 100, 100
_LONGEST = {"title": 200, "language": 35}
_WORDS = {str: "text", bool: "true or false", dict: "an object", list: "a list"}


def check_declarations(declared: dict[str, Any]) -> list[str]:
    """Check types and scales; return the names that are not known, to be reported.

    Raises
    ------
    TableError
        With one problem for each value of the wrong kind.
    """
    problems = [
        *_wrong_kinds(declared),
        *_wrong_entries(declared),
        *_wrong_publication(declared),
        *_wrong_provenance(declared),
        *_unstorable(declared),
        *_unreadable(declared),
    ]
    if problems:
        raise TableError(*problems)
    return sorted(set(declared) - set(_TYPES))


def _wrong_kinds(declared: dict[str, Any]) -> Iterator[Problem]:
    for name, types in _TYPES.items():
        if name in declared and not isinstance(declared[name], types):
            yield _problem(name, declared[name], " or ".join(_WORDS[kind] for kind in types))
    for name, longest in _LONGEST.items():
        if isinstance(declared.get(name), str) and len(declared[name]) > longest:
            yield _problem(name, declared[name], f"at most {longest} characters")


def _wrong_entries(declared: dict[str, Any]) -> Iterator[Problem]:
    """Check each entry of the objects, also of the scales and categories of campaigns."""
    groups = {name: (check, declared.get(name)) for name, check in _ENTRIES.items()}
    campaigns = declared.get("campaigns", {})
    for slug, campaign in campaigns.items() if isinstance(campaigns, dict) else ():
        for name in ("scales", "categories"):
            if isinstance(campaign, dict) and name in campaign:
                groups[f"campaigns.{slug}.{name}"] = (_ENTRIES[name], campaign[name])
    for group, (check, entries) in groups.items():
        if not isinstance(entries, dict):
            if group not in _ENTRIES:
                yield _problem(group, entries, "an object")
            continue
        for name, entry in entries.items():
            if expected := check(name, entry):
                yield _problem(f"{group}.{name}", entry, expected)


def _wrong_publication(declared: dict[str, Any]) -> Iterator[Problem]:
    if "publication" not in declared:
        return
    for name, found, expected in wrong_details(declared["publication"]):
        yield _problem(f"publication.{name}".rstrip("."), found, expected)


def _wrong_provenance(declared: dict[str, Any]) -> Iterator[Problem]:
    entries = declared.get("provenance", [])
    for number, entry in enumerate(entries if isinstance(entries, list) else [], start=1):
        try:
            provenance_words(entry)
        except (TypeError, ValueError, LookupError, AttributeError):
            expected = "a text, or what an import did to texts, as an archive has it"
            yield _problem(f"provenance, entry {number}", entry, expected)


def _unstorable(declared: dict[str, Any]) -> Iterator[Problem]:
    """Find texts that JSON can write and no database keeps: NUL, and half a surrogate pair."""
    for steps, text in strings(declared):
        if unstorable(text):
            name = ".".join(shown(str(step)) for step in steps)
            yield _problem(name, ascii(text), "text without NUL and halves of characters")


def _unreadable(declared: dict[str, Any]) -> Iterator[Problem]:
    """Queries and patterns are read as an import's options are."""
    try:
        declared_queries(declared, set())
    except TableError as error:
        yield from error.problems
    pattern = declared.get("system_pattern", "")
    if pattern and isinstance(pattern, str):
        try:
            check_pattern(pattern)
        except OptionsError as error:
            yield _problem("system_pattern", pattern, "", str(error))


def declared_queries(declared: dict[str, Any], names: Set[str]) -> dict[str, list[Mapping]]:
    """Return the queries of `study.json` by file; `TableError` if they make no sense.

    Those of files that did not come are passed over: a part of a study may be imported.
    """
    query = declared.get("query")
    try:
        queries = read_queries(query) if query and isinstance(query, str) else []
        return by_file((q for q in queries if not names.isdisjoint(files_in(q.query))), names)
    except TableError as error:
        found = error.problems[0]
        raise TableError(
            _problem("query", found.found, found.expected or "", found.message)
        ) from None


def merged(stored: dict[str, Any], declared: dict[str, Any]) -> dict[str, Any]:
    """Return stored declarations with those of an import beside them."""
    result = dict(stored)
    for name in STORED:
        before, now = stored.get(name, {}), declared.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            if name == "metrics":  # What is not said again, such as a family, is kept.
                now = {metric: _joined(before.get(metric), facts) for metric, facts in now.items()}
            now = before | now
        if name in declared:
            result[name] = now
    before, now = stored.get(PUBLICATION, {}), result.get(PUBLICATION, {})
    if imported := imported_details(stored.get(IMPORTED, ()), before, now, by_import=True):
        result[IMPORTED] = imported
    return result


def _joined(before: Any, now: Any) -> Any:
    return before | now if isinstance(before, dict) and isinstance(now, dict) else now


def _no_categories(_: str, categories: Any) -> str:
    is_long_enough = isinstance(categories, list) and 1 < len(categories) <= MOST_CATEGORIES
    are_good = is_long_enough and all(
        isinstance(word, str) and word == word.strip() and 0 < len(word) <= LONGEST_CATEGORY
        for word in categories
    )
    if are_good and len(set(categories)) == len(categories):
        return ""
    return f'a list of 2 to {MOST_CATEGORIES} different words, as ["yes", "no"]'


def _no_scale(_: str, scale: Any) -> str:
    is_scale = (
        isinstance(scale, list)
        and len(scale) == 2
        and all(type(end) in (int, float) for end in scale)
        and scale[0] < scale[1]
    )
    return "" if is_scale else "lowest and highest score, as [0, 100]"


def _no_campaign(_: str, campaign: Any) -> str:
    is_one = isinstance(campaign, dict) and isinstance(campaign.get("protocol", ""), str)
    return "" if is_one else "an object with protocol and scales"


def _not_pooled(slug: str, other: Any) -> str:
    is_other = isinstance(other, str) and other not in ("", slug)
    return "" if is_other else "another campaign, which asked the same in the same way"


def _no_protocol(_: str, name: Any) -> str:
    return "" if isinstance(name, str) else "the name of a protocol"


_ENTRIES: dict[str, Callable[[str, Any], str]] = {
    "scales": _no_scale,
    "categories": _no_categories,
    "campaigns": _no_campaign,
    "protocol": _no_protocol,
    "aspects": check_declared,
    "pooled": _not_pooled,
}
"""Objects, each with what returns the expectation that an entry does not meet; else nothing."""


def _problem(name: str, found: Any, expected: str, message: str = "") -> Problem:
    return Problem(
        FILE,
        column=name,
        found=shorten(found),
        expected=expected,
        message=message or "Correct the value, or leave it out.",
        code="declaration",
    )


def inline_records(entries: Any, spec: TableSpec, log: ProblemLog) -> Iterator[Any]:
    """Yield records of a list of objects, or of an object from key to object.

    The line of a record is its number in the list: JSON has no rows.
    """
    if isinstance(entries, dict):
        key = spec.fields[0].name
        entries = [{key: name} | dict(facts) for name, facts in entries.items()]
    convert = {each.name: converter(each, may_be_empty=not each.required) for each in spec.fields}
    for number, entry in enumerate(entries, start=1):
        try:
            if not isinstance(entry, dict):
                raise UnconvertibleError(entry, "an object", "Correct the entry.", "declaration")
            values = [each(entry.get(name)) for name, each in convert.items()]
        except UnconvertibleError as error:
            place = f"{spec.name}, entry {number}"
            log.add(_problem(place, error.found, error.expected, error.message))
            continue
        if spec.keep_other_columns_as_attributes:
            values.append({k: v for k, v in entry.items() if k not in spec.names})
        yield number, tuple(values)
