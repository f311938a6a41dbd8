"""Modifiers as style words: the adjectives and adverbs of English texts, whatever their style.

Parts of speech are those of the Penn Treebank, as the tagger of Pattern (De Smedt and Daelemans
2012, in the package `textblob`) gives them: a lexicon with Brill's rules of context.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from corpus.progress import ProgressCallback, unreported
from corpus.texts.masking import split_words

PARTS = frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS"})
_TEXTS_AT_ONCE = 1000


class Modifier(NamedTuple):
    """A word in small letters, how often it stands as a modifier, and how often at all."""

    word: str
    modifying: int
    places: int


def modifiers(
    texts: Sequence[str], *, fewest: int = 1, report: ProgressCallback = unreported
) -> list[Modifier]:
    """Return the words that are an adjective or adverb at more than half of their places.

    Parameters
    ----------
    texts
        In English; each is counted once.
    fewest
        In how many texts a word must stand.
    report
        Is called with the number of tagged texts.

    Returns
    -------
    list of Modifier
        The most frequent modifiers first.

    Examples
    --------
    >>> [each.word for each in modifiers(["The really good soup was very hot."])]
    ['good', 'hot', 'really', 'very']
    """
    find_tags = _tagger()
    places, modifying, standing = Counter[str](), Counter[str](), Counter[str]()
    distinct = list(dict.fromkeys(texts))
    for done, text in enumerate(distinct):
        if done % _TEXTS_AT_ONCE == 0:
            report("tagging words", done, len(distinct))
        words = split_words(text)
        places.update(words)
        standing.update(set(words))
        tagged = find_tags(words)
        modifying.update(
            word for word, (_, part) in zip(words, tagged, strict=True) if part in PARTS
        )
    found = [
        Modifier(word, count, places[word])
        for word, count in modifying.items()
        if 2 * count > places[word] and standing[word] >= fewest
    ]
    return sorted(found, key=lambda each: (-each.modifying, each.word))


@cache
def _tagger() -> Callable[[Sequence[str]], list[list[str]]]:
    """Return what gives each word of a text its part of speech."""
    from textblob.en import parser

    with warnings.catch_warnings():
        # Its word list is read with the first word, and the file is left open.
        warnings.simplefilter("ignore", ResourceWarning)
        parser.find_tags(["soup"])
    tagger: Callable[[Sequence[str]], list[list[str]]] = parser.find_tags
    return tagger
