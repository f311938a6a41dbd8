"""What a publication says of itself, with the licences that it may have."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from corpus.tabular.plain import from_plain, to_plain

TERMS = "LicenseRef-Terms"
"""Custom terms, or no licence that has an identifier: their text is stated alongside."""
NAME = "publication"
IMPORTED = "imported_details"
"""Name, among the declarations, of the certified details that an import brought."""
CERTIFIED = ("consent", "ethics")
"""What readers take for a fact about people: it says if only a file states it."""
STATED = "imported, stated by the file"
LONGEST, LONGEST_TEXT, MOST_AUTHORS = 300, 10_000, 500
_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_SHORT = ("version", "contact", "paper")


@dataclass(frozen=True)
class Licence:
    """A licence.

    Attributes
    ----------
    title
        Its name.
    address
        Where its text is; empty for custom terms.
    hugging_face
        What cards on the Hugging Face Hub call it.
    """

    title: str
    address: str = ""
    hugging_face: str = "other"


_LISTED = Path(__file__).with_name("licences.toml").read_text(encoding="utf-8")
LICENCES: dict[str, Licence] = {
    **{name: Licence(**facts) for name, facts in tomllib.loads(_LISTED).items()},
    TERMS: Licence("other terms, stated in words"),
}


@dataclass(frozen=True)
class Author:
    """Who made the study: ``Family, Given`` or the name of a group."""

    name: str
    orcid: str = ""
    affiliation: str = ""

    @property
    def family(self) -> str:
        """The family name, or the whole name where it is one."""
        return self.name.partition(",")[0].strip()

    @property
    def given(self) -> str:
        """Given names; empty where there are none."""
        return self.name.partition(",")[2].strip()

    @property
    def read_out(self) -> str:
        """The name in the order in which it is spoken."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True)
class Details:
    """What a publication states that no table of the study holds.

    Attributes
    ----------
    licence, licence_terms
        SPDX identifier of the licence of ratings, scores and everything else that was made for the
        study, and its terms in words where it has no identifier.
    text_licence, text_licence_terms, text_source
        The same of the texts, and where they come from.
    authors, citation, paper
        Who made it, how it is to be cited, and the address of the paper about it.
    keywords, version, contact
        For those who look for it; the version of this edition; whom to ask.
    ratings_source
        Where ratings come from that were imported.
    consent, ethics
        To what annotators agreed about publication; who approved of the study.
    uses, limitations, maintenance
        What it is meant for, what it does not show, and who keeps it.
    """

    licence: str = ""
    licence_terms: str = ""
    text_licence: str = ""
    text_licence_terms: str = ""
    text_source: str = ""
    authors: tuple[Author, ...] = ()
    citation: str = ""
    paper: str = ""
    keywords: tuple[str, ...] = ()
    version: str = ""
    contact: str = ""
    ratings_source: str = ""
    consent: str = ""
    ethics: str = ""
    uses: str = ""
    limitations: str = ""
    maintenance: str = ""

    @classmethod
    def from_declared(cls, declared: Mapping[str, Any]) -> "Details":
        """Read what `declared` wrote; it was checked when it was stored."""
        details: Details = from_plain(cls, declared)
        return details

    def declared(self) -> dict[str, Any]:
        """Return what is stated, ready for JSON."""
        stated: dict[str, Any] = to_plain(self)
        return stated


def details_shown(declarations: Mapping[str, Any]) -> Details:
    """Return the details of a study for readers; what only an imported file states says so.

    Examples
    --------
    >>> details_shown({NAME: {"ethics": "Board 7"}, IMPORTED: ["ethics"]}).ethics
    'Board 7 (imported, stated by the file)'
    """
    details = Details.from_declared(declarations.get(NAME, {}))
    imported = [name for name in declarations.get(IMPORTED, ()) if getattr(details, name)]
    marked: dict[str, Any] = {name: f"{getattr(details, name)} ({STATED})" for name in imported}
    return replace(details, **marked)


def imported_details(
    known: Iterable[str], before: Mapping[str, Any], now: Mapping[str, Any], *, by_import: bool
) -> list[str]:
    """Return which certified details are an import's, after some or all were stated again.

    One that stays the same stays whose it is.
    """
    changed = {name for name in CERTIFIED if before.get(name) != now.get(name)}
    kept = set(known) - changed
    return sorted(kept | {name for name in changed if by_import and now.get(name)})


def is_orcid(text: str) -> bool:
    """Whether a text is an ORCID with the right last digit (ISO 7064, mod 11-2).

    Examples
    --------
    >>> is_orcid("0000-0002-1825-0097"), is_orcid("0000-0002-1825-0098")
    (True, False)
    """
    if not _ORCID.fullmatch(text):
        return False
    total = 0
    for digit in text.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    last = (12 - total % 11) % 11
    return text[-1] == ("X" if last == 10 else str(last))


def wrong_details(declared: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield name, value and what was expected of each detail that cannot be taken."""
    if not isinstance(declared, dict):
        yield "", declared, "an object"
        return
    for name, value in declared.items():
        yield from _wrong_detail(name, value)
    paper = declared.get("paper")
    if isinstance(paper, str) and paper and not paper.startswith(("https://", "http://")):
        yield "paper", paper, "an address that begins with https://"
    for name in ("licence", "text_licence"):
        if declared.get(name) == TERMS and not declared.get(f"{name}_terms"):
            yield f"{name}_terms", "", "the terms in words, as the licence has no identifier"


def _wrong_detail(name: str, value: Any) -> Iterator[tuple[str, Any, str]]:
    known = {field.name for field in fields(Details)}
    if name not in known:
        yield name, value, f"one of {', '.join(sorted(known))}"
    elif name in ("licence", "text_licence"):
        if value not in ("", *LICENCES):
            yield name, value, f"an SPDX identifier: {', '.join(LICENCES)}"
    elif name == "authors":
        yield from _wrong_authors(value)
    elif name == "keywords":
        if not isinstance(value, list) or not all(_is_text(each) for each in value):
            yield name, value, "a list of words"
    else:
        longest = LONGEST if name in _SHORT else LONGEST_TEXT
        if not _is_text(value, longest):
            yield name, value, f"a text of at most {longest:,} characters"


def _wrong_authors(authors: Any) -> Iterator[tuple[str, Any, str]]:
    if not isinstance(authors, list) or len(authors) > MOST_AUTHORS:
        yield "authors", authors, f"a list of at most {MOST_AUTHORS} authors"
        return
    for place, author in enumerate(authors, start=1):
        where = f"authors, entry {place}"
        if not isinstance(author, dict) or set(author) - {"name", "orcid", "affiliation"}:
            yield where, author, "name, orcid and affiliation"
        elif not all(_is_text(value) for value in author.values()) or not author.get("name"):
            yield where, author, "a name, as Family, Given"
        elif author.get("orcid") and not is_orcid(author["orcid"]):
            yield where, author["orcid"], "an ORCID such as 0000-0002-1825-0097"


def _is_text(value: Any, longest: int = LONGEST) -> bool:
    return isinstance(value, str) and len(value) <= longest
