"""Trained models as folders: arrays, JSON and a manifest with hashes; never a pickle."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np

from metrics.recent import RecentlyUsed
from metrics.scorers.scorer import Classifier, Floats
from metrics.styles.cross_fitting import CrossFitted
from metrics.styles.kinds import kind_of
from metrics.styles.model import StyleModel, check_files, read_manifest, write_folder


def save(
    model: StyleModel | CrossFitted,
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
    given = model.models if isinstance(model, CrossFitted) else (model,)
    models = [each for each in given if isinstance(each, StyleModel)]
    if len(models) < len(given):
        raise ValueError("only models trained here can be saved")

    def write(place: Path) -> dict[str, object]:
        for number, each in enumerate(models):
            own = _place(place, number, len(models))
            own.mkdir(exist_ok=True)
            each.write(own)
        return {
            **(details or {}),
            **models[0].facts,
            "sha256": model.sha256,
            "models": [each.sha256 for each in models],
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
        self.styles: tuple[str, ...] = tuple(self.manifest["styles"])
        self.sha256 = str(self.manifest["sha256"])

    @property
    def is_cross_fitted(self) -> bool:
        """Whether there is one model a fold."""
        return len(self.manifest["models"]) > 1

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
        settings = self.manifest["settings"]
        return tuple(
            kind.read(_place(self.folder, number, len(hashes)), self.styles, settings).known_as(
                sha256
            )
            for number, sha256 in enumerate(hashes)
        )

    @cached_property
    def _loaded(self) -> Classifier:
        models, folds = [Remembered(model) for model in self.models], self.manifest["folds"]
        return models[0] if folds is None else CrossFitted(models, dict(folds))


def _place(folder: Path, number: int, models: int) -> Path:
    """Return where one of so many models lies: one alone in the folder itself."""
    return folder / f"fold-{number}" if models > 1 else folder


MOST_TEXTS = 100_000


class Remembered:
    """A classifier whose predictions are kept, so that several metrics cost one prediction.

    Parameters
    ----------
    classifier
        Its prediction of a text depends on the text alone: not a cross-fitted one, whose models
        are remembered one by one.
    """

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier
        self.styles = classifier.styles
        self._known = RecentlyUsed[bytes, Floats](MOST_TEXTS)

    @property
    def sha256(self) -> str:
        """Hash of all that predictions depend on."""
        return self.classifier.sha256

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; only texts that are not known yet are predicted."""
        if not texts:
            return np.empty((0, len(self.styles)))
        keys = [_key(text) for text in texts]
        found = self._known.found(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            predicted = self.classifier.predict(list(new.values()), [0] * len(new))
            # Copies: a row would keep the predictions of all texts in memory.
            found.update(zip(new, (row.copy() for row in predicted), strict=True))
            self._known.keep({key: found[key] for key in new})
        return np.stack([found[key] for key in keys])


def _key(text: str) -> bytes:
    """Return what stands for a text, so that long ones take no more memory than short ones."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
