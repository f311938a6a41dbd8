"""Words that carry a style: by a lexicon, or by how much more often texts of a style have them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from corpus.texts.masking import Masker, places, split_words
from metrics.scorers.spec import Parameter, Value
from metrics.writers.writer import Material, Need, StyleWord, WriterError

LEXICON, COUNTS = "lexicon", "counts"
LONGEST = 4
"""Words of a marker that is found by counting."""
SMOOTHING = 1.0
START, END = "<s>", "</s>"
PARAMETERS = (
    Parameter(
        "markers",
        LEXICON,
        "Which words carry a style: those of the style lexicon, or those that texts of the style "
        "have much more often (counts).",
        choices=(LEXICON, COUNTS),
    ),
    Parameter("threshold", 0.0, "Smallest weight of words of the lexicon.", minimum=0),
    Parameter(
        "salience",
        5.0,
        "By counts: how many times more often texts of the style must have the words.",
        minimum=1,
        maximum=1e6,
    ),
)


class Slot(NamedTuple):
    """Style words of a text that stand together, between the words before and after them."""

    start: int
    end: int
    words: str
    before: str
    after: str


def marker_words(
    material: Material, parameters: Mapping[str, Value], style: str, other: str
) -> list[str]:
    """Return the words that carry a style, compared with another one.

    Parameters
    ----------
    material
        Texts by style, and the lexicon.
    parameters
        Values of `PARAMETERS`.
    style, other
        Names of both.
    """
    if parameters["markers"] == LEXICON:
        return lexicon_words(material.lexicon, style, float(parameters["threshold"]))
    mine, theirs = (material.texts.get(each, ()) for each in (style, other))
    return salient_words(mine, theirs, float(parameters["salience"]))


def needs_of(parameters: Mapping[str, Value]) -> frozenset[Need]:
    """Return what markers are found with."""
    return frozenset({"lexicon"} if parameters["markers"] == LEXICON else {"texts"})


def lexicon_words(lexicon: Sequence[StyleWord], style: str, threshold: float = 0.0) -> list[str]:
    """Return the words of a lexicon that speak for a style, and those without a style.

    Raises
    ------
    WriterError
        If the lexicon has none.
    """
    found = [
        entry.word
        for entry in lexicon
        if entry.style in ("", style) and (entry.weight is None or abs(entry.weight) >= threshold)
    ]
    if not found:
        styles = ", ".join(sorted({entry.style for entry in lexicon}))
        raise WriterError(f"the lexicon has no words of the style {style!r}, only of: {styles}")
    return found


def salient_words(texts: Collection[str], others: Collection[str], salience: float) -> list[str]:
    """Return sequences of words that texts of a style have much more often than others.

    The salience of a sequence is (count in texts + λ) / (count in others + λ), as in Li et al.
    (2018); sequences have up to four words.

    Examples
    --------
    >>> salient_words(["lol yes"] * 5, ["yes"] * 5, salience=5)
    ['lol', 'lol yes']
    """
    mine, theirs = _counts(texts), _counts(others)
    return sorted(
        words
        for words, count in mine.items()
        if (count + SMOOTHING) / (theirs[words] + SMOOTHING) >= salience
    )


def slots_of(text: str, prepared: Masker) -> list[Slot]:
    """Return the style words of a text; those that only white space parts are one slot."""
    spans: list[tuple[int, int]] = []
    for start, end in prepared(text).spans:
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    around = places(text)
    slots = []
    for start, end in spans:
        before = [text[a:b].lower() for a, b in around if b <= start]
        after = [text[a:b].lower() for a, b in around if a >= end]
        slots.append(Slot(start, end, text[start:end], [START, *before][-1], [*after[:1], END][0]))
    return slots


def filled(text: str, slots: Sequence[Slot], words: Sequence[str]) -> str:
    """Return a text with other words in its slots; white space is put right.

    Examples
    --------
    >>> filled("Gonna be late, y'all!", slots_of("Gonna be late, y'all!", masker(["y'all"])), [""])
    'Gonna be late!'
    """
    pieces, kept_from = [], 0
    for slot, word in zip(slots, words, strict=True):
        pieces += [text[kept_from : slot.start], word]
        kept_from = slot.end
    made = " ".join("".join((*pieces, text[kept_from:])).split())
    for sign in ".,!?;:":
        if f" {sign}" not in text:
            made = made.replace(f" {sign}", sign)
    made = made.replace(",!", "!").replace(",.", ".").replace(",?", "?").lstrip(",;: ")
    return made[:1].upper() + made[1:] if text[:1].isupper() else made


def _counts(texts: Collection[str]) -> Counter[str]:
    """Count sequences of up to four words, none across a sign."""
    counts: Counter[str] = Counter()
    for text in texts:
        words = split_words(text)
        breaks = [-1, *(n for n, word in enumerate(words) if not word[0].isalnum()), len(words)]
        for left, right in pairwise(breaks):
            run = words[left + 1 : right]
            for start in range(len(run)):
                for length in range(1, min(LONGEST, len(run) - start) + 1):
                    counts[" ".join(run[start : start + length])] += 1
    return counts
