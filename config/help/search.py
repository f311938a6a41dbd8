"""Searching the help by words; knows no Django."""

from collections.abc import Iterable
from dataclasses import dataclass

from config.help.markdown import HelpPage, Part

EXCERPT = 160


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

    Words in a heading count more than words in the text below it. Static sites are searched in the
    same way by `static/js/help-search.js`.

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
