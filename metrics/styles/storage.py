"""Trained models as folders: arrays, JSON and a manifest with hashes; never a pickle."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock

import numpy as np

from metrics.scorers.scorer import Classifier, Floats
from metrics.styles.cross_fitting import CrossFitted, TrainedOnSplit
from metrics.styles.kinds import kind_of
from metrics.styles.model import StyleModel, check_files, read_manifest, write_folder


def save(
    model: StyleModel | CrossFitted | TrainedOnSplit,
    folder: Path,
    details: Mapping[str, object] | None = None,
) -> str:
    """Write a model, all or nothing, and return its SHA-256.

    Parameters
    ----------
    model
        A model, one with the segments that it has seen, or one a fold.
    folder
        Where; what lies there is replaced.
    details
        What else the manifest shall say, such as the hash of the data.
    """
    folds = _folds(model)

    def write(place: Path) -> dict[str, object]:
        for number, each in enumerate(folds):
            own = place / _fold_name(number) if isinstance(model, CrossFitted) else place
            own.mkdir(exist_ok=True)
            each.write(own)
        return {
            **(details or {}),
            **folds[0].facts,
            "sha256": model.sha256,
            "models": [each.sha256 for each in folds],
            "settings_of_models": [each.settings for each in folds],
            "seen": sorted(model.seen) if isinstance(model, TrainedOnSplit) else None,
            "folds": sorted(model.fold_of.items()) if isinstance(model, CrossFitted) else None,
        }

    write_folder(folder, write)
    return model.sha256


class StoredClassifier:
    """A saved model, which is read when it is first asked.

    Raises
    ------
    Unavailable
        If the folder holds no model that can be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)

    @property
    def styles(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.manifest["styles"])

    @property
    def sha256(self) -> str:
        """Hash of all that its predictions depend on."""
        return str(self.manifest["sha256"])

    @property
    def is_cross_fitted(self) -> bool:
        """Whether there is one model a fold."""
        return self.manifest["folds"] is not None

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; see `Classifier.predict`."""
        return self._loaded.predict(texts, segments)

    @cached_property
    def models(self) -> tuple[StyleModel, ...]:
        """The models that were trained: one, or one a fold.

        Raises
        ------
        Unavailable
            If a file is not what it was, or something that they build on is not installed.
        """
        check_files(self.folder, self.manifest["files"])
        kind, hashes = kind_of(self.manifest["kind"]), self.manifest["models"]
        settings = self.manifest["settings_of_models"]
        return tuple(
            kind.read(self._place(number), self.styles, settings[number]).known_as(sha256)
            for number, sha256 in enumerate(hashes)
        )

    def _place(self, number: int) -> Path:
        return self.folder / _fold_name(number) if self.is_cross_fitted else self.folder

    @cached_property
    def _loaded(self) -> Classifier:
        models = [Remembered(model) for model in self.models]
        if self.manifest["seen"] is not None:
            return TrainedOnSplit(models[0], self.manifest["seen"])
        if not self.is_cross_fitted:
            return models[0]
        return CrossFitted(models, {int(segment): fold for segment, fold in self.manifest["folds"]})


def _folds(model: StyleModel | CrossFitted | TrainedOnSplit) -> list[StyleModel]:
    if isinstance(model, StyleModel):
        return [model]
    models = model.models if isinstance(model, CrossFitted) else (model.model,)
    folds = [each for each in models if isinstance(each, StyleModel)]
    if len(folds) < len(models):
        raise ValueError("only models trained here can be saved")
    return folds


def _fold_name(number: int) -> str:
    return f"fold-{number}"


MOST_TEXTS = 100_000


class Remembered:
    """A classifier whose predictions are kept, so that several metrics cost one prediction.

    Parameters
    ----------
    classifier
        Its prediction of a text depends on the text alone: not a cross-fitted one, whose models
        are remembered one by one.
    most
        How many texts are kept; those asked for longest ago are forgotten first.
    """

    def __init__(self, classifier: Classifier, most: int = MOST_TEXTS) -> None:
        self.classifier = classifier
        self.most = most
        self._known: OrderedDict[bytes, Floats] = OrderedDict()
        self._lock = Lock()

    @property
    def styles(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.classifier.styles

    @property
    def sha256(self) -> str:
        """Hash of all that predictions depend on."""
        return self.classifier.sha256

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; only texts that are not known yet are predicted."""
        if not texts:
            return np.empty((0, len(self.styles)))
        keys = [_key(text) for text in texts]
        with self._lock:
            found = {key: self._known[key] for key in set(keys) & self._known.keys()}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            predicted = self.classifier.predict(list(new.values()), [0] * len(new))
            # Copies: a row would keep the predictions of all texts in memory.
            found.update(zip(new, (row.copy() for row in predicted), strict=True))
        with self._lock:
            for key in dict.fromkeys(keys):
                self._known[key] = found[key]
                self._known.move_to_end(key)
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return np.stack([found[key] for key in keys])


def _key(text: str) -> bytes:
    """Return what stands for a text, so that long ones take no more memory than short ones."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
