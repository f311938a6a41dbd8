"""N-gram models with back-off: trained by modified Kneser–Ney smoothing, kept as ARPA files."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
NATURAL = math.log(10)
"""Natural logarithm of ten: n-gram models are written with logarithms to base 10."""
Ngram: TypeAlias = tuple[str, ...]


class Entry(NamedTuple):
    """Logarithms to base 10 of an n-gram's probability and of its weight as a context."""

    probability: float
    backoff: float


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model as ARPA files hold it.

    Attributes
    ----------
    tables
        N-grams of each order, from unigrams; unigrams include the start and end symbols and the
        unknown word.
    """

    tables: tuple[Mapping[Ngram, Entry], ...]

    @property
    def order(self) -> int:
        """Length of the longest n-gram."""
        return len(self.tables)

    def log10(self, context: Sequence[str], word: str) -> float:
        """Return log₁₀ P(word | context) by back-off.

        Of the context the last words count that the order allows. A word that is not in the
        vocabulary is the unknown word, as a context too.
        """
        known = tuple(self._known(each) for each in (*context[-(self.order - 1) :], word))
        backoff = 0.0
        for start in range(len(known)):
            ngram = known[start:]
            if found := self.tables[len(ngram) - 1].get(ngram):
                return backoff + found.probability
            shorter = self.tables[len(ngram) - 2].get(ngram[:-1])
            backoff += shorter.backoff if shorter else 0.0
        raise AssertionError("unigrams hold the unknown word")

    def negative_log_likelihood(self, words: Sequence[str]) -> float:
        """Return −ln P of a sentence of these words, its end symbol included."""
        padded = (START, *words, END)
        logarithms = (self.log10(padded[:place], padded[place]) for place in range(1, len(padded)))
        return -NATURAL * math.fsum(logarithms)

    def _known(self, word: str) -> str:
        return word if (word,) in self.tables[0] else UNKNOWN


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


class ArpaError(ValueError):
    """A file that is no ARPA file; the message says where and what was expected."""


def write_arpa(model: NgramModel, path: Path) -> None:
    """Write a model, n-grams in the order of their words, so that equal models give equal files."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\\data\\\n")
        for length, table in enumerate(model.tables, start=1):
            file.write(f"ngram {length}={len(table)}\n")
        for length, table in enumerate(model.tables, start=1):
            file.write(f"\n\\{length}-grams:\n")
            for ngram in sorted(table):
                file.write(_line(ngram, table[ngram], length < model.order))
        file.write("\n\\end\\\n")


def read_arpa(path: Path) -> NgramModel:
    """Read a model that `write_arpa` wrote.

    Raises
    ------
    ArpaError
        If the file is damaged or cut off, or lacks the start symbol or the unknown word.
    """
    sizes, tables = list[int](), list[dict[Ngram, Entry]]()
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            probability, *rest = line.rstrip("\r\n").split("\t")
            if probability.endswith("-grams:"):
                tables.append({})
            elif rest:
                ngram, length = tuple(rest[0].split(" ")), len(tables)
                try:
                    entry = Entry(float(probability), float(rest[1] if rest[1:] else 0))
                except ValueError:
                    entry = None
                if entry is None or len(ngram) != length:
                    raise ArpaError(
                        f"{path.name}, line {number}: expected a logarithm, a tab and {length} "
                        "words"
                    )
                tables[-1][ngram] = entry
            elif not tables and "=" in line:
                sizes.append(int(line.rpartition("=")[2]))
    if sizes != list(map(len, tables)) or not tables:
        raise ArpaError(f"{path.name}: it is no whole ARPA file: train the model again")
    for symbol in (START, UNKNOWN):
        if (symbol,) not in tables[0]:
            raise ArpaError(f"{path.name}: its unigrams have no {symbol}")
    return NgramModel(tuple(tables))


def _line(ngram: Ngram, entry: Entry, has_longer: bool) -> str:
    backoff = f"\t{entry.backoff:.7f}" if has_longer and entry.backoff else ""
    return f"{entry.probability:.7f}\t{' '.join(ngram)}{backoff}\n"
