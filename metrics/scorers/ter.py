"""TER by sacreBLEU: edits with shifts of phrases, of sentences and of corpora."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from metrics.scorers.comparing import COMPARISONS, SACREBLEU, SCALE, SacrebleuScorer
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import MetricSpec, Parameter, Value, WordsBy

MOST_WORDS = 200
"""Words that output and reference may have: the search for shifts takes their third power."""
_CJK: tuple[tuple[str, Value], ...] = (("zh", True), ("ja", True))
TOO_LONG = f"the output or what it is compared with has more than {MOST_WORDS} words"


class Ter(SacrebleuScorer):
    """How many edits turn the output into a reference, for each word of the reference.

    Moving a phrase counts as one edit.

    Formula
    -------
    The fewest insertions, deletions and substitutions of words and shifts of phrases, each one
    edit, that turn the output into the reference, divided by the words of the reference. Of several
    references the one with the fewest edits counts, divided by their mean length; blank ones are
    left out. A corpus score divides the summed edits by the summed lengths.

    Range
    -----
    0 to 1, or 0 to 100 by the parameter scale; more where the output is longer than the reference

    Distrust
    --------
    Synonyms count as errors. Against the source it rewards copying. Of short sentences one edit is
    much. A text of more than {MOST_WORDS} words has no score.

    Citation
    --------
    Snover et al. 2006; sacreBLEU: Post 2018.
    """

    spec = MetricSpec(
        key="ter",
        edge_cases=("1", "1", "undefined", "0", "0"),
        title="Translation edit rate (TER)",
        aspect="content",
        orientation="lower",
        comparisons=COMPARISONS,
        parameters=(
            Parameter(
                "lowercase", True, "Compare texts in lower case; no is sacreBLEU's case_sensitive."
            ),
            Parameter(
                "normalized",
                False,
                "Split punctuation from words, as Tercom does; by default in Chinese and Japanese.",
                by_language=_CJK,
            ),
            Parameter("no_punct", False, "Ignore punctuation."),
            Parameter(
                "asian_support",
                False,
                "Where normalized, split Chinese signs from each other and from other scripts; "
                "where no_punct, ignore their punctuation too. By default in Chinese and Japanese.",
                by_language=_CJK,
            ),
            SCALE,
        ),
        libraries=(SACREBLEU,),
        statistics=("edits", "reference_length"),
        revision=2,
    )

    @property
    def words_by(self) -> WordsBy:
        """White space, unless Chinese signs are split."""
        splits = self.parameters["normalized"] and self.parameters["asian_support"]
        return "" if splits else "spaces"

    def build(self) -> Any:
        """Return sacreBLEU's TER."""
        from sacrebleu.metrics.ter import TER

        return TER(
            normalized=bool(self.parameters["normalized"]),
            no_punct=bool(self.parameters["no_punct"]),
            asian_support=bool(self.parameters["asian_support"]),
            case_sensitive=not self.parameters["lowercase"],
        )

    def compare(self, output: str, prepared: dict[str, Any]) -> tuple[float, Sequence[float]]:
        """Return TER and its counts; NaN without counts where texts are too long."""
        words = self.library._preprocess_segment(output).split()
        if max(map(len, [words, *prepared["ref_words"]])) > MOST_WORDS:
            return math.nan, (0.0, 0.0)
        return super().compare(output, prepared)

    def reason(self, output: str) -> str:
        """Return why an output has no score."""
        return TOO_LONG

    def points(self, counts: Sequence[float], *, of_corpus: bool) -> float:
        """Return TER times 100."""
        return float(self.corpus_points(np.array([counts]))[0])

    def corpus_points(self, counts: Floats) -> Floats:
        """Return corpus TER of many sums of counts, as sacreBLEU computes one."""
        edits, lengths = counts[:, 0], counts[:, 1]
        without = np.where(edits > 0, 1.0, 0.0)
        return np.asarray(100 * np.divide(edits, lengths, out=without, where=lengths > 0))


SCORERS = (Ter,)
