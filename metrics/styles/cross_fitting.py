"""Cross-fitting: no segment is scored by a model that saw it in training."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from corpus.progress import ProgressCallback
from metrics.scorers.scorer import Classifier, Floats
from metrics.styles.labelled import LabelledTexts, TrainingError, text_key

NO_MODEL = -2
"""Fold of segments that every model has seen."""


class CrossFitted:
    """One model a fold; each segment is given to the model that did not train on its fold.

    Parameters
    ----------
    models
        In the order of the folds, all with the same styles.
    fold_of
        Segment to its fold. A segment that is in no fold was seen by no model: all are asked,
        and their mean is taken. One in the fold `NO_MODEL` was seen by all: it has NaN.
    """

    def __init__(self, models: Sequence[Classifier], fold_of: Mapping[int, int]) -> None:
        if len({model.styles for model in models}) != 1:
            raise ValueError("models of one cross-fitting need the same styles")
        self.models = tuple(models)
        self.fold_of = dict(fold_of)
        self.styles = self.models[0].styles

    @property
    def sha256(self) -> str:
        """Hash of the models and of which segments each has not seen."""
        content = [[model.sha256 for model in self.models], sorted(self.fold_of.items())]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def predict(self, texts: Sequence[str], segments: Sequence[int]) -> Floats:
        """Return texts × styles; see `Classifier.predict`."""
        predicted = np.zeros((len(texts), len(self.styles)))
        folds = np.array([self.fold_of.get(segment, -1) for segment in segments], dtype=np.int64)
        if len(folds) != len(texts):
            raise ValueError(f"{len(texts)} texts, but {len(folds)} segments")
        for number, model in enumerate(self.models):
            asked = np.flatnonzero((folds == number) | (folds == -1))
            rows = asked.tolist()
            some = model.predict([texts[row] for row in rows], [segments[row] for row in rows])
            shares = np.where(folds[asked] == -1, 1 / len(self.models), 1.0)
            predicted[asked] += some * shares[:, None]
        predicted[folds == NO_MODEL] = np.nan
        return predicted


def segment_folds(
    segments: Sequence[int],
    texts: Sequence[str],
    is_trained_on: Sequence[bool],
    *,
    folds: int = 5,
    seed: int = 0,
) -> dict[int, int]:
    """Divide segments into folds of nearly equal numbers of texts.

    All texts of one segment are in one fold: its source, its references, the outputs of all
    systems. So are segments that share a text on which a model is trained, wherever else it
    stands: otherwise the model of one fold would have seen a text of another.

    Parameters
    ----------
    segments, texts
        Each text with the number of its segment.
    is_trained_on
        Which texts models are trained on; the others are only scored.
    folds, seed
        How many folds, and what decides the order of segments.

    Returns
    -------
    dict
        Segment to its fold, 0 … folds − 1.

    Raises
    ------
    TrainingError
        If segments share so many texts that there are not as many groups as folds.
    """
    if folds < 2:
        raise TrainingError("cross-fitting needs at least 2 folds")
    groups = _held_together(segments, texts, is_trained_on)
    if len(groups) < folds:
        raise TrainingError(
            f"only {len(groups)} groups of segments share no text with each other; "
            f"{folds} folds need as many: give more segments or choose fewer folds"
        )
    sizes = dict.fromkeys(segments, 0)
    for segment in segments:
        sizes[segment] += 1
    order = np.random.default_rng(seed).permutation(len(groups)).tolist()
    # The largest first, each to the smallest fold so far, keeps the folds even.
    by_size = sorted(order, key=lambda place: -sum(sizes[each] for each in groups[place]))
    totals, fold_of = [0] * folds, dict[int, int]()
    for place in by_size:
        fold = totals.index(min(totals))
        totals[fold] += sum(sizes[each] for each in groups[place])
        fold_of |= dict.fromkeys(groups[place], fold)
    return fold_of


def _held_together(
    segments: Sequence[int], texts: Sequence[str], is_trained_on: Sequence[bool]
) -> list[list[int]]:
    """Return groups of segments of which no two share a text that is trained on."""
    keys = [text_key(text) for text in texts]
    trained = {key for key, is_it in zip(keys, is_trained_on, strict=True) if is_it and key}
    parent = {segment: segment for segment in segments}

    def root(segment: int) -> int:
        while parent[segment] != segment:
            parent[segment] = segment = parent[parent[segment]]
        return segment

    first: dict[str, int] = {}
    for segment, key in zip(segments, keys, strict=True):
        if key in trained:
            parent[root(segment)] = root(first.setdefault(key, segment))
    groups: dict[int, list[int]] = {}
    for segment in parent:
        groups.setdefault(root(segment), []).append(segment)
    return list(groups.values())


def cross_fit(
    labelled: LabelledTexts,
    segments: Sequence[int],
    fold_of: Mapping[int, int],
    train: Callable[[LabelledTexts, ProgressCallback], Classifier],
    report: ProgressCallback,
) -> tuple[CrossFitted, Floats]:
    """Train one model a fold on the texts of all other folds.

    Parameters
    ----------
    labelled, segments
        Texts to train on, and the segment of each.
    fold_of
        From `segment_folds`.
    train
        Trains one model.
    report
        Is called with the progress.

    Returns
    -------
    CrossFitted
        The models.
    ndarray, shape (texts, styles)
        Prediction of each text by the model that has not seen it.
    """
    folds = np.array([fold_of[segment] for segment in segments])
    count = int(max(fold_of.values())) + 1
    predicted = np.empty((len(labelled), len(labelled.styles)))
    models = []
    for fold in range(count):
        model = train(labelled.take(np.flatnonzero(folds != fold)), _numbered(report, fold, count))
        rows = np.flatnonzero(folds == fold).tolist()
        predicted[rows] = model.predict(
            [labelled.texts[row] for row in rows], [segments[row] for row in rows]
        )
        models.append(model)
    return CrossFitted(models, fold_of), predicted


def _numbered(report: ProgressCallback, fold: int, count: int) -> ProgressCallback:
    def numbered(message: str, done: int, total: int) -> object:
        return report(f"fold {fold + 1} of {count}: {message}", done, total)

    return numbered


def trained_on_split(model: Classifier, seen: Iterable[int]) -> CrossFitted:
    """Return a model that gives no predictions for segments of which it has seen texts."""
    return CrossFitted([model], dict.fromkeys(seen, NO_MODEL))
