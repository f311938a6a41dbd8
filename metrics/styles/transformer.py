"""A transformer fine-tuned to tell styles, or to grade one."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from metrics.encoders.tokens import MOST_TOKENS
from metrics.language_models.batching import padded_batches
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Parameter
from metrics.styles.gradients import UNSCALED, Scale, Steps, fit, seeded
from metrics.styles.labelled import LabelledTexts
from metrics.styles.model import Settings, StyleModel
from metrics.weights import local, minilm
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
    ) -> Transformer:
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
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> Transformer:
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
