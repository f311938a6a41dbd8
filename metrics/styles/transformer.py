"""A transformer fine-tuned to tell styles, or to grade one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from metrics.encoders.transformer import MOST_TOKENS
from metrics.language_models.batching import by_length, padded
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Parameter
from metrics.styles.labelled import LabelledTexts
from metrics.styles.model import Settings, StyleModel
from metrics.weights import local, minilm
from metrics.weights.loading import loading, read_pretrained
from metrics.weights.quiet import quiet
from metrics.weights.registered import MODELS

KIND = "transformer"
TITLE = "fine-tuned transformer"
PARAMETERS = (
    Parameter(
        "model",
        minilm.NAME,
        "Where training starts: minilm, or a model that the administrator lists.",
        listed=MODELS,
    ),
    Parameter("epochs", 2, "How often each text is seen.", minimum=1, maximum=50),
    Parameter("batch", 32, "Texts in one step of training.", minimum=1, maximum=1024),
    Parameter("rate", 1e-4, "Learning rate at its highest.", minimum=1e-7, maximum=1e-1),
    Parameter(
        "tokens", 128, "Word pieces of a text that are read; the rest is not.", minimum=8,
        maximum=512,
    ),
)  # fmt: skip
_GRADES = "grades.json"
WARM_UP = 0.1
WEIGHT_DECAY = 0.01
SORTED_TOGETHER = 50
"""Batches among which texts are sorted by length, so that padding is short and order random."""


class Transformer(StyleModel):
    """An encoder with a classification head, as transformers saves it.

    A folder that `write` has written is also one that
    ``AutoModelForSequenceClassification.from_pretrained`` loads.

    Parameters
    ----------
    network, tokenizer
        Of transformers.
    centre, spread
        What grades are measured from and in: training wants numbers of size one.
    """

    kind = KIND

    def __init__(
        self,
        styles: Sequence[str],
        settings: Settings,
        network: Any,
        tokenizer: Any,
        centre: float = 0.0,
        spread: float = 1.0,
    ) -> None:
        super().__init__(styles, settings)
        self.network = network.eval()
        self.tokenizer = tokenizer
        self.centre = centre
        self.spread = spread

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; see `StyleModel.predict`."""
        import torch

        predicted = np.empty((len(texts), len(self.styles)))
        device = self.network.device
        pieces = self._tokenized(texts)["input_ids"] if texts else []
        lengths = [len(each) for each in pieces]
        with torch.inference_mode():
            for rows in by_length(lengths, MOST_TOKENS[device.type], alike=device.type == "cpu"):
                ids, mask = padded(
                    [pieces[row] for row in rows], self.tokenizer.pad_token_id or 0, self.longest
                )
                network = self.network(input_ids=ids.to(device), attention_mask=mask.to(device))
                logits = network.logits.double()
                if self.is_graded:
                    values = logits * self.spread + self.centre
                else:
                    values = torch.softmax(logits, dim=1)
                predicted[rows] = values.cpu().numpy()
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
            facts = {"centre": self.centre, "spread": self.spread}
            (folder / _GRADES).write_text(json.dumps(facts), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> Transformer:
        """Read network and tokenizer."""
        with loading(folder.name[:16]):
            network, tokenizer = _loaded(folder)
        grades = folder / _GRADES
        facts = json.loads(grades.read_text(encoding="utf-8")) if grades.exists() else {}
        return cls(styles, settings, network, tokenizer, **facts)


def train(
    labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
) -> Transformer:
    """Fine-tune a model of this machine.

    Cross-entropy, or squared error of standardised grades; AdamW with a learning rate that rises
    over the first tenth of the steps and falls to zero (Devlin et al. 2019). The same seed gives
    the same model on the same machine.

    Raises
    ------
    Unavailable
        If there is no such model on this machine.
    """
    import torch

    name = str(settings["model"])
    folder = local.folder(name)
    report("loading the model", 0, 0)
    centre, spread = 0.0, 1.0
    if labelled.is_graded:
        centre, spread = float(labelled.targets.mean()), float(labelled.targets.std())
    with _seeded(seed):
        with loading(name, "where training starts"):
            network, tokenizer = _loaded(folder, labelled.styles)
        network.to("cuda" if torch.cuda.is_available() else "cpu")
        model = Transformer(labelled.styles, settings, network, tokenizer, centre, spread)
        _fit(model, labelled, seed, report)
    model.network.eval()
    return model


def _fit(model: Transformer, labelled: LabelledTexts, seed: int, report: ProgressCallback) -> None:
    import torch

    settings, network = model.settings, model.network
    size, epochs, rate = int(settings["batch"]), int(settings["epochs"]), float(settings["rate"])
    steps = epochs * -(-len(labelled) // size)
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _slope(step, steps))
    generator = np.random.default_rng(seed)
    network.train()
    done = 0
    for _ in range(epochs):
        for rows in _batches(labelled.texts, size, generator):
            report("fine-tuning, step", done, steps)
            batch = model.encoded([labelled.texts[row] for row in rows])
            loss = _loss(network(**batch).logits, labelled.targets[rows], model)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            done += 1


def _loss(logits: Any, targets: Floats, model: Transformer) -> Any:
    import torch

    if model.is_graded:
        wanted = torch.as_tensor((targets - model.centre) / model.spread).to(logits)
        return torch.nn.functional.mse_loss(logits[:, 0], wanted)
    columns = torch.as_tensor(targets, dtype=torch.long, device=logits.device)
    return torch.nn.functional.cross_entropy(logits, columns)


def _slope(step: int, steps: int) -> float:
    """Return the share of the learning rate at a step."""
    rising = max(1, round(WARM_UP * steps))
    return min((step + 1) / rising, (steps - step) / max(1, steps - rising))


def _batches(
    texts: Sequence[str], size: int, generator: np.random.Generator
) -> Iterator[list[int]]:
    """Yield rows in random order, texts of about the same length together."""
    order = generator.permutation(len(texts))
    batches: list[list[int]] = []
    for start in range(0, len(order), size * SORTED_TOGETHER):
        some = sorted(
            order[start : start + size * SORTED_TOGETHER].tolist(), key=lambda row: len(texts[row])
        )
        batches += [some[place : place + size] for place in range(0, len(some), size)]
    for place in generator.permutation(len(batches)).tolist():
        yield batches[place]


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Draw the new layer and dropout from a seed, and leave the process's generator as it was."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


def _loaded(folder: Path, styles: Sequence[str] = ()) -> tuple[Any, Any]:
    """Return network and tokenizer; with styles, a new head for them is drawn."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    head: dict[str, Any] = {}
    if styles:
        head = {
            "num_labels": len(styles),
            "id2label": dict(enumerate(styles)),
            "label2id": {style: number for number, style in enumerate(styles)},
            "ignore_mismatched_sizes": True,
        }
    with quiet():
        network = read_pretrained(AutoModelForSequenceClassification, folder, **head)
        tokenizer = read_pretrained(AutoTokenizer, folder)
    return network, tokenizer
