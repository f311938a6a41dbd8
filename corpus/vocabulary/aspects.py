"""The aspects that texts are rated on: one vocabulary for protocols, metrics and imports.

An aspect says *what* was judged. How it was asked (protocol, scale, relative or absolute, masked or
plain, by whom) is a property of the campaign and never makes another aspect.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

Family = Literal["style", "content", "fluency", "overall", "other"]
FAMILIES: tuple[Family, ...] = get_args(Family)
FAMILY_TITLES: Mapping[Family, str] = {
    "style": "Style",
    "content": "Content",
    "fluency": "Fluency",
    "overall": "Overall quality",
    "other": "Other",
}


@dataclass(frozen=True, slots=True)
class Aspect:
    """One quality of a text.

    Parameters
    ----------
    key
        Its name in data, commands and addresses.
    title
        Its name in prose.
    family
        Which metrics measure it: those that declare the same family.
    synonyms
        Names under which studies publish it, without regard to case and punctuation.
    """

    key: str
    title: str
    family: Family
    synonyms: tuple[str, ...] = ()


ASPECTS: Mapping[str, Aspect] = {
    aspect.key: aspect
    for aspect in (
        Aspect(
            "style",
            "Style",
            "style",
            (
                *("style_transfer_intensity", "style_strength", "style_transfer", "style_accuracy"),
                *("style_transfer_strength", "style_transfer_accuracy", "transfer_strength"),
                *("transfer_intensity", "transfer_accuracy", "target_style", "attribute_transfer"),
                *("formality", "sentiment", "subjectivity", "politeness", "toxicity"),
            ),
        ),
        Aspect(
            "content",
            "Content",
            "content",
            (
                *("content_preservation", "content_similarity", "content_retention"),
                *("meaning", "meaning_preservation", "meaning_similarity", "adequacy"),
                *("semantic_similarity", "semantic_preservation", "semantics", "similarity"),
            ),
        ),
        Aspect(
            "fluency",
            "Fluency",
            "fluency",
            (*("grammaticality", "grammar", "readability", "language_quality"), "fluent"),
        ),
        Aspect(
            "naturalness",
            "Naturalness",
            "fluency",
            ("human_likeness", "humanlikeness", "humanness", "natural"),
        ),
        Aspect(
            "overall",
            "Overall quality",
            "overall",
            (
                *("overall_quality", "quality", "overall_score", "overall_derived", "preference"),
                *("rank", "ranking"),
            ),
        ),
    )
}
"""Key to aspect, in the order in which pages list them."""


def plain(name: str) -> str:
    """Return a name as it is compared: small letters, words joined by underscores.

    Examples
    --------
    >>> plain(" Meaning-Preservation ")
    'meaning_preservation'
    """
    return re.sub(r"[\W_]+", "_", name.strip().lower()).strip("_")


_BY_NAME = {
    plain(name): aspect
    for aspect in ASPECTS.values()
    for name in (aspect.key, aspect.title, *aspect.synonyms)
}


def match(name: str) -> Aspect | None:
    """Return the aspect of the registry that a name stands for; None if there is none.

    Examples
    --------
    >>> match("Style-transfer intensity").key
    'style'
    >>> match("humour") is None
    True
    """
    return _BY_NAME.get(plain(name))


Declared = Mapping[str, Any]
"""What a study declares of names: each to ``{"aspect": key}`` or ``{"family": family}``."""


def find_aspect(name: str, declared: Declared | None = None) -> Aspect:
    """Return the aspect that a name stands for in one study.

    Parameters
    ----------
    name
        As a table, a campaign or a metric run gives it.
    declared
        What the study declares of names. What it does not name is matched by synonyms; what
        matches nothing is an aspect of its own, of the family ``other`` unless declared.

    Examples
    --------
    >>> find_aspect("style_strength").key
    'style'
    >>> find_aspect("humour", {"humour": {"family": "style"}})
    Aspect(key='humour', title='Humour', family='style', synonyms=())
    """
    entry = (declared or {}).get(name) or {}
    if known := ASPECTS.get(entry.get("aspect", "")):
        return known
    if "family" not in entry and (found := match(name)):
        return found
    family = cast(Family, entry.get("family", "other"))
    words = name.replace("_", " ")
    return Aspect(name, words[:1].upper() + words[1:], family)


Rule = Literal["declared", "key", "synonym", "unknown"]


def matching_rule(name: str, declared: Declared | None = None) -> Rule:
    """Say by which rule `find_aspect` reads a name.

    Returns
    -------
    str
        ``declared`` by the study, ``key`` for the name of an aspect of the registry, ``synonym`` of
        one, or ``unknown``.

    Examples
    --------
    >>> matching_rule("content"), matching_rule("adequacy"), matching_rule("humour")
    ('key', 'synonym', 'unknown')
    """
    if (declared or {}).get(name):
        return "declared"
    found = match(name)
    if found is None:
        return "unknown"
    return "key" if plain(name) in (found.key, plain(found.title)) else "synonym"


def check_declared(name: str, entry: object) -> str:
    """Return what is wrong with a study's declaration of one name; empty if nothing is."""
    if not isinstance(entry, dict) or len(entry) != 1:
        return 'an object with either "aspect" or "family"'
    [(kind, value)] = entry.items()
    known = {"aspect": ASPECTS, "family": FAMILIES}.get(kind, ())
    if isinstance(value, str) and value in known:
        return ""
    aspects, families = ", ".join(ASPECTS), ", ".join(FAMILIES)
    return f'{{"aspect": one of {aspects}}} or {{"family": one of {families}}}'
