"""ROUGE-1, ROUGE-2 and ROUGE-L: F-scores of shared words, pairs of words and word order."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial
from typing import ClassVar

from corpus.texts.sequences import longest_common_subsequence
from metrics.scorers.comparing import EachReferenceScorer, over_references
from metrics.scorers.spec import Library, MetricSpec, Parameter, WordsBy
from metrics.scorers.tokens import Stems, words_by_tokens

Words = Sequence[str]
_DISTRUST = (
    "The default sees only a–z and digits: signs and emojis are lost, capitals make no "
    "difference, and references in other scripts are undefined; take none or characters for them. "
    "Against the source it "
    "rewards copying. A placeholder such as [STYLE] is a word that matches."
)
_spec = partial(
    MetricSpec,
    aspect="content",
    orientation="higher",
    range="0 to 1",
    citation="Lin 2004, as in Google's rouge-score.",
    comparisons=("references", "reference", "source"),
    parameters=(
        Parameter(
            "tokenize",
            "rouge",
            "How texts fall into words: letters a to z in lower case and digits only, as ROUGE "
            "does (rouge); their stems (rouge-stems); split at white space, unchanged (none); or "
            "each character by itself, white space left out (characters).",
            choices=("rouge", "rouge-stems", "none", "characters"),
        ),
        over_references("max", "mean"),
    ),
    libraries=(Library("rouge-score"), Library("nltk")),
    is_default=True,
    revision=2,
)


class _Rouge(EachReferenceScorer[Words]):
    """F of what two texts share, 2 · P · R / (P + R)."""

    @abstractmethod
    def shared(self, output: Words, reference: Words) -> tuple[int, int, int]:
        """Return how much two texts share, and how much each has."""

    def read(self, text: str) -> Words | None:
        """Return a text's words."""
        return self._words(text) or None

    def pair(self, output: Words, reference: Words) -> float:
        """Return F, computed in the library's steps."""
        shared, of_output, of_reference = self.shared(output, reference)
        if not shared:
            return 0.0
        precision, recall = shared / of_output, shared / of_reference
        return 2 * precision * recall / (precision + recall)

    @property
    def words_by(self) -> WordsBy:
        """The letters a to z, unless another tokenizer is chosen."""
        tokenizer = str(self.parameters["tokenize"])
        return words_by_tokens(tokenizer, "spaces" if tokenizer == "none" else "a-z")

    @cached_property
    def _words(self) -> Callable[[str], Words]:
        if self.parameters["tokenize"] == "none":
            return str.split
        if self.parameters["tokenize"] == "characters":
            return lambda text: "".join(text.split())
        from rouge_score.tokenize import tokenize

        stems = self.parameters["tokenize"] == "rouge-stems"
        return partial(tokenize, stemmer=Stems() if stems else None)


class _RougeN(_Rouge):
    """ROUGE of n-grams."""

    size: ClassVar[int]

    def shared(self, output: Words, reference: Words) -> tuple[int, int, int]:
        """Return the number of n-grams: in both, in the output, in the reference."""
        first, second = self._ngrams(output), self._ngrams(reference)
        in_both = sum(min(count, second[each]) for each, count in first.items() if each in second)
        return in_both, len(output) - self.size + 1, len(reference) - self.size + 1

    def _ngrams(self, words: Words) -> Counter[Hashable]:
        return Counter(zip(*(words[start:] for start in range(self.size)), strict=False))


class Rouge1(_RougeN):
    """Shared words of the output and a reference, in any order.

    Formula
    -------
    2 · P · R / (P + R), with the share of the output's words that are in the reference (P) and of
    the reference's words that are in the output (R), each as often as it occurs.

    Distrust
    --------
    Word order makes no difference. {_DISTRUST}
    """

    size = 1
    spec = _spec(
        key="rouge-1",
        edge_cases=("0", "0", "undefined", "1", "1"),
        title="ROUGE-1",
    )


class Rouge2(_RougeN):
    """Shared pairs of neighbouring words of the output and a reference.

    Formula
    -------
    Like ROUGE-1, computed on bigrams.

    Distrust
    --------
    0 for every text of one word, also for the same one. {_DISTRUST}
    """

    size = 2
    spec = _spec(
        key="rouge-2",
        edge_cases=("0", "0", "undefined", "0", "1"),
        title="ROUGE-2",
    )


class RougeL(_Rouge):
    """The longest sequence of words that output and reference share in the same order, with gaps
    allowed.

    Formula
    -------
    2 · P · R / (P + R), with the length of the longest common subsequence of words divided by the
    number of words of the output (P) and of the reference (R).

    Distrust
    --------
    Sentences are not told apart: it is not ROUGE-Lsum. {_DISTRUST}
    """

    spec = _spec(
        key="rouge-l",
        edge_cases=("0", "0", "undefined", "1", "1"),
        title="ROUGE-L",
    )

    def shared(self, output: Words, reference: Words) -> tuple[int, int, int]:
        """Return the length of the longest common subsequence, and of both texts."""
        return longest_common_subsequence(reference, output), len(output), len(reference)


SCORERS = (Rouge1, Rouge2, RougeL)
