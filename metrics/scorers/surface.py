"""Metrics of the surface: copies, lengths, edits."""

from collections.abc import Sequence
from functools import cached_property
from unicodedata import normalize

import numpy as np

from corpus.texts.sequences import edit_distance
from metrics.scorers.comparing import ComparingScorer, EachReferenceScorer, over_references
from metrics.scorers.scorer import Scorer, Scores, Texts
from metrics.scorers.spec import MetricSpec, Parameter, WordsBy
from metrics.scorers.tokens import BY_CHARACTERS, words_by_tokens

_SAME = "are the same after Unicode's composition (NFC) and trimming outer white space"

_UNIT = Parameter(
    "unit",
    "words",
    "What is counted; by default characters in languages without white space between words.",
    choices=("words", "characters"),
    by_language=BY_CHARACTERS,
)


class _InUnits(Scorer):
    """A metric that counts in words or characters."""

    @property
    def words_by(self) -> WordsBy:
        """White space, where words are counted."""
        return words_by_tokens(str(self.parameters["unit"]))


def _plain(text: str) -> str:
    """Return a text as it is compared: composed, without outer white space."""
    return normalize("NFC", text).strip()


def _in_units(text: str, unit: object) -> Sequence[str] | None:
    """Return a text's characters or words; None if there are none."""
    plain = _plain(text)
    return (plain.split() if unit == "words" else plain) or None


class ExactMatch(ComparingScorer[frozenset[str]]):
    """Whether the output equals a reference, or its source.

    Compared with the source, it finds unchanged outputs.

    Formula
    -------
    1 if the output and a reference, or the source, {_SAME}, else 0.

    Range
    -----
    0 or 1

    Distrust
    --------
    Against the source it is the copy rate: a system that changes nothing has 1.

    Citation
    --------
    Rajpurkar et al. 2016, without their removal of articles and signs.
    """

    spec = MetricSpec(
        key="exact-match",
        edge_cases=("0", "0", "0", "1", "1"),
        title="Exact match",
        aspect="content",
        orientation="descriptive",
        comparisons=("references", "reference", "source"),
        is_default=True,
    )

    def prepare(self, against: tuple[str, ...]) -> frozenset[str] | None:
        """Return the texts."""
        return frozenset(map(_plain, against)) or None

    def compare(self, output: str, prepared: frozenset[str]) -> tuple[float, Sequence[float]]:
        """Look the output up."""
        return float(_plain(output) in prepared), ()


class CopyRate(ExactMatch):
    """Whether the output is an unchanged copy of its source.

    Use it to find systems that change nothing.

    Formula
    -------
    1 if the output and its source {_SAME}, else 0; case counts.

    Range
    -----
    0 or 1

    Distrust
    --------
    A copy may be right where the source has the target style already.

    Citation
    --------
    The rule by which Likert ratings of unchanged outputs are reduced here.
    """

    spec = MetricSpec(
        key="copy-rate",
        edge_cases=("0", "0", "0", "1", "1"),
        title="Copy rate",
        aspect="description",
        orientation="descriptive",
        comparisons=("source",),
        takes_masked=False,
        is_default=True,
    )


class Length(_InUnits):
    """How many words or characters a text has.

    Use it to see whether outputs are as long as references and sources.

    Formula
    -------
    Number of words separated by white space, or of characters without outer white space; 0 of an
    empty text.

    Range
    -----
    0 or more

    Distrust
    --------
    It knows nothing of content. Words are not counted where a script does not separate them by
    white space: count characters there.

    Citation
    --------
    None; usual in descriptions of data sets.
    """

    spec = MetricSpec(
        key="length",
        edge_cases=("0", "0", "–", "1", "6"),
        title="Length",
        aspect="description",
        orientation="descriptive",
        parameters=(_UNIT,),
        takes_masked=False,
    )

    def score(self, texts: Texts) -> Scores:
        """Count; see `Scorer.score`."""
        unit = self.parameters["unit"]
        counts = [len(_in_units(text, unit) or "") for text in texts.outputs]
        return Scores(np.array(counts, dtype=np.float64).reshape(-1, 1))


class LengthRatio(_InUnits, EachReferenceScorer[int]):
    """How long the output is, compared with its source or reference.

    Formula
    -------
    Length of the output divided by that of what it is compared with, in words separated by white
    space or in characters without outer white space.

    Range
    -----
    0 or more

    Distrust
    --------
    It knows nothing of content. A formal style is often longer by nature.

    Citation
    --------
    None; usual in reports of generated text.
    """

    spec = MetricSpec(
        key="length-ratio",
        edge_cases=("0", "0", "undefined", "1", "1"),
        title="Length ratio",
        aspect="description",
        orientation="target",
        target=1.0,
        comparisons=("references", "reference", "source"),
        parameters=(_UNIT, over_references("closest", "mean")),
        is_default=True,
        revision=2,
    )

    def read(self, text: str) -> int | None:
        """Return the length of a text."""
        return len(_in_units(text, self.parameters["unit"]) or "") or None

    def pair(self, output: int, reference: int) -> float:
        """Return the ratio."""
        return output / reference

    def best(self, scores: Sequence[float]) -> float:
        """Return the ratio nearest to 1."""
        return min(scores, key=lambda ratio: abs(ratio - 1))


class EditDistance(_InUnits, EachReferenceScorer[Sequence[str]]):
    """How many characters or words must be changed to turn one text into the other.

    Formula
    -------
    Least number of insertions, deletions and replacements of characters or words that turn one text
    into the other, divided by the length of the longer text, by that of the compared one (character
    or word error rate), or by nothing.

    Range
    -----
    0 to 1; above 0 where it is not divided by the longer text

    Distrust
    --------
    A change of word order costs as much as a change of words. Against the source it rewards
    copying; undivided, it grows with the length of the text.

    Citation
    --------
    Levenshtein 1966; computed as in Myers 1999.
    """

    spec = MetricSpec(
        key="edit-distance",
        edge_cases=("1", "1", "undefined", "0", "0"),
        title="Edit distance",
        aspect="content",
        orientation="lower",
        comparisons=("references", "reference", "source"),
        parameters=(
            Parameter(
                "unit",
                "characters",
                "What is edited: characters, or words separated by white space.",
                choices=("characters", "words"),
            ),
            Parameter(
                "divide_by",
                "longer",
                "What the number of edits is divided by: the length of the longer text, that of "
                "the compared text, or nothing.",
                choices=("longer", "compared", "nothing"),
            ),
            over_references("min", "mean"),
        ),
        is_default=True,
        revision=2,
    )

    def read(self, text: str) -> Sequence[str] | None:
        """Return a text's characters or words."""
        return _in_units(text, self.parameters["unit"])

    def of_empty(self, reference: Sequence[str]) -> float:
        """Return the distance from nothing: everything must be inserted."""
        return self.pair("", reference)

    def pair(self, output: Sequence[str], reference: Sequence[str]) -> float:
        """Return the distance, divided as wanted."""
        edits = 0 if output == reference else edit_distance(reference, output)
        if self._divisor == "longer":
            return edits / max(len(output), len(reference))
        return edits / (len(reference) if self._divisor == "compared" else 1)

    def best(self, scores: Sequence[float]) -> float:
        """Return the lowest."""
        return min(scores)

    @cached_property
    def _divisor(self) -> object:
        return self.parameters["divide_by"]


SCORERS = (ExactMatch, CopyRate, Length, LengthRatio, EditDistance)
