"""BLEU by sacreBLEU: of sentences, and of corpora from summed counts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from metrics.scorers.comparing import (
    COMPARISONS,
    LOWERCASE,
    SACREBLEU,
    SCALE,
    SacrebleuScorer,
)
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Library, MetricSpec, Parameter, WordsBy
from metrics.scorers.tokens import (
    BY_LANGUAGE,
    OF_LANGUAGES,
    tokenizer,
    tokenizer_files,
    tokenizer_libraries,
    words_by_tokens,
)

ORDER = 4
"""Longest n-grams that are counted."""
_SIZES = range(1, ORDER + 1)


class Bleu(SacrebleuScorer):
    """Shared word sequences of the output and its references, with a penalty for short outputs.

    The usual score for content where references exist.

    Formula
    -------
    Brevity penalty min(1, exp(1 − r/c)) times the geometric mean of the clipped precisions of
    n-grams up to max_order; c is the length of the output, r that of the reference nearest in
    length. Several references are compared natively, blank ones left out. A corpus score comes from
    the summed counts of its texts; it is not the mean of sentence scores.

    Range
    -----
    0 to 1, or 0 to 100 by the parameter scale

    Distrust
    --------
    Of single sentences the smoothing decides much: compare only scores with the same signature.
    Against the source it rewards copying. Synonyms and other word order count as errors. A
    placeholder for style words such as [STYLE] is three tokens, and so three matches, to 13a and
    intl: for masked texts take mir2019.

    Citation
    --------
    Papineni et al. 2002; smoothing: Chen and Cherry 2014; sacreBLEU: Post 2018.
    """

    spec = MetricSpec(
        key="bleu",
        edge_cases=("0", "0", "undefined", "1", "1"),
        title="BLEU",
        aspect="content",
        orientation="higher",
        comparisons=COMPARISONS,
        parameters=(
            Parameter(
                "tokenize",
                "13a",
                "How texts fall into tokens: as in WMT (13a), at white space (none), at all "
                f"signs of any script (intl), into characters (char), {OF_LANGUAGES}, or as in Mir "
                "et al. 2019, letters, digits and other signs apart, placeholders whole (mir2019). "
                "The default follows the study's language, as in sacreBLEU. BLEU on flores200 is "
                "spBLEU.",
                choices=(
                    *("13a", "none", "intl", "char", "zh", "ja-mecab", "ko-mecab", "flores200"),
                    "mir2019",
                ),
                by_language=BY_LANGUAGE,
            ),
            Parameter(
                "smooth_method",
                "exp",
                "What a precision of zero becomes: 1/2, 1/4, … of one match (exp), a constant "
                "(floor); or the constant is added from 2-grams on (add-k); none leaves it.",
                choices=("exp", "floor", "add-k", "none"),
            ),
            Parameter(
                "smooth_value",
                0.1,
                "The constant of floor, usually 0.1, and of add-k, usually 1.",
                minimum=0,
                maximum=100,
            ),
            Parameter(
                "effective_order",
                True,
                "Leave out n-grams that are longer than the output; sentences only.",
            ),
            LOWERCASE,
            Parameter("max_order", ORDER, "Longest n-grams that count.", minimum=1, maximum=ORDER),
            SCALE,
        ),
        libraries=(SACREBLEU,),
        statistics=(
            "output_length",
            "reference_length",
            *(f"matches_{n}" for n in _SIZES),
            *(f"ngrams_{n}" for n in _SIZES),
        ),
        is_default=True,
        revision=2,
    )

    @property
    def libraries(self) -> tuple[Library, ...]:
        """SacreBLEU, and what its tokenizer needs."""
        return (*self.spec.libraries, *tokenizer_libraries(str(self.parameters["tokenize"])))

    @property
    def words_by(self) -> WordsBy:
        """White space, but for tokenizers of languages without it."""
        return words_by_tokens(str(self.parameters["tokenize"]))

    def fingerprint(self) -> dict[str, str]:
        """Return the hash of the sentence pieces, where texts fall into such."""
        return tokenizer_files(str(self.parameters["tokenize"]))

    def build(self) -> Any:
        """Return sacreBLEU's BLEU; it counts all orders, of which the score takes those wanted."""
        from sacrebleu.metrics.bleu import BLEU

        metric = BLEU(
            tokenize="none", lowercase=bool(self.parameters["lowercase"]), max_ngram_order=ORDER
        )
        metric.tokenizer = tokenizer(str(self.parameters["tokenize"]))
        return metric

    def points(self, counts: Sequence[float], *, of_corpus: bool) -> float:
        """Return BLEU from 0 to 100, over which the library's roots of products round."""
        from sacrebleu.metrics.bleu import BLEU

        counted = [int(count) for count in counts]
        order = int(self.parameters["max_order"])
        smoothing = str(self.parameters["smooth_method"])
        takes_value = smoothing in ("floor", "add-k")
        # Slices: the library adds the constant of add-k to the lists that it is given.
        score: float = BLEU.compute_bleu(
            correct=counted[2 : 2 + order],
            total=counted[2 + ORDER : 2 + ORDER + order],
            sys_len=counted[0],
            ref_len=counted[1],
            smooth_method=smoothing,
            smooth_value=float(self.parameters["smooth_value"]) if takes_value else None,
            effective_order=bool(self.parameters["effective_order"]) and not of_corpus,
            max_ngram_order=order,
        ).score
        return min(score, 100.0)

    def corpus_points(self, counts: Floats) -> Floats:
        """Return corpus BLEU of many sums of counts, step by step as sacreBLEU computes one."""
        order = int(self.parameters["max_order"])
        smoothing, constant = self.parameters["smooth_method"], self.parameters["smooth_value"]
        lengths, references = counts[:, 0], counts[:, 1]
        matches = counts[:, 2 : 2 + order].copy()
        totals = counts[:, 2 + ORDER : 2 + ORDER + order].copy()
        some = matches.any(axis=1)
        if smoothing == "add-k":
            matches[:, 1:] += float(constant)
            totals[:, 1:] += float(constant)
        # Once an order has no n-gram, the longer ones are not looked at.
        counted = np.logical_and.accumulate(totals > 0, axis=1)
        shares = matches
        if smoothing == "exp":
            halvings = np.cumsum((matches == 0) & counted, axis=1)
            shares = np.where(matches == 0, 0.5**halvings, matches)
        elif smoothing == "floor":
            shares = np.where(matches == 0, float(constant), matches)
        precisions = np.divide(shares, totals, out=np.zeros_like(totals), where=counted)
        known = some & (precisions > 0).all(axis=1)
        logarithms = np.log(np.where(precisions > 0, precisions, 1.0)).mean(axis=1)
        safe = np.where(lengths > 0, lengths, 1.0)
        penalties = np.exp(np.minimum(0.0, 1 - references / safe))
        return np.asarray(
            np.where(known & (lengths > 0), 100 * penalties * np.exp(logarithms), 0.0).clip(
                max=100
            ),
            dtype=np.float64,
        )


SCORERS = (Bleu,)
