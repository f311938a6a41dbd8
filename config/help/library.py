"""All pages of the help, their order, their links, and the search by words; knows no Django."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it.token import Token

from config.help.markdown import HelpPage, Part, parse, plain, render_page

FIRST = "index"
_FILES = {".ipynb", ".csv", ".tsv", ".txt", ".png", ".webp", ".svg"}
EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents: a question or a title, and where its answer is."""

    title: str
    page: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of the contents below one heading."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Library:
    """The help.

    Parameters
    ----------
    pages
        Each page by its name.
    files
        What pages link to or show and is no page, by its path below `docs/`.
    contents
        The list of contents, as the first page has it.
    """

    pages: Mapping[str, HelpPage]
    files: Mapping[str, Path]
    contents: tuple[Group, ...]

    def problems(self) -> list[str]:
        """Return what is wrong: links that lead nowhere, pages that no list leads to."""
        anchors = {name: {part.anchor for part in page.parts} for name, page in self.pages.items()}
        found = []
        for page in self.pages.values():
            for link in page.links:
                path, _, anchor = link.partition("#")
                name = path.removesuffix(".md") if path else page.name
                known = path in self.files or (name in anchors and path in {"", f"{name}.md"})
                if not known or (anchor and anchor not in anchors.get(name, ())):
                    found.append(f"{page.name}.md links to {link}")
        listed = {entry.page for group in self.contents for entry in group.entries} | {FIRST}
        found += [f"{name}.md is not in {FIRST}.md" for name in sorted({*self.pages} - listed)]
        return found


def read_library(folder: Path) -> Library:
    """Read and render every page of a folder.

    Parameters
    ----------
    folder
        Where the Markdown is; `index.md` in it lists the pages.
    """
    paths = sorted(folder.rglob("*"))
    pages = {}
    for path in paths:
        if path.suffix == ".md":
            name = path.relative_to(folder).with_suffix("").as_posix()
            pages[name] = render_page(name, path.read_text(encoding="utf-8"))
    files = {path.relative_to(folder).as_posix(): path for path in paths if path.suffix in _FILES}
    contents = read_contents((folder / f"{FIRST}.md").read_text(encoding="utf-8"))
    return Library(pages, files, contents)


def read_contents(text: str) -> tuple[Group, ...]:
    """Return the lists of a page: each heading of level two with the links that begin its lines.

    Parameters
    ----------
    text
        The Markdown of the page.
    """
    groups: list[tuple[str, list[Entry]]] = []
    tokens = parse(text)
    for before, token in pairwise(tokens):
        if before.type == "heading_open" and before.tag == "h2":
            groups.append((plain(token), []))
        children = token.children or []
        if groups and token.level > 2 and children and children[0].type == "link_open":
            page, _, anchor = str(children[0].attrGet("href")).partition("#")
            title = "".join(child.content for child in children[1 : _closing(children)])
            groups[-1][1].append(Entry(title, re.sub(r"\.md$", "", page), anchor))
    return tuple(Group(title, tuple(entries)) for title, entries in groups)


def _closing(children: Sequence[Token]) -> int:
    return next(at for at, child in enumerate(children) if child.type == "link_close")


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a page that has all the words.

    Parameters
    ----------
    page
        The title of its page.
    title
        Its heading.
    address
        Where it is, from the first page of the help on.
    excerpt
        Its text around the first word.
    """

    page: str
    title: str
    address: str
    excerpt: str


def find_help(pages: Iterable[HelpPage], query: str, limit: int = 20) -> list[Found]:
    """Return the parts of pages that have every word of a query, the best first.

    Words in a heading count more than words in the text below it.

    Parameters
    ----------
    pages
        The pages.
    query
        Words, or beginnings and other pieces of words.
    limit
        At most so many parts are returned.
    """
    words = query.lower().split()
    if not words:
        return []
    ranked: list[tuple[int, int, HelpPage, Part]] = []
    for page in pages:
        for part in page.parts:
            score = _score(page.title.lower(), part.title.lower(), part.text.lower(), words)
            if score:
                ranked.append((-score, len(ranked), page, part))
    ranked.sort(key=lambda row: row[:2])
    return [
        Found(page.title, part.title, f"{page.address}#{part.anchor}", _excerpt(part, words))
        for _, _, page, part in ranked[:limit]
    ]


def _score(page: str, title: str, text: str, words: list[str]) -> int:
    """Return how well words fit, 0 if one is missing."""
    score = 0
    for word in words:
        here = 4 * (word in title) + (word in text)
        if not here and word not in page:
            return 0
        score += here + 2 * (word in page)
    return score


def _excerpt(part: Part, words: list[str]) -> str:
    """Return the text around the first word, cut at spaces."""
    at = max(0, min((part.text.lower().find(word) for word in words), default=0))
    start = 0 if at < EXCERPT // 2 else part.text.find(" ", at - EXCERPT // 2) + 1
    cut = part.text[start : start + EXCERPT]
    if start + EXCERPT < len(part.text):
        cut = cut.rpartition(" ")[0] + " …"
    return f"… {cut}" if start else cut
