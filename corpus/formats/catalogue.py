"""The formats that are known by name, and files taken for one of them."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.tabular.limits import Limits
from corpus.tabular.opening.bundles import STUDY_FILE
from corpus.tabular.opening.sources import Discovery
from corpus.tabular.problems import refused
from corpus.tabular.shaping.mapping import Mapping

if TYPE_CHECKING:
    from corpus.formats.format import Format, Offered

logger = logging.getLogger(__name__)
FOLDER = Path(__file__).parent
"""Of our formats that are queries."""
GROUP = "touchstone.formats"
"""Entry points of other packages; each names an instance of `Format`."""
AUTO, NONE = "auto", "none"
"""Recognise the format; take the files for plain tables."""


class UnknownFormatError(LookupError):
    """There is no format of that name; the message lists those that there are."""


@cache
def formats() -> dict[str, Format]:
    """Return every format by name, ours first; a later one of the same name is passed over."""
    # Not needed by a start.
    from importlib.metadata import entry_points

    from corpus.formats import hugging_face, mt_metrics_eval
    from corpus.formats.format import Format
    from corpus.formats.queries import QueryFormat

    paths = {*FOLDER.glob("*.sql")} - {mt_metrics_eval.PATH}
    queries = [QueryFormat(path) for path in sorted(paths)]
    known = {e.name: e for e in (mt_metrics_eval.FORMAT, *queries, hugging_face.FORMAT)}
    for point in entry_points(group=GROUP):
        try:
            other = point.load()
        except Exception:
            logger.exception("the format %s of another package cannot be loaded", point.name)
            continue
        if isinstance(other, Format) and other.name not in (*known, AUTO, NONE):
            known[other.name] = other
    return known


def format_named(name: str) -> Format:
    """Return a format; `UnknownFormatError` if there is none of that name."""
    try:
        return formats()[name]
    except KeyError:
        known = ", ".join([AUTO, NONE, *formats()])
        raise UnknownFormatError(f"no format {name!r}; known formats: {known}") from None


def recognised(files: Offered) -> Format | None:
    """Return the first format that files are of, if any; one that fails at them is none."""
    for each in formats().values():
        try:
            if each.recognises(files):
                return each
        except Exception:
            logger.exception("the format %s fails at these files", each.name)
    return None


if TYPE_CHECKING:
    from corpus.tabular.opening.loading import Tables

FEW = 3


@dataclass(frozen=True)
class Found:
    """The files of an import, and the format that they are read as.

    Attributes
    ----------
    files
        What there is.
    format
        The named format; None if they are plain tables.
    mappings
        By the name of a file how the format reads it.
    """

    files: Discovery
    format: NamedFormat | None
    mappings: dict[str, list[Mapping]]


@dataclass(frozen=True)
class NamedFormat:
    """Which format an import is read as.

    Attributes
    ----------
    name, title, part
        Of the format.
    chosen, choices
        Which of several, such as language pairs.
    notes
        What the person who imports should know.
    """

    name: str
    title: str
    part: str = ""
    chosen: str = ""
    choices: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The format, and which of several, in words."""
        return f"{self.title}, {self.part} {self.chosen}" if self.chosen else self.title


def found_as(
    found: Discovery, name: str, chosen: str, folder: Path, limits: Limits, tables: Tables
) -> Found:
    """Take files for a format: what it reads, and by their reasons the files that it does not.

    Parameters
    ----------
    found
        The files.
    name
        Of the format; ``none`` for plain tables; ``auto`` to recognise it, unless the files say
        themselves how they are read.
    chosen
        Which of several studies in them.
    folder
        For tables that have to be written; it may have to be made.
    limits
        How much the files may hold.
    tables
        Where files are loaded.
    """
    says_itself = {"query", "format"} & (found.study_json or {}).keys()
    plain = Found(replace(found, listed=()), None, {})
    if name == NONE or (name == AUTO and says_itself):
        return plain
    from corpus.formats.format import Offered

    offered = Offered(found, limits, tables)
    kind = recognised(offered) if name == AUTO else format_named(name)
    if kind is None:
        return plain
    folder.mkdir(exist_ok=True)
    try:
        read = kind.read(offered, folder, chosen)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        names = ", ".join(sorted(offered.used)[:FEW])
        raise refused("other-values", names, title=kind.title) from error
    facts = kind.name, kind.title, kind.part, read.chosen, read.choices
    reasons = dict(read.passed_over)
    of_others = f"not of {read.chosen}" if read.chosen else f"no file of {kind.title}"
    grouped: dict[str, list[str]] = {}
    for each, _ in found.listed:
        if each not in offered.used and each.lower() != STUDY_FILE:
            grouped.setdefault(reasons.get(each, of_others), []).append(each)
    files = replace(
        plain.files,
        files=tuple(source for source, _ in read.tables),
        unrecognised=tuple(entry for each in grouped.items() for entry in _listed(*each)),
        study_json={**read.study, **(found.study_json or {})} or None,
    )
    mappings = {source.name: each for source, each in read.tables if each is not None}
    return Found(files, NamedFormat(*facts, tuple(read.notes)), mappings)


def _listed(reason: str, names: list[str]) -> list[tuple[str, str]]:
    """Return an entry for each of a few files, or one for all."""
    if len(names) <= FEW:
        return [(name, reason) for name in names]
    return [(f"{names[0]} and {len(names) - 1} more", reason)]


def check_choice(named: NamedFormat) -> None:
    """Refuse files that hold several studies until somebody has chosen one."""
    if named.choices and not named.chosen:
        raise refused("several-studies", "", ", ".join(named.choices), part=named.part)
