"""Trained models as folders: arrays, JSON and a manifest with hashes; never a pickle."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from metrics.scorers.scorer import Classifier, Floats, Unavailable
from metrics.styles.cross_fitting import CrossFitted
from metrics.styles.digest import MANIFEST, file_hashes
from metrics.styles.given_splits import TrainedOnSplit
from metrics.styles.kinds import kind_of
from metrics.styles.model import StyleModel
from metrics.styles.remembered import Remembered

logger = logging.getLogger(__name__)

FORMAT = 1


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
    unfinished = folder.with_name(folder.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    folds = _folds(model)
    for number, each in enumerate(folds):
        place = unfinished / _fold_name(number) if isinstance(model, CrossFitted) else unfinished
        place.mkdir(parents=True)
        each.write(place)
    manifest = {
        **(details or {}),
        "format": FORMAT,
        **folds[0].facts,
        "sha256": model.sha256,
        "models": [each.sha256 for each in folds],
        "settings_of_models": [each.settings for each in folds],
        "seen": sorted(model.seen) if isinstance(model, TrainedOnSplit) else None,
        "folds": sorted(model.fold_of.items()) if isinstance(model, CrossFitted) else None,
        "files": file_hashes(unfinished),
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (unfinished / MANIFEST).write_text(text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)
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
        self.manifest = _manifest(folder)

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
        changed = _changed(self.folder, self.manifest["files"])
        if changed:
            raise Unavailable(
                f"the trained model {self.folder.name[:16]} is damaged ({changed}): train it "
                "again, or restore its folder from a backup"
            )
        kind, hashes = kind_of(self.manifest["kind"]), self.manifest["models"]
        # Of folds that chose among settings, each has its own; models of before have one for all.
        settings = self.manifest.get("settings_of_models")
        settings = settings or [self.manifest["settings"]] * len(hashes)
        return tuple(
            kind.model.read(self._place(number), self.styles, settings[number]).known_as(sha256)
            for number, sha256 in enumerate(hashes)
        )

    def _place(self, number: int) -> Path:
        return self.folder / _fold_name(number) if self.is_cross_fitted else self.folder

    @cached_property
    def _loaded(self) -> Classifier:
        models = [Remembered(model) for model in self.models]
        if self.manifest.get("seen") is not None:
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


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        logger.warning("trained model %s: %s", folder, error)
        raise Unavailable(
            f"the files of the trained model {folder.name[:16]} are not there or cannot be read: "
            "train it again, or restore its folder from a backup"
        ) from None
    if manifest.get("format") != FORMAT:
        raise Unavailable(
            f"the trained model {folder.name[:16]} was written by another version: train it again"
        )
    return manifest


def _changed(folder: Path, files: Mapping[str, str]) -> str:
    """Name the first file that is lacking or not what the manifest says."""
    for name, sha256 in files.items():
        path = folder / name
        if not path.is_file():
            return f"{name} is lacking"
        # Read, and not remembered by size and time: damage changes neither.
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                return f"{name} has changed"
    return ""
