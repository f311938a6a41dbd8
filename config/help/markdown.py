"""Markdown of `docs/` into HTML, with an anchor for each heading; knows no Django."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from corpus.pages.unbroken import unbroken

_PARSER = MarkdownIt("commonmark").enable("table")
_OUTSIDE = re.compile(r"[a-z]+:")
_LEADING_UP = re.compile(r"\.\./")


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and the text below it, up to the next heading."""

    anchor: str
    title: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of the help.

    Parameters
    ----------
    name
        Its path below `docs/` without the ending, such as ``statistics/agreement``.
    title
        Its first heading.
    html
        What is shown.
    parts
        Its headings in their order, the title first.
    links
        Targets of its links to other pages, files and anchors of the help, from `docs/` on.
    """

    name: str
    title: str
    html: str
    parts: tuple[Part, ...]
    links: tuple[str, ...]

    @property
    def address(self) -> str:
        """Where it is shown, from the first page of the help on."""
        return f"{self.name}.html"

    @property
    def up(self) -> str:
        """The way from it to the first page's folder."""
        return "../" * self.name.count("/")


def parse(text: str) -> list[Token]:
    """Return the tokens of a text."""
    return _PARSER.parse(text)


def render_page(name: str, text: str) -> HelpPage:
    """Return a page as it is shown.

    Parameters
    ----------
    name
        Its path below `docs/` without the ending.
    text
        Its Markdown.
    """
    tokens = parse(text)
    parts = _parts(tokens)
    links = _mend_links(tokens, posixpath.dirname(name))
    _keep_percent_signs(tokens)
    _let_scroll(tokens)
    _show_in_both_schemes(tokens)
    html = str(_PARSER.renderer.render(tokens, _PARSER.options, {}))
    return HelpPage(name, parts[0].title, html, parts, links)


def plain(inline: Token) -> str:
    """Return the words of a line, without marks."""
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or ()
        if child.type in {"text", "code_inline", "softbreak"}
    )


def _parts(tokens: Sequence[Token]) -> tuple[Part, ...]:
    """Give each heading its anchor, as GitHub does, and collect the text below it."""
    headings: list[tuple[str, str, int]] = []
    texts: list[list[str]] = []
    taken: dict[str, int] = {}
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and before.type == "heading_open":
            title = plain(token)
            anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            taken[anchor] = taken.get(anchor, -1) + 1
            if taken[anchor]:
                anchor = f"{anchor}-{taken[anchor]}"
            before.attrSet("id", anchor)
            headings.append((anchor, title, int(before.tag[1])))
            texts.append([])
        elif token.type in {"inline", "fence", "code_block"} and texts:
            texts[-1].append(plain(token) if token.type == "inline" else token.content)
    return tuple(
        Part(*heading, " ".join(" ".join(text).split()))
        for heading, text in zip(headings, texts, strict=True)
    )


def _mend_links(tokens: Sequence[Token], folder: str) -> tuple[str, ...]:
    """Lead links to other pages' `.html`; of links to what the help lacks, leave the words."""
    found = []
    for token in tokens:
        # A link ends with the closing mark that follows it: links do not nest.
        outside = False
        for child in token.children or ():
            if child.type == "link_open":
                target = str(child.attrGet("href"))
                path, _, anchor = target.partition("#")
                inside = posixpath.normpath(posixpath.join(folder, path)) if path else ""
                outside = bool(_LEADING_UP.match(inside))
                if _OUTSIDE.match(target):
                    continue
                if outside:
                    child.tag, child.attrs = "span", {}
                    continue
                found.append(f"{inside}#{anchor}" if anchor else inside)
                child.attrSet("href", re.sub(r"\.md(?=#|$)", ".html", target))
            elif child.type == "link_close" and outside:
                child.tag, outside = "span", False
            elif child.type == "image":
                source = str(child.attrGet("src"))
                found.append(posixpath.normpath(posixpath.join(folder, source)))
                if dark := _dark_of(source):
                    found.append(posixpath.normpath(posixpath.join(folder, dark)))
    return tuple(found)


def _show_in_both_schemes(tokens: Sequence[Token]) -> None:
    """Of pictures of pages, show the dark one to who prefers that."""
    for token in tokens:
        for child in token.children or ():
            if child.type == "image" and (dark := _dark_of(str(child.attrGet("src")))):
                light, words = escape(str(child.attrGet("src"))), escape(child.content)
                preferring = f'media="(prefers-color-scheme: dark)" srcset="{escape(dark)}"'
                shown = f'<source {preferring}><img src="{light}" alt="{words}">'
                child.type, child.content = "html_inline", f"<picture>{shown}</picture>"


def _dark_of(source: str) -> str:
    """Return where the dark one of a picture of a page is; nothing for other images."""
    name = source.removesuffix(".webp")
    return f"{name}-dark.webp" if "pictures/" in source and name != source else ""


def _keep_percent_signs(tokens: Sequence[Token]) -> None:
    for token in tokens:
        for child in token.children or ():
            if child.type == "text":
                child.content = unbroken(child.content)


def _let_scroll(tokens: list[Token]) -> None:
    """Let wide tables, in regions named by the heading above, and code be scrolled by keyboard."""
    heading = ""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type == "heading_open":
            heading = plain(tokens[at + 1])
        elif token.type == "table_open":
            label = escape(f"Table: {heading}")
            region = f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">\n'
            tokens.insert(at, _html(region))
            at += 1
        elif token.type == "fence":
            code = f'<pre tabindex="0"><code>{escape(token.content)}</code></pre>\n'
            tokens[at] = _html(code)
        elif token.type == "table_close":
            tokens.insert(at + 1, _html("</div>\n"))
        at += 1


def _html(content: str) -> Token:
    return Token("html_block", "", 0, content=content)
