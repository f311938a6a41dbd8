"""Metrics that compare texts: with all references at once or one by one, or by sacreBLEU."""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar
from unicodedata import category

import numpy as np

from metrics.scorers.scorer import Floats, Scorer, Scores, Texts
from metrics.scorers.spec import Comparison, Library, Parameter

NOTHING_TO_COMPARE = "there is nothing to compare with"
EMPTY_COMPARED = "what it is compared with has no words"
EMPTY_OUTPUT = "the output has no words"
UNDEFINED = "the metric is not defined for this output"
Prepared = TypeVar("Prepared")


class ComparingScorer(Scorer, Generic[Prepared]):
    """One number a comparison; what outputs are compared with is prepared once for all of them."""

    @abstractmethod
    def prepare(self, against: tuple[str, ...]) -> Prepared | None:
        """Return what several outputs are compared with; None if there is nothing in it."""

    @abstractmethod
    def compare(self, output: str, prepared: Prepared) -> tuple[float, Sequence[float]]:
        """Return the score, NaN where it is not defined, and the output's statistics.

        An output with nothing in it has the score that the metric's library gives it.
        """

    def reason(self, output: str) -> str:
        """Return why an output whose score is NaN has none."""
        return UNDEFINED

    def score(self, texts: Texts) -> Scores:
        """Compare outputs, grouped by what they are compared with; see `Scorer.score`.

        Statistics of texts that have nothing to compare with are 0, so that sums leave them out.
        """
        values = np.full((len(texts), 1), np.nan)
        statistics = np.zeros((len(texts), len(self.spec.statistics)))
        undefined: dict[int, str] = {}
        for against, rows in rows_by_compared(texts.against).items():
            prepared = self.prepare(against)
            if prepared is None:
                reason = EMPTY_COMPARED if against else NOTHING_TO_COMPARE
                undefined.update(dict.fromkeys(rows, reason))
                continue
            for row in rows:
                values[row, 0], statistics[row] = self.compare(texts.outputs[row], prepared)
        for row in np.flatnonzero(np.isnan(values[:, 0])).tolist():
            undefined.setdefault(row, self.reason(texts.outputs[row]))
        return Scores(values, undefined, statistics)


