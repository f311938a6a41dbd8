"""A classifier that somebody else has trained, from a folder that the administrator lists."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from corpus.progress import ProgressCallback
from metrics.language_models import sequence_classifier
from metrics.language_models.sequence_classifier import SequenceClassifier
from metrics.scorers.scorer import Floats, Unavailable
from metrics.scorers.spec import Parameter
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.model import Settings, StyleModel
from metrics.weights import local
from metrics.weights.files import fingerprint
from metrics.weights.registered import MODELS

_FILES = "files.json"


class ReadyMade(StyleModel):
    """A sequence classifier of this machine, which is named and not stored.

    Classes that stand for the same style are added up. A text that is longer than the classifier
    takes is read as far as it can.
    """

    kind = "ready-made"
    title = "ready-made classifier"
    parameters = (
        Parameter(
            "model", "", "A sequence classifier that the administrator lists.", listed=MODELS
        ),
        Parameter(
            "classes",
            "",
            "Which style each class stands for, such as LABEL_0=informal, LABEL_1=formal; empty if "
            "its classes are called like the styles.",
        ),
    )
    learns = False

    def __init__(self, settings: Settings, classifier: SequenceClassifier) -> None:
        styles = _styles_of_classes(str(settings["classes"]), classifier.labels)
        super().__init__(sorted(set(styles)), settings)
        self.classifier = classifier
        self.classes = tuple(styles)
        """The style of each class, in their order."""
        self._members = [
            [column for column, style in enumerate(styles) if style == each] for each in self.styles
        ]

    @classmethod
    def train(
        cls, labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
    ) -> ReadyMade:
        """Load a classifier; nothing is learnt from the texts, whose styles it has to know."""
        name = str(settings["model"])
        report("loading the classifier", 0, 0)
        model = ReadyMade(settings, sequence_classifier.load(name))
        labelled.among(model.styles)
        return model

    def values(self, texts: Sequence[str]) -> Floats:
        """See `StyleModel.values`."""
        # Lone surrogates, which no tokenizer takes, become question marks.
        sound = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        classes = self.classifier.predict(sound, cut=True)
        return np.stack([classes[:, columns].sum(axis=1) for columns in self._members], axis=1)

    def write(self, folder: Path) -> None:
        """Write which files the classifier has."""
        files = fingerprint(local.files(str(self.settings["model"])))
        (folder / _FILES).write_text(json.dumps(files), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> ReadyMade:
        """Find the classifier again.

        Raises
        ------
        Unavailable
            If it is not on this machine, or is another than when it was registered.
        """
        name = str(settings["model"])
        registered = json.loads((folder / _FILES).read_text(encoding="utf-8"))
        if fingerprint(local.files(name)) != registered:
            raise Unavailable(
                f"the classifier {name!r} has other files than when it was registered: install "
                "that version again, or register this one under another name"
            )
        return cls(settings, sequence_classifier.load(name))


def _styles_of_classes(given: str, classes: Sequence[str]) -> list[str]:
    """Return the style of each class of a classifier."""
    if not given.strip():
        return list(classes)
    named = dict[str, str]()
    for entry in filter(None, map(str.strip, given.split(","))):
        name, equals, style = map(str.strip, entry.partition("="))
        if name.isdecimal() and name not in classes and int(name) < len(classes):
            name = classes[int(name)]
        if not equals or not style or name not in classes:
            raise TrainingError(
                f"classes: found {entry!r}, expected CLASS=STYLE with one of {', '.join(classes)}"
            )
        named[name] = style
    lacking = [name for name in classes if name not in named]
    if lacking:
        raise TrainingError(f"classes: say which style {', '.join(lacking)} stands for")
    return [named[name] for name in classes]
