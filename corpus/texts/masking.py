"""Masking of style words: a text with the words of a lexicon replaced by a placeholder.

What a word is: letters and digits with their combining marks, joined by single apostrophes or
hyphens inside (``don't``, ``well-known``); every other sign that is no white space stands alone.
An entry matches whole words only, whatever the case, whatever white space stands between its
words, and whichever of the usual apostrophes and hyphens is written.
"""

import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

PLACEHOLDER = "[STYLE]"
LONGEST_PLACEHOLDER = 40
_WORD, _PLACEHOLDER = "word", "placeholder"
_INNER = "-'’‐‑"
# Persian and Indian scripts join and part letters inside a word with these.
_JOINERS = "\u200c\u200d"
_ALIKE = str.maketrans({"’": "'", "‐": "-", "‑": "-", "\ufe0e": None, "\ufe0f": None})

Words = Mapping[str, float] | Iterable[str]


class PlaceholderError(ValueError):
    """A placeholder that could be taken for a part of a word; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A masked text.

    Attributes
    ----------
    text
        With placeholders.
    spans
        Start and end in the original text of everything that was replaced.
    is_emptied
        Whether words were masked and none is left: then there is no content to compare.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    is_emptied: bool = False


@dataclass(frozen=True)
class Masker:
    """A lexicon prepared to mask many texts.

    Attributes
    ----------
    placeholder
        What stands in place of a style word.
    lengths
        First word of an entry to the numbers of words that such entries have, longest first.
    entries
        All entries, as they are looked up.
    """

    placeholder: str
    lengths: Mapping[str, tuple[int, ...]]
    entries: Collection[str]

    def __call__(self, text: str) -> Masked:
        """Mask a text: from left to right, the longest entry first.

        What is no style word stays as it is, to the character. Masking a masked text changes
        nothing, because placeholders are never words.
        """
        tokens = _tokens(text, self.placeholder)
        spans: list[tuple[int, int]] = []
        kept_words = 0
        place = 0
        while place < len(tokens):
            count = self._longest(tokens, place)
            if count:
                spans.append((tokens[place].start, tokens[place + count - 1].end))
            else:
                kept_words += tokens[place].kind == _WORD
            place += count or 1
        masked = _replaced(text, spans, self.placeholder)
        return Masked(masked, tuple(spans), is_emptied=bool(spans) and not kept_words)

    def _longest(self, tokens: list["_Token"], place: int) -> int:
        """Return how many words the longest entry that begins here has; 0 if none does."""
        for count in self.lengths.get(tokens[place].key, ()):
            run = tokens[place : place + count]
            if len(run) == count and _joined(run) in self.entries:
                return count
        return 0


def masker(words: Words, *, threshold: float = 0.0, placeholder: str = PLACEHOLDER) -> Masker:
    """Prepare a lexicon.

    Parameters
    ----------
    words
        Entries, of one word or several, or a weight for each.
    threshold
        Entries whose weight is nearer to zero are left out: the sign says which style a word
        speaks of, the size how strongly.
    placeholder
        Begins and ends with a sign that no word contains.

    Raises
    ------
    PlaceholderError
        If the placeholder could be taken for a part of a word.
    """
    check_placeholder(placeholder)
    lengths: dict[str, set[int]] = {}
    entries: set[str] = set()
    for entry in words:
        if isinstance(words, Mapping) and abs(words[entry]) < threshold:
            continue
        tokens = _tokens(entry, placeholder)
        if tokens and all(token.kind != _PLACEHOLDER for token in tokens):
            lengths.setdefault(tokens[0].key, set()).add(len(tokens))
            entries.add(_joined(tokens))
    longest_first = {key: tuple(sorted(counts, reverse=True)) for key, counts in lengths.items()}
    return Masker(placeholder, longest_first, entries)


def mask(
    text: str, words: Words, *, threshold: float = 0.0, placeholder: str = PLACEHOLDER
) -> Masked:
    """Mask one text; for many, prepare the lexicon once with `masker`.

    Examples
    --------
    >>> mask("Gonna be so late, y'all!", {"gonna": 1.4, "y'all": 2.0, "late": 0.1}, threshold=1)
    Masked(text='[STYLE] be so late, [STYLE]!', spans=((0, 5), (18, 23)), is_emptied=False)
    """
    return masker(words, threshold=threshold, placeholder=placeholder)(text)


def places(text: str) -> list[tuple[int, int]]:
    """Return start and end of every word and of every sign that stands alone.

    Examples
    --------
    >>> places("Don't go!")
    [(0, 5), (6, 8), (8, 9)]
    """
    return [(token.start, token.end) for token in _tokens(text, PLACEHOLDER)]


def mask_spans(
    text: str, spans: Iterable[tuple[int, int]], *, placeholder: str = PLACEHOLDER
) -> Masked:
    """Mask given places of a text.

    Parameters
    ----------
    text
        The text.
    spans
        Start and end of each place, in order and without overlap.
    placeholder
        What stands in each place. An empty one removes it, together with the white space that
        would then be doubled or stand at an end.

    Raises
    ------
    PlaceholderError
        If the placeholder could be taken for a part of a word.

    Examples
    --------
    >>> mask_spans("so good food !", [(3, 7)]).text
    'so [STYLE] food !'
    >>> mask_spans("so good food !", [(3, 7)], placeholder="").text
    'so food !'
    """
    chosen = tuple(spans)
    if placeholder:
        check_placeholder(placeholder)
        masked = _replaced(text, chosen, placeholder)
    else:
        masked = without_spans(text, chosen)
    has_words = any(token.kind == _WORD for token in _tokens(masked, placeholder or PLACEHOLDER))
    return Masked(masked, chosen, is_emptied=bool(chosen) and not has_words)


def without_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text without given places, in order, as `mask_spans` removes them."""
    kept, kept_from = "", 0
    for start, end in spans:
        kept += text[kept_from:start]
        kept_from = end
        if not kept or kept[-1].isspace():
            while kept_from < len(text) and text[kept_from].isspace():
                kept_from += 1
    kept += text[kept_from:]
    return kept.rstrip() if spans and kept_from == len(text) else kept


