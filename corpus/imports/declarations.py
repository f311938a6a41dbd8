"""What `study.json` says about a study, checked before anything is read."""

from collections.abc import Iterator
from typing import Any

from corpus.aspects import check_declared
from corpus.imports.options import OptionsError, check_pattern, read_mappings
from corpus.publication_details import IMPORTED, imported_details, wrong_details
from corpus.publication_details import NAME as PUBLICATION
from corpus.storable import unstorable
from corpus.studies import provenance_words
from corpus.tables import handlers
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.query_files import read_queries

FILE = "study.json"
_TYPES: dict[str, tuple[type, ...]] = {
    "slug": (str,),
    "title": (str,),
    "description": (str,),
    "language": (str,),
    "simulated": (bool,),
    "without_texts": (bool,),
    "scales": (dict,),
    "categories": (dict,),
    "protocol": (str, dict),
    "campaigns": (dict,),
    "metrics": (dict,),
    "aspects": (dict,),
    "pooled": (dict,),
    "systems": (dict, list),
    "published": (list,),
    "system_pattern": (str,),
    "mappings": (dict,),
    "query": (str,),
    "provenance": (list,),
    "publication": (dict,),
    "format": (str,),
}
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
        *_wrong_scales(declared),
        *_wrong_categories(declared),
        *_wrong_aspects(declared),
        *_wrong_pooled(declared),
        *_wrong_publication(declared),
        *_wrong_provenance(declared),
        *_unstorable("", declared),
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


def _wrong_scales(declared: dict[str, Any]) -> Iterator[Problem]:
    groups: list[tuple[str, Any]] = [("scales", declared.get("scales", {}))]
    campaigns = declared.get("campaigns", {})
    for slug, campaign in campaigns.items() if isinstance(campaigns, dict) else ():
        if isinstance(campaign, dict) and isinstance(campaign.get("protocol", ""), str):
            groups.append((f"campaigns.{slug}.scales", campaign.get("scales", {})))
        else:
            yield _problem(f"campaigns.{slug}", campaign, "an object with protocol and scales")
    for group, entries in groups:
        if not isinstance(entries, dict):
            if group != "scales":
                yield _problem(group, entries, "an object")
            continue
        for aspect, scale in entries.items():
            if not _is_scale(scale):
                expected = "lowest and highest score, as [0, 100]"
                yield _problem(f"{group}.{aspect}", scale, expected)
    protocols = declared.get("protocol", {})
    for file, name in protocols.items() if isinstance(protocols, dict) else ():
        if not isinstance(name, str):
            yield _problem(f"protocol.{file}", name, "the name of a protocol")


def _wrong_categories(declared: dict[str, Any]) -> Iterator[Problem]:
    groups = {"categories": declared.get("categories", {})}
    campaigns = declared.get("campaigns", {})
    for slug, campaign in campaigns.items() if isinstance(campaigns, dict) else ():
        if isinstance(campaign, dict) and "categories" in campaign:
            groups[f"campaigns.{slug}.categories"] = campaign["categories"]
    for group, entries in groups.items():
        if not isinstance(entries, dict):
            if group != "categories":
                yield _problem(group, entries, "an object")
            continue
        for aspect, categories in entries.items():
            if not _are_categories(categories):
                expected = f'a list of 2 to {MOST_CATEGORIES} different words, as ["yes", "no"]'
                yield _problem(f"{group}.{aspect}", categories, expected)


def _wrong_aspects(declared: dict[str, Any]) -> Iterator[Problem]:
    aspects = declared.get("aspects", {})
    for name, entry in aspects.items() if isinstance(aspects, dict) else ():
        if expected := check_declared(name, entry):
            yield _problem(f"aspects.{name}", entry, expected)


def _wrong_pooled(declared: dict[str, Any]) -> Iterator[Problem]:
    pooled = declared.get("pooled", {})
    for slug, other in pooled.items() if isinstance(pooled, dict) else ():
        if not isinstance(other, str) or other in ("", slug):
            expected = "another campaign, which asked the same in the same way"
            yield _problem(f"pooled.{slug}", other, expected)


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


