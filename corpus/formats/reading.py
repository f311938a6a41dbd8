"""Discovered files taken for a named format, by name or recognised."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.formats.catalogue import AUTO, NONE, format_named, recognised
from corpus.tabular.limits import Limits
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError
from corpus.tabular.sources import STUDY_FILE, Discovery

if TYPE_CHECKING:
    from corpus.formats.format import ReadAs
    from corpus.formats.offered import Offered
    from corpus.tabular.loading import Tables

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

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> NamedFormat:
        """Read what another process says, as JSON."""
        lists = {name: tuple(plain[name]) for name in ("choices", "notes")}
        return cls(**{**plain, **lists})

    @property
    def words(self) -> str:
        """The format, and which of several, in words."""
        return f"{self.title}, {self.part} {self.chosen}" if self.chosen else self.title


def read_format(
    found: Discovery, name: str, chosen: str, folder: Path, limits: Limits, tables: Tables
) -> tuple[NamedFormat, ReadAs, set[str]] | None:
    """Take files for a format, and say which of them were read; None if they are plain tables.

    Parameters
    ----------
    found
        The files.
    name
        Of the format; ``auto`` to recognise it, unless the files say themselves how they are
        read.
    chosen
        Which of several studies in them.
    folder
        For tables that have to be written; it may have to be made.
    limits
        How much the files may hold.
    tables
        Where files are loaded.
    """
    if name == NONE or (name == AUTO and _says_itself(found)):
        return None
    from corpus.formats.offered import Offered

    offered = Offered(dict(found.listed), limits, found.name, found.files, tables)
    kind = recognised(offered) if name == AUTO else format_named(name)
    if kind is None:
        return None
    folder.mkdir(exist_ok=True)
    try:
        read = kind.read(offered, folder, chosen)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise TableError(_otherwise(kind.title, offered)) from error
    named = NamedFormat(
        kind.name, kind.title, kind.part, read.chosen, tuple(read.choices), tuple(read.notes)
    )
    return named, read, offered.used


def _says_itself(found: Discovery) -> bool:
    """Whether the files are a study archive, or come with mappings of their own."""
    return bool(found.study_json and {"mappings", "format"} & found.study_json.keys())


def _otherwise(title: str, offered: Offered) -> Problem:
    """Say that files are not as their format has them."""
    return Problem(
        ", ".join(sorted(offered.used)[:FEW]),
        found="values of another kind, or none",
        expected=f"what {title} writes",
        message="Export the files again; or import them as plain tables: format none.",
        code="format",
    )


def with_format(found: Discovery, named: NamedFormat, read: ReadAs, used: set[str]) -> Discovery:
    """Return a discovery of what a format reads; what it does not is listed by its reason."""
    reasons = {name: [reason] for name, reason in read.passed_over}
    of_others = f"not of {named.chosen}" if named.chosen else f"no file of {named.title}"
    grouped: dict[str, list[str]] = {}
    for name, _ in found.listed:
        if name not in used and name.lower() != STUDY_FILE:
            grouped.setdefault(reasons.get(name, [of_others])[0], []).append(name)
    return replace(
        found,
        files=tuple(source for source, _ in read.tables),
        unrecognised=tuple(entry for each in grouped.items() for entry in _listed(*each)),
        study_json={**read.study, **(found.study_json or {})} or None,
    )


def _listed(reason: str, names: list[str]) -> list[tuple[str, str]]:
    """Return an entry for each of a few files, or one for all."""
    if len(names) <= FEW:
        return [(name, reason) for name in names]
    return [(f"{names[0]} and {len(names) - 1} more", reason)]


def check_choice(named: NamedFormat) -> None:
    """Refuse files that hold several studies until somebody has chosen one."""
    if named.choices and not named.chosen:
        raise TableError(
            Problem(
                "",
                found=", ".join(named.choices),
                expected=f"one {named.part}",
                message=f"These files hold several; say which {named.part} to import: --select "
                "(page and API: select).",
                code="select",
            )
        )
