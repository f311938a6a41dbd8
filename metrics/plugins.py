"""Classes that are known by a key: ours, and those that other packages bring by an entry point."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

Each = TypeVar("Each", bound=type[Any])


@dataclass(frozen=True)
class Known(Generic[Each]):
    """Classes with a spec.

    Attributes
    ----------
    by_key
        Every class by its key, ours first. Of two with one key the first is kept.
    faults
        Which entry points could not be taken, and why, in words.
    """

    by_key: dict[str, Each]
    faults: list[str]


def own_classes(package: str, modules: Iterable[str], attribute: str) -> tuple[Any, ...]:
    """Return the classes that modules of a package list, in their order."""
    found = (import_module(f"{package}.{name}") for name in modules)
    return tuple(each for module in found for each in getattr(module, attribute))


def known_classes(kind: Each, word: str, own: Iterable[Each], group: str) -> Known[Each]:
    """Return our classes and those of an entry point group, called `word` in messages."""
    owners = {each.spec.key: each.__module__ for each in own}
    known = Known({each.spec.key: each for each in own}, [])
    loaded = [(_loaded(kind, word, point), point.value) for point in entry_points(group=group)]
    known.faults.extend(each for each, _ in loaded if isinstance(each, str))
    for each, owner in loaded:
        if isinstance(each, str):
            continue
        key = each.spec.key
        if owners.setdefault(key, owner) != owner:
            known.faults.append(
                f"{owner} brings a {word} {key!r}, which {owners[key]} has already; it is left out"
            )
        known.by_key.setdefault(key, each)
    return known


def _loaded(kind: Each, word: str, point: EntryPoint) -> Each | str:
    try:
        found: Each = point.load()
    except Exception as error:  # Whatever a third party's module raises.
        return f"{word} {point.name!r} of {point.value} does not load: {error!r}"
    if not (isinstance(found, type) and issubclass(found, kind)):
        return f"{word} {point.name!r} of {point.value} is no {kind.__name__}"
    return found