def _unstorable(name: str, value: Any) -> Iterator[Problem]:
    """Find texts that JSON can write and no database keeps: NUL, and half a surrogate pair."""
    if isinstance(value, str):
        if unstorable(value):
            yield _problem(name, ascii(value), "text without NUL and halves of characters")
    elif isinstance(value, dict):
        for key, inner in value.items():
            place = f"{name}.{key}" if name else key
            yield from _unstorable(ascii(place).strip("'"), key)
            yield from _unstorable(place, inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value, start=1):
            yield from _unstorable(f"{name}, entry {number}", inner)


def _unreadable(declared: dict[str, Any]) -> Iterator[Problem]:
    """Mappings and patterns are read as an import's options are."""
    try:
        read_mappings(declared.get("mappings") or {})
    except OptionsError as error:
        yield _problem("mappings", "", "", str(error))
    try:
        declared_queries(declared)
    except TableError as error:
        yield from error.problems
    pattern = declared.get("system_pattern", "")
    if pattern and isinstance(pattern, str):
        try:
            check_pattern(pattern)
        except OptionsError as error:
            yield _problem("system_pattern", pattern, "", str(error))


def declared_mappings(declared: dict[str, Any]) -> dict[str, list[Mapping]]:
    """Return the mappings of each file; `TableError` with one problem for each unknown table."""
    mappings = read_mappings(declared.get("mappings") or {})
    known = [handler.spec.name for handler in handlers()]
    expected, message = f"one of {', '.join(known)}", "Correct the name of the table."
    problems = [
        _problem(f"mappings.{name}", mapping.table, expected, message)
        for name, of_file in mappings.items()
        for mapping in of_file
        if mapping.table not in known
    ]
    if problems:
        raise TableError(*problems)
    return mappings


def declared_queries(declared: dict[str, Any]) -> list[Mapping]:
    """Return the mappings that are written as queries; `TableError` if they make no sense."""
    query = declared.get("query")
    try:
        return read_queries(query) if query and isinstance(query, str) else []
    except TableError as error:
        found = error.problems[0]
        raise TableError(
            _problem("query", found.found, found.expected or "", found.message)
        ) from None


def merged(stored: dict[str, Any], declared: dict[str, Any]) -> dict[str, Any]:
    """Return stored declarations with those of an import beside them."""
    result = dict(stored)
    for name in STORED:
        if name not in declared:
            continue
        if isinstance(declared[name], dict) and isinstance(result.get(name, {}), dict):
            before = result.get(name, {})
            result[name] = before | declared[name]
            if name == "metrics":
                result[name] |= _facts_together(before, declared[name])
        else:
            result[name] = declared[name]
    before, now = stored.get(PUBLICATION, {}), result.get(PUBLICATION, {})
    if imported := imported_details(stored.get(IMPORTED, ()), before, now, by_import=True):
        result[IMPORTED] = imported
    return result


def _facts_together(stored: dict[str, Any], declared: dict[str, Any]) -> dict[str, Any]:
    """Keep what was said of a metric before and is not said again, such as its family."""
    return {
        metric: stored[metric] | facts
        for metric, facts in declared.items()
        if isinstance(facts, dict) and isinstance(stored.get(metric), dict)
    }


def _are_categories(categories: Any) -> bool:
    return (
        isinstance(categories, list)
        and 1 < len(categories) <= MOST_CATEGORIES
        and all(
            isinstance(word, str) and word == word.strip() and 0 < len(word) <= LONGEST_CATEGORY
            for word in categories
        )
        and len(set(categories)) == len(categories)
    )


def _is_scale(scale: Any) -> bool:
    return (
        isinstance(scale, list)
        and len(scale) == 2
        and all(isinstance(end, int | float) and not isinstance(end, bool) for end in scale)
        and scale[0] < scale[1]
    )


def _problem(name: str, found: Any, expected: str, message: str = "") -> Problem:
    return Problem(
        FILE,
        column=name,
        found=shorten(found),
        expected=expected,
        message=message or "Correct the value, or leave it out.",
        code="declaration",
    )
