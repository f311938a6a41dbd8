"""Transformers that tell styles or grade one: fine-tuned here, or trained by somebody else."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from metrics.encoders.tokens import MOST_TOKENS
from metrics.language_models import sequence_classifier
from metrics.language_models.batching import padded_batches
from metrics.language_models.sequence_classifier import SequenceClassifier
from metrics.scorers.scorer import Floats, Unavailable
from metrics.scorers.spec import Parameter
from metrics.styles.gradients import UNSCALED, Scale, Steps, fit, seeded
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.model import Settings, StyleModel
from metrics.weights import local, minilm
from metrics.weights.files import fingerprint
from metrics.weights.loading import pretrained, quiet
from metrics.weights.registered import MODELS

_GRADES = "grades.json"


class Transformer(StyleModel):
    """An encoder with a classification head, as transformers saves it.

    A folder that `write` has written is also one that
    ``AutoModelForSequenceClassification.from_pretrained`` loads.

    Parameters
    ----------
    network, tokenizer
        Of transformers.
    scale
        Of the grades.
    """

    kind = "transformer"
    title = "fine-tuned transformer"
    parameters = (
        Parameter(
            "model",
            minilm.NAME,
            "Where training starts: minilm, or a model that the administrator lists.",
            listed=MODELS,
        ),
        Parameter("epochs", 2, "How often each text is seen.", minimum=1, maximum=50),
        Parameter("batch", 32, "Texts in one step of training.", minimum=1, maximum=1024),
        Parameter("rate", 1e-4, "Learning rate at its highest.", minimum=1e-7, maximum=1e-1),
        Parameter("weight_decay", 0.01, "Penalty on large weights.", minimum=0.0, maximum=1.0),
        Parameter(
            "tokens",
            128,
            "Word pieces of a text that are read; the rest is not.",
            minimum=8,
            maximum=512,
        ),
    )
    most = 6_000

    def __init__(
        self,
        styles: Sequence[str],
        settings: Settings,
        network: Any,
        tokenizer: Any,
        scale: Scale = UNSCALED,
    ) -> None:
        super().__init__(styles, settings)
        self.network = network.eval()
        self.tokenizer = tokenizer
        self.scale = scale

    @classmethod
    def train(
        cls, labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
    ) -> "Transformer":
        """Fine-tune a model of this machine.

        Cross-entropy, or squared error of standardised grades; see `metrics.styles.gradients.fit`.
        """
        import torch

        name = str(settings["model"])
        folder = local.folder(name)
        report("loading the model", 0, 0)
        scale = Scale.of(labelled)
        steps = Steps.of(settings)
        with seeded(seed):
            network, tokenizer = _loaded(folder, name, "where training starts", labelled.styles)
            network.to("cuda" if torch.cuda.is_available() else "cpu")
            model = Transformer(labelled.styles, settings, network, tokenizer, scale)

            def loss(rows: list[int]) -> Any:
                logits = network(**model.encoded([labelled.texts[row] for row in rows])).logits
                return scale.loss(logits, labelled.targets[rows], graded=labelled.is_graded)

            fit(network, loss, [len(text) for text in labelled.texts], steps, seed, report)
        return model

    def values(self, texts: Sequence[str]) -> Floats:
        """See `StyleModel.values`."""
        import torch

        predicted = np.empty((len(texts), len(self.styles)))
        device = self.network.device.type
        pieces, padding = self._tokenized(texts)["input_ids"], self.tokenizer.pad_token_id or 0
        with torch.inference_mode():
            for rows, ids, mask in padded_batches(
                pieces, padding, self.longest, tokens=MOST_TOKENS[device], device=device
            ):
                logits = self.network(input_ids=ids, attention_mask=mask).logits
                predicted[rows] = self.scale.values(logits, graded=self.is_graded)
        return predicted

    @property
    def longest(self) -> int:
        """How many word pieces of a text are read: as set, or as many as the network can."""
        places = getattr(self.network.config, "max_position_embeddings", None) or math.inf
        return int(min(int(self.settings["tokens"]), self.tokenizer.model_max_length, places))

    def encoded(self, texts: Sequence[str]) -> Any:
        """Return texts as the network takes them, on its device."""
        batch = self._tokenized(texts, padding=True, return_tensors="pt")
        return batch.to(self.network.device)

    def _tokenized(self, texts: Sequence[str], **options: Any) -> Any:
        # Lone surrogates, which no tokenizer takes, become question marks.
        sound = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        return self.tokenizer(sound, truncation=True, max_length=self.longest, **options)

    def write(self, folder: Path) -> None:
        """Write network and tokenizer as transformers does."""
        with quiet():
            self.network.save_pretrained(folder)
            self.tokenizer.save_pretrained(folder)
        if self.is_graded:
            facts = json.dumps(asdict(self.scale))
            (folder / _GRADES).write_text(facts, encoding="utf-8")

    @classmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> "Transformer":
        """Read network and tokenizer."""
        network, tokenizer = _loaded(folder, folder.name[:16])
        grades = folder / _GRADES
        facts = json.loads(grades.read_text(encoding="utf-8")) if grades.exists() else {}
        return cls(styles, settings, network, tokenizer, Scale(**facts))


def _loaded(folder: Path, name: str, what: str = "", styles: Sequence[str] = ()) -> tuple[Any, Any]:
    """Return network and tokenizer; with styles, a new head for them is drawn."""
    head: dict[str, Any] = {}
    if styles:
        head = {
            "num_labels": len(styles),
            "id2label": dict(enumerate(styles)),
            "label2id": {style: number for number, style in enumerate(styles)},
            "ignore_mismatched_sizes": True,
        }
    return pretrained("AutoModelForSequenceClassification", folder, name, what, **head)


_FILES = "files.json"


class ReadyMade(StyleModel):
    """A sequence classifier of this machine, which is named and not stored.

    Classes that stand for the same style are added up. A text that is longer than the classifier
    takes is read as far as it can.
    """

    kind = "ready-made"
    title = "ready-made classifier"
    parameters = (
        sequence_classifier.MODEL,
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
    ) -> "ReadyMade":
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
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> "ReadyMade":
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
