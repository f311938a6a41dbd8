"""What an import says of names of aspects: as which aspect each is read, and where to change it."""

from collections.abc import Iterable

from corpus.imports.batch import Batch
from corpus.vocabulary.aspects import ASPECTS, find_aspect

WHERE = "Change it in the study under Aspects, or in study.json (aspects)."


def note_aspects(batch: Batch, names: Iterable[str]) -> None:
    """Note each name that is read as an aspect of another name, or is unknown.

    Nothing is said of names of aspects themselves, nor of those that the study declares.
    """
    declared = batch.declarations.get("aspects", {})
    for name in dict.fromkeys(names):
        if name and name not in declared and (words := reading(name)):
            batch.note(f"{words} {WHERE}")


def reading(name: str) -> str:
    """Say as what a name is read, unless it is the key of an aspect.

    Examples
    --------
    >>> reading("style_strength")
    'style_strength is read as the aspect Style.'
    >>> reading("content")
    ''
    """
    if name in ASPECTS:
        return ""
    found = find_aspect(name)
    if found.key in ASPECTS:
        return f"{name} is read as the aspect {found.title}."
    return f"{name} is an aspect without a family: no metric is known to measure it."