def rows_by_compared(against: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Return rows by what they are compared with.

    Examples
    --------
    >>> rows_by_compared([("a",), ("b",), ("a",)])
    {('a',): [0, 2], ('b',): [1]}
    """
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, texts in enumerate(against):
        rows.setdefault(texts, []).append(row)
    return rows


Read = TypeVar("Read")


def over_references(*choices: str) -> Parameter:
    """Return the parameter that says which score of several counts; the default comes first."""
    return Parameter(
        "references",
        choices[0],
        f"Which score counts of those against several references: {' or '.join(choices)}.",
        choices=choices,
    )


class EachReferenceScorer(ComparingScorer[list[Read]], Generic[Read]):
    """Reads texts once each; references that have nothing in them are left out."""

    @abstractmethod
    def read(self, text: str) -> Read | None:
        """Return what is compared of a text; None if there is nothing."""

    def of_empty(self, reference: Read) -> float:
        """Return the score of an output that has nothing in it, as the metric's library does."""
        return 0.0

    @abstractmethod
    def pair(self, output: Read, reference: Read) -> float:
        """Return the score of an output against one text."""

    def best(self, scores: Sequence[float]) -> float:
        """Return the best of the scores against several references."""
        return max(scores)

    def prepare(self, against: tuple[str, ...]) -> list[Read] | None:
        """Return all texts that have something in them."""
        read = [each for each in map(self.read, against) if each is not None]
        return read or None

    def compare(self, output: str, prepared: list[Read]) -> tuple[float, Sequence[float]]:
        """Return the best score or the mean."""
        read = self.read(output)
        if read is None:
            scores = [self.of_empty(reference) for reference in prepared]
        else:
            scores = [self.pair(read, reference) for reference in prepared]
        if len(scores) == 1:
            return scores[0], ()
        return (sum(scores) / len(scores) if self._takes_mean else self.best(scores)), ()

    @cached_property
    def _takes_mean(self) -> bool:
        return self.parameters["references"] == "mean"


_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


class ReadTogetherScorer(Scorer, Generic[Read]):
    """Reads texts together, each once; of several references the best counts, or the mean.

    What has nothing to compare in it is left out among several references.
    """

    rows_together: ClassVar[int] = 1024
    """Outputs whose readings are in memory at the same time."""
    reads_blank_outputs: ClassVar[bool] = False
    """Whether the model reads an output with nothing in it like any other."""
    of_blank_output: ClassVar[Sequence[float]] = ()
    """Fields of such an output, where the metric's library defines them without reading it."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Mapping[str, Read]:
        """Return what is compared of different, not blank texts; those with nothing are absent."""

    @abstractmethod
    def pair(self, output: Read, compared: Read) -> Sequence[float]:
        """Return the fields of one text against another."""

    def fault(self, text: str) -> str:
        """Return what a text has that is not blank and was not read: ``no word with a vector``."""
        return "nothing that can be compared"

    def score(self, texts: Texts) -> Scores:
        """Read texts and compare them; see `Scorer.score`."""
        values = np.full((len(texts), len(self.fields)), np.nan)
        undefined: dict[int, str] = {}
        for start in range(0, len(texts), self.rows_together):
            rows = range(start, min(start + self.rows_together, len(texts)))
            read = self.read(self._texts_to_read(texts, rows))
            for row in rows:
                text, against = texts.outputs[row], texts.against[row]
                compared = [read[each] for each in against if each in read and not is_blank(each)]
                if text in read and compared:
                    output = read[text]
                    values[row] = self._summed_up([self.pair(output, each) for each in compared])
                elif compared and self.of_blank_output and is_blank(text):
                    values[row] = self.of_blank_output
                else:
                    undefined[row] = self._reason(texts.outputs[row], texts.against[row], read)
        return Scores(values, undefined)

    def _texts_to_read(self, texts: Texts, rows: range) -> list[str]:
        """Return the different texts of some rows, in their order, blank ones only if asked for."""
        found: dict[str, None] = {}
        for row in rows:
            if self.reads_blank_outputs or not is_blank(texts.outputs[row]):
                found[texts.outputs[row]] = None
            found |= dict.fromkeys(each for each in texts.against[row] if not is_blank(each))
        return list(found)

    def _summed_up(self, pairs: Sequence[Sequence[float]]) -> Floats:
        scores = np.array(pairs, dtype=np.float64)
        if self.parameters["references"] == "mean":
            return np.asarray(scores.mean(axis=0))
        return np.asarray(
            scores.min(axis=0) if self.spec.orientation == "lower" else scores.max(axis=0)
        )

    def _reason(self, output: str, against: tuple[str, ...], read: Mapping[str, Read]) -> str:
        if not against:
            return NOTHING_TO_COMPARE
        faulty = [each for each in against if not is_blank(each)]
        if not any(each in read for each in faulty):
            what = "what it is compared with"
            return f"{what} has {self.fault(faulty[0])}" if faulty else EMPTY_COMPARED
        return EMPTY_OUTPUT if is_blank(output) else f"the output has {self.fault(output)}"


def is_blank(text: str) -> bool:
    """Return whether a text has nothing but white space, controls and invisible signs.

    Examples
    --------
    >>> is_blank(" \u200b"), is_blank(".")
    (True, False)
    """
    return all(category(sign) in _INVISIBLE for sign in text)


def bounded(cosine: float) -> float:
    """Return a cosine without what rounding alone adds beyond 1 and −1."""
    return max(-1.0, min(1.0, cosine))


COMPARISONS: tuple[Comparison, ...] = ("references", "reference", "source")
SACREBLEU = Library("sacrebleu")
LOWERCASE = Parameter("lowercase", False, "Compare texts in lower case.")
SCALE = Parameter(
    "scale", "1", "1 gives scores from 0 to 1; 100 gives the usual points.", choices=("1", "100")
)


class SacrebleuScorer(ComparingScorer[dict[str, Any]]):
    """Counts with sacreBLEU, reading references once for all outputs of a segment.

    sacreBLEU's public methods count a reference anew for each output and do not give chrF's
    counts away; the steps that they consist of are called here one by one.
    """

    @abstractmethod
    def build(self) -> Any:
        """Return the metric of sacreBLEU with this scorer's parameters."""

    @abstractmethod
    def points(self, counts: Sequence[float], *, of_corpus: bool) -> float:
        """Return the score from 0 to 100 of one text or of a sum over texts."""

    @cached_property
    def library(self) -> Any:
        """The metric of sacreBLEU, built once."""
        return self.build()

    def prepare(self, against: tuple[str, ...]) -> dict[str, Any] | None:
        """Return what sacreBLEU reads of all texts that are not blank."""
        references = [self.library._preprocess_segment(text) for text in against]
        kept = [text for text in references if text.strip()]
        return self.library._extract_reference_info(kept) if kept else None

    def compare(self, output: str, prepared: dict[str, Any]) -> tuple[float, Sequence[float]]:
        """Return the sentence score, and the counts; those of an empty output too."""
        text = self.library._preprocess_segment(output)
        counts = self.library._compute_segment_statistics(text, prepared)
        return self.points(counts, of_corpus=False) / self._unit, counts

    def corpus_score(self, statistics: Floats) -> float:
        """Return the corpus score, exactly as sacreBLEU computes it.

        Parameters
        ----------
        statistics : ndarray, shape (texts, statistics) or (statistics,)
            Of each text, or their sum. Missing ones are left out.

        Returns
        -------
        float
            NaN if no text was compared with anything.
        """
        summed = np.nansum(np.atleast_2d(statistics), axis=0)
        if not summed.any():
            return math.nan
        return self.points(summed.tolist(), of_corpus=True) / self._unit

    @abstractmethod
    def corpus_points(self, counts: Floats) -> Floats:
        """Return `points` of many corpora at once, shape (corpora, statistics) to (corpora,)."""

    def corpus_scores(self, sums: Floats) -> Floats:
        """Return corpus scores from sums of counts; see `Scorer.corpus_scores`."""
        counts = sums.reshape(-1, sums.shape[-1])
        scores = np.where(counts.any(axis=1), self.corpus_points(counts) / self._unit, np.nan)
        return np.asarray(scores.reshape(sums.shape[:-1]), dtype=np.float64)

    @cached_property
    def _unit(self) -> float:
        return 100 / float(str(self.parameters["scale"]))
