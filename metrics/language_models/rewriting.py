"""Rewriting a text with a local sequence-to-sequence model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from metrics.language_models.batching import generated
from metrics.scorers.scorer import Unavailable
from metrics.weights import local
from metrics.weights.loading import loading, pretrained
from metrics.weights.registered import REWRITERS

MOST_READ = 512
"""Tokens of a source that are read, where the model itself sets no lower limit."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an output is searched for.

    Attributes
    ----------
    beams
        Hypotheses of beam search; 1 is greedy.
    sample
        Whether tokens are drawn, not the likeliest taken.
    temperature
        Of the draw: below 1 nearer to the likeliest.
    longest
        Most tokens that are written.
    seed
        Of the draw.
    top_k
        Tokens are drawn from the k likeliest only; 0 for all.
    top_p
        Tokens are drawn from the fewest likeliest that have this probability together.
    """

    beams: int = 4
    sample: bool = False
    temperature: float = 1.0
    longest: int = 64
    seed: int = 0
    top_k: int = 50
    top_p: float = 1.0


class Rewriter:
    """A sequence-to-sequence model of transformers, in float32.

    Parameters
    ----------
    model, tokenizer
        Of transformers.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer

    def rewrite(self, text: str, decoding: Decoding | None = None) -> str:
        """Return what the model writes for a text; the same seed gives the same text.

        A text longer than the model reads is cut off there. What the model writes may be empty.
        """
        import torch

        how = decoding or Decoding()
        limit = min(int(self.tokenizer.model_max_length), MOST_READ)
        read = self.tokenizer(
            text.encode("utf-8", "replace").decode("utf-8"), truncation=True, max_length=limit
        )["input_ids"]
        if not read:
            return ""
        drawing: dict[str, Any] = {
            "temperature": how.temperature,
            "top_k": how.top_k,
            "top_p": how.top_p,
        }
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(how.seed)
            written = generated(
                *(self.model, read, how.longest, None),
                num_beams=how.beams,
                do_sample=how.sample,
                **(drawing if how.sample else {}),
            )
        return str(self.tokenizer.decode(written, skip_special_tokens=True)).strip()


def load(name: str) -> Rewriter:
    """Load a model; the last one that was loaded stays in memory.

    Parameters
    ----------
    name
        One that the administrator lists in TOUCHSTONE_REWRITE_MODELS.

    Raises
    ------
    Unavailable
        If the model is not on this machine, or is no sequence-to-sequence model.
    """
    return _load(name, local.folder(name, REWRITERS))


@lru_cache(maxsize=1)
def _load(name: str, folder: Path) -> Rewriter:
    import torch

    with loading(name):
        facts = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if not facts.get("is_encoder_decoder"):
            raise Unavailable(
                f"model {name!r} is no sequence-to-sequence model, such as T5 or BART"
            )
    return Rewriter(*pretrained("AutoModelForSeq2SeqLM", folder, name, dtype=torch.float32))
