"""What the layout of mt-metrics-eval calls a study and its systems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from corpus.formats.format import CannotWriteError

_PAIR = re.compile(r"(?i)\b([a-z]{2,3}(?:_[a-z0-9]+)*)-([a-z]{2,3})((?:_[a-z0-9]+)*)$")


def named_as(study: Mapping[str, Any], chosen: str) -> tuple[str, str]:
    """Return what the folder and the files of a study are called.

    Parameters
    ----------
    study
        What `study.json` says.
    chosen
        A language pair, or a test set and a pair (``wmt23/en-de``). If empty, the pair is the one
        that the title ends in, or the slug, if it is into the study's language; else that
        language is on both sides. A test set that is not said is the slug without the pair.

    Raises
    ------
    CannotWriteError
        If what was chosen is no language pair.
    """
    slug = str(study.get("slug") or "study")
    test_set, _, said = chosen.rpartition("/")
    pair = _pair_in(said) if chosen else _language_pair(study, slug)
    if not pair or (chosen and said.lower() != pair.lower()):
        raise CannotWriteError(
            f"{chosen!r} is no language pair: write it as en-de or, with the test set, wmt23/en-de."
        )
    without = slug[: -len(pair)].rstrip("-_") if slug.lower().endswith(f"-{pair.lower()}") else ""
    return plain(test_set or without or slug), pair


def _language_pair(study: Mapping[str, Any], slug: str) -> str:
    language = str(study.get("language") or "")
    if found := _pair_in(str(study.get("title", ""))):
        return found
    if language and (found := _pair_in(slug)).endswith(f"-{language}"):
        return found
    language = plain(language or "und").replace("-", "_")
    return f"{language}-{language}"


def _pair_in(text: str) -> str:
    """Return the pair that a text ends in, languages in lower case; empty if there is none."""
    found = _PAIR.search(text)
    if not found:
        return ""
    source, _, region = found[1].partition("_")
    return f"{source.lower()}{'_' if region else ''}{region}-{found[2].lower()}{found[3]}"


def plain(name: str, *, dots: bool = True) -> str:
    """Return a name without white space and slashes, which the layout has no place for."""
    name = re.sub(r"[\s/\\\0]+", "_", name).lstrip(".") or "_"
    return name if dots else name.replace(".", "_")


def names_of_files(systems: Iterable[str]) -> dict[str, str]:
    """Return the names of systems as files have them, each once."""
    found: dict[str, str] = {}
    for system in systems:
        name = plain(system)
        while name in found.values():
            name += "_"
        found[system] = name
    return found
