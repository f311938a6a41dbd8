"""chrF and chrF++ by sacreBLEU: of sentences, and of corpora from summed counts."""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from metrics.scorers.comparing import (
    COMPARISONS,
    LOWERCASE,
    SACREBLEU,
    SCALE,
    SacrebleuScorer,
)
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import MetricSpec, Parameter

CHARACTERS = 6
"""Longest n-grams of characters."""
EPSILON = 1e-16
"""What sacreBLEU takes for a share of nothing."""
_chrf = partial(
    MetricSpec,
    edge_cases=("0", "0", "undefined", "1", "1"),
    aspect="content",
    orientation="higher",
    comparisons=COMPARISONS,
    parameters=(
        Parameter("beta", 2, "How much more recall counts than precision.", minimum=1, maximum=5),
        LOWERCASE,
        Parameter("whitespace", False, "Count white space as a character."),
        Parameter(
            "eps_smoothing",
            False,
            "Average F over all orders, as chrF++.py and Moses do, instead of precision and recall "
            "over the orders that both texts have.",
        ),
        SCALE,
    ),
    libraries=(SACREBLEU,),
    is_default=True,
    revision=2,
)


def _shares(matches: Floats, counts: Floats) -> Floats:
    return np.divide(matches, counts, out=np.full_like(matches, EPSILON), where=counts > 0)


def _f_scores(precision: Floats, recall: Floats, factor: int, least: float) -> Floats:
    below = factor * precision + recall
    above = (1 + factor) * precision * recall
    return np.divide(above, below, out=np.full_like(below, least), where=below > 0)


def _statistics(words: int) -> tuple[str, ...]:
    sizes = [f"characters_{n + 1}" for n in range(CHARACTERS)]
    sizes += [f"words_{n + 1}" for n in range(words)]
    return tuple(f"{part}_{size}" for size in sizes for part in ("output", "reference", "matches"))


class Chrf(SacrebleuScorer):
    """Shared character sequences of the output and its references.

    It tolerates inflected forms better than BLEU and suits single sentences.

    Formula
    -------
    (1 + β²) · P · R / (β² · P + R), with P and R the mean precision and recall of n-grams of 1 to 6
    characters without white space. Of several references the one with the highest score counts,
    blank ones left out. A corpus score comes from the summed counts of its texts.

    Range
    -----
    0 to 1, or 0 to 100 by the parameter scale

    Distrust
    --------
    Unrelated sentences of one language share many short n-grams: .15 to .25 is next to nothing.
    Against the source it rewards copying. Placeholders for style words are counted as characters
    that match.

    Citation
    --------
    Popović 2015; sacreBLEU: Post 2018.
    """

    words: ClassVar[int] = 0
    """Longest n-grams of words that count besides."""
    spec = _chrf(key="chrf", title="chrF", statistics=_statistics(0))

    def build(self) -> Any:
        """Return sacreBLEU's chrF."""
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=CHARACTERS,
            word_order=self.words,
            beta=int(self.parameters["beta"]),
            lowercase=bool(self.parameters["lowercase"]),
            whitespace=bool(self.parameters["whitespace"]),
            eps_smoothing=bool(self.parameters["eps_smoothing"]),
        )

    def points(self, counts: Sequence[float], *, of_corpus: bool) -> float:
        """Return chrF from 0 to 100."""
        score: float = self.library._compute_f_score(counts)
        return score

    def corpus_points(self, counts: Floats) -> Floats:
        """Return corpus chrF of many sums of counts, step by step as sacreBLEU computes one."""
        output, reference, matches = (counts[:, part::3] for part in range(3))
        precision = _shares(matches, output)
        recall = _shares(matches, reference)
        factor = int(self.parameters["beta"]) ** 2
        if self.parameters["eps_smoothing"]:
            scores = _f_scores(precision, recall, factor, EPSILON)
            return np.asarray(100 * scores.mean(axis=1), dtype=np.float64)
        both = (output > 0) & (reference > 0)
        orders = np.maximum(both.sum(axis=1), 1)
        precision, recall = (
            np.where(both, side, 0.0).sum(axis=1) / orders for side in (precision, recall)
        )
        return 100 * _f_scores(precision, recall, factor, 0.0)


class ChrfPlusPlus(Chrf):
    """Like chrF, with single words and pairs of words added.

    Formula
    -------
    Like chrF, computed on words and word bigrams as well as character n-grams; punctuation is split
    from words. Several references are compared natively, blank ones left out.

    Range
    -----
    0 to 1, or 0 to 100 by the parameter scale

    Distrust
    --------
    As for chrF; words make it slightly stricter on unrelated sentences.

    Citation
    --------
    Popović 2017; sacreBLEU: Post 2018.
    """

    words = 2
    spec = _chrf(key="chrf++", words_by="spaces", title="chrF++", statistics=_statistics(2))


SCORERS = (Chrf, ChrfPlusPlus)
