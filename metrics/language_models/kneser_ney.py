"""Training of n-gram models: interpolated, modified Kneser–Ney smoothing."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from metrics.language_models.ngram import END, START, UNKNOWN, Entry, Ngram, NgramModel

Counts: TypeAlias = Mapping[Ngram, int]
Discounts: TypeAlias = tuple[float, float, float]
FALLBACK_DISCOUNTS: Discounts = (0.5, 1.0, 1.5)
"""Where too few n-grams are rare for discounts to be estimated, as KenLM's option has them."""
DECIMALS = 7
_ABSENT = -99.0


def train(sentences: Iterable[Sequence[str]], order: int) -> NgramModel:
    """Train an n-gram model on sentences.

    Interpolated Kneser–Ney with three discounts an order, estimated from counts of counts (Chen
    and Goodman 1999, section 3.4). Each sentence gets one start and one end symbol. N-grams of
    lower orders count by how many different words stand before them, except those that begin with
    the start symbol, which count as often as they occur. Unigrams are interpolated with the
    uniform distribution over all words, the end symbol and one unknown word, so that every word
    has a probability. Where a discount cannot be estimated or is not above 0 and at most its
    count, that order takes `FALLBACK_DISCOUNTS`.

    Parameters
    ----------
    sentences
        Words of each; empty ones are left out.
    order
        Longest n-gram, from 2.

    Returns
    -------
    NgramModel
        Its logarithms are rounded to seven decimals, as they are written.

    Raises
    ------
    ValueError
        If no sentence has a word, or `order` is below 2.

    Examples
    --------
    >>> model = train([["good", "food"], ["good", "service"]], order=2)
    >>> model.log10(["good"], "food") > model.log10(["good"], "good")
    True
    """
    if order < 2:
        raise ValueError(f"order {order}: an n-gram model has at least pairs of words")
    raw = _raw_counts(sentences, order)
    if not raw[0]:
        raise ValueError("no sentence has a word: there is nothing to train on")
    return NgramModel(_tables(_adjusted(raw)))


def discounts(counts: Iterable[int]) -> Discounts:
    """Return what is taken off n-grams that count 1, 2, and 3 or more.

    Parameters
    ----------
    counts
        Counts of all n-grams of one order.
    """
    of_counts = Counter(counts)
    ones, twos, threes, fours = (of_counts[count] for count in (1, 2, 3, 4))
    if not (ones and twos and threes and fours):
        return FALLBACK_DISCOUNTS
    y = ones / (ones + 2 * twos)
    found = (1 - 2 * y * twos / ones, 2 - 3 * y * threes / twos, 3 - 4 * y * fours / threes)
    usable = all(0 < discount <= count for count, discount in enumerate(found, start=1))
    return found if usable else FALLBACK_DISCOUNTS


def _raw_counts(sentences: Iterable[Sequence[str]], order: int) -> list[Counter[Ngram]]:
    """Count n-grams of every order; the start symbol alone is no unigram."""
    raw: list[Counter[Ngram]] = [Counter() for _ in range(order)]
    for words in sentences:
        if not words:
            continue
        padded = (START, *words, END)
        raw[0].update((word,) for word in padded[1:])
        for length in range(2, order + 1):
            shifted = (padded[start:] for start in range(length))
            raw[length - 1].update(zip(*shifted, strict=False))
    return raw


def _adjusted(raw: Sequence[Counter[Ngram]]) -> list[Counts]:
    """Count lower orders by different words before; see `train`."""
    adjusted: list[Counts] = []
    for counts, longer in pairwise(raw):
        before = Counter(ngram[1:] for ngram in longer)
        before.update({ngram: count for ngram, count in counts.items() if ngram[0] == START})
        adjusted.append(before)
    return [*adjusted, raw[-1]]


def _tables(adjusted: Sequence[Counts]) -> tuple[dict[Ngram, Entry], ...]:
    """Return probability and back-off weight of every n-gram, as logarithms to base 10."""
    words = [*adjusted[0], (UNKNOWN,)]
    probabilities: list[dict[Ngram, float]] = []
    weights: list[dict[Ngram, float]] = []
    for counts in adjusted:
        shorter: Mapping[Ngram, float] = {(): 1 / len(words)}
        if probabilities:
            shorter = probabilities[-1]
        found, weight = _interpolated(counts, shorter)
        probabilities.append(found)
        weights.append(weight)
    probabilities[0][(UNKNOWN,)] = weights[0][()] / len(words)
    tables: list[dict[Ngram, Entry]] = []
    # The weights of contexts of one order stand with the n-grams of the order below.
    for found, weight in zip(probabilities, [*weights[1:], {}], strict=True):
        table = {ngram: Entry(_log(p), _log(weight.get(ngram, 1.0))) for ngram, p in found.items()}
        tables.append(table)
    tables[0][(START,)] = Entry(_ABSENT, _log(weights[1][(START,)]))
    return tuple(tables)


def _interpolated(
    counts: Counts, shorter: Mapping[Ngram, float]
) -> tuple[dict[Ngram, float], dict[Ngram, float]]:
    """Return probabilities of n-grams, and the weight that each context leaves to the order below.

    `shorter` has the probabilities of that order; below unigrams that of the uniform distribution.
    """
    takes_off = (0.0, *discounts(counts.values()))
    total: defaultdict[Ngram, int] = defaultdict(int)
    taken: defaultdict[Ngram, float] = defaultdict(float)
    for ngram, count in counts.items():
        total[ngram[:-1]] += count
        taken[ngram[:-1]] += takes_off[min(count, 3)]
    weights = {context: taken[context] / total[context] for context in total}
    found = {
        ngram: (count - takes_off[min(count, 3)]) / total[ngram[:-1]]
        + weights[ngram[:-1]] * shorter[ngram[1:]]
        for ngram, count in counts.items()
    }
    return found, weights


def _log(value: float) -> float:
    return round(math.log10(value), DECIMALS)