def split_words(text: str, *, with_signs: bool = True) -> list[str]:
    """Return the words of a text in order, each in the form in which words are compared.

    Parameters
    ----------
    text
        The text.
    with_signs
        Whether signs that are no part of a word are returned too.

    Examples
    --------
    >>> split_words("Don't wait, y'all!", with_signs=False)
    ["don't", 'wait', "y'all"]
    """
    tokens = _tokens(text, PLACEHOLDER)
    return [token.key for token in tokens if with_signs or token.kind == _WORD]


def check_placeholder(placeholder: str) -> None:
    """Raise `PlaceholderError` unless a placeholder can be told from words."""
    part_of_a_word = re.compile(rf"[^\W_]|[{_INNER}{_JOINERS}]|{_marks()}|\s")
    ends = placeholder[:1], placeholder[-1:]
    if not placeholder or any(part_of_a_word.match(end) for end in ends):
        raise PlaceholderError(
            f"placeholder {placeholder!r}: begin and end it with a sign, as in [STYLE] or ___"
        )
    if len(placeholder) > LONGEST_PLACEHOLDER or len(placeholder.splitlines()) > 1:
        raise PlaceholderError(f"placeholder: at most {LONGEST_PLACEHOLDER} characters on one line")


class _Token(NamedTuple):
    """A word, a sign or a placeholder, with its place in the text."""

    start: int
    end: int
    key: str
    kind: str | None


def _tokens(text: str, placeholder: str) -> list[_Token]:
    return [
        _Token(*found.span(), _key(found[0]), found.lastgroup)
        for found in _pattern(placeholder).finditer(text)
    ]


def _key(word: str) -> str:
    """Return what is equal for all ways to write a word."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", word.casefold()).translate(_ALIKE)


def _joined(tokens: Sequence[_Token]) -> str:
    """Return words as they are looked up: one blank where white space stands."""
    parts = [tokens[0].key]
    for before, token in pairwise(tokens):
        parts += [" ", token.key] if token.start > before.end else [token.key]
    return "".join(parts)


def _replaced(text: str, spans: Iterable[tuple[int, int]], placeholder: str) -> str:
    pieces, kept_from = [], 0
    for start, end in spans:
        pieces += [text[kept_from:start], placeholder]
        kept_from = end
    return "".join((*pieces, text[kept_from:]))


@cache
def _pattern(placeholder: str) -> re.Pattern[str]:
    kept = re.escape(placeholder)
    return re.compile(
        rf"(?P<{_PLACEHOLDER}>{kept})|(?P<{_WORD}>{_word()})|\S(?:{_marks()}|\u200d\S)*+"
    )


@cache
def _word() -> str:
    """Return the pattern of a word."""
    # `\w` has no combining marks, so that words of many scripts would fall apart; and it has the
    # underscore, which is rather a sign.
    letters = rf"[^\W_](?:[^\W_]++|{_marks()}++|[{_JOINERS}](?=[^\W_]))*+"
    return rf"{letters}(?:[{_INNER}]{letters})*+"


@cache
def _marks() -> str:
    """Return the class of combining marks, which `re` has no name for."""
    codes = [c for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c))[0] == "M"]
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]"
