"""Classifiers that learn to tell a study's sources from the outputs of one model."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corpus.progress import ProgressCallback, unreported
from metrics.scorers.scorer import AdversarialTexts, Classifier, Floats
from metrics.styles.cross_fitting import CrossFitted, cross_fit, segment_folds
from metrics.styles.kinds import kind_of
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.model import Settings, StyleModel

OUTPUT, SOURCE = "output", "source"
FEWEST = 10
"""Of sources and of outputs."""


@dataclass(frozen=True, eq=False)
class EvenOdds:
    """A classifier whose probabilities hold for as many sources as outputs.

    Sources are few compared with the outputs of many settings, which a classifier learns too. Its
    probabilities are divided by the shares of both in training, by Bayes' rule.
    """

    model: StyleModel
    shares: Floats

    @property
    def styles(self) -> tuple[str, ...]:
        """Output and source."""
        return self.model.styles

    @property
    def sha256(self) -> str:
        """Hash of the model and of the shares."""
        content = [self.model.sha256, self.shares.tolist()]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def predict(self, texts: Sequence[str], segments: Sequence[int]) -> Floats:
        """Return texts × (output, source)."""
        odds = self.model.predict(texts, segments) / self.shares
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float64)


def train_adversary(
    given: AdversarialTexts,
    kind: str,
    settings: Settings,
    *,
    folds: int,
    seed: int,
    most: int,
) -> CrossFitted:
    """Train one classifier a fold to tell sources from outputs.

    A segment's texts are in one fold, and so are segments that share a text, so that no text is
    ever given to a classifier that has seen it or its source. A text that is both (an unchanged
    output) is trained on as both.

    Parameters
    ----------
    given
        Sources, and the outputs of one model.
    kind, settings
        One of `metrics.styles.kinds`, and its settings.
    folds, seed
        Of the cross-fitting.
    most
        Texts to train on; of more, whole segments are drawn at random.

    Returns
    -------
    CrossFitted
        With the styles ``output`` and ``source``.

    Raises
    ------
    TrainingError
        If there are too few texts, or segments share too many.
    """
    drawn = _drawn_segments(given, most, seed)
    trained = [
        bool(text.strip()) and segment in drawn
        for text, segment in zip(given.texts, given.segments, strict=True)
    ]
    rows = [row for row, is_it in enumerate(trained) if is_it]
    labelled = LabelledTexts.of(
        [given.texts[row] for row in rows],
        [SOURCE if given.are_sources[row] else OUTPUT for row in rows],
    )
    _check_enough(labelled)
    fold_of = segment_folds(given.segments, given.texts, trained, folds=folds, seed=seed)
    chosen = kind_of(kind)
    read = chosen.read_settings(settings)

    def train(some: LabelledTexts, report: ProgressCallback) -> Classifier:
        counts = np.bincount(some.columns, minlength=2)
        if not counts.all():
            raise TrainingError("segments share so many texts that one fold holds nearly all")
        return EvenOdds(chosen.train(some, read, seed, report), counts / counts.sum())

    segments = [given.segments[row] for row in rows]
    return cross_fit(labelled, segments, fold_of, train, unreported)[0]


def _drawn_segments(given: AdversarialTexts, most: int, seed: int) -> set[int]:
    """Return segments that together have at most so many texts; all if there are no more."""
    segments = sorted(set(given.segments))
    if len(given.texts) <= most:
        return set(segments)
    share = most / len(given.texts)
    order = np.random.default_rng(seed).permutation(len(segments))
    return {segments[place] for place in order[: int(share * len(segments))].tolist()}


def _check_enough(labelled: LabelledTexts) -> None:
    for style in (SOURCE, OUTPUT):
        found = labelled.styles.index(style) if style in labelled.styles else -1
        count = int((labelled.targets == found).sum())
        if count < FEWEST:
            raise TrainingError(f"{count} {style}s that are not empty, and {FEWEST} are needed")
