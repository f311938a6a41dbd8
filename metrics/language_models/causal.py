"""How likely a text is under a causal language model of this machine."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from metrics.language_models.batching import padded_batches
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Parameter
from metrics.weights import local, smollm2
from metrics.weights.files import fingerprint
from metrics.weights.loading import pretrained
from metrics.weights.registered import MODELS

MODEL = Parameter(
    "model",
    smollm2.NAME,
    "smollm2, or a causal language model that the administrator lists.",
    listed=MODELS,
)
START = "<|endoftext|>"
MOST_TOKENS = 128
"""Tokens of a batch, which is filled, if need be with what is thrown away."""
_MOST_KNOWN = 100_000


class Window(NamedTuple):
    """A stretch of a text's tokens that the model sees at once.

    Attributes
    ----------
    text
        Row of the text.
    start, end
        Of the stretch.
    first
        The first token that is predicted in it; those before are context.
    """

    text: int
    start: int
    end: int
    first: int


class CausalLanguageModel:
    """A causal language model of transformers, in float32.

    The text is split into tokens without special tokens; a special token that is written out in
    it is read as ordinary letters. In front stands ``<|endoftext|>``, or, of a model without it,
    its start symbol, else its end symbol; so the first token is predicted too. Without any of
    them it is not, and does not count. No end symbol is predicted.

    A text longer than `window` tokens is read in windows that overlap by half: each token but
    those of the first window is predicted from at least half a window before it.

    Parameters
    ----------
    model, tokenizer
        Of transformers.
    window
        Most tokens that the model sees at once; the model's own limit where that is lower.

    Attributes
    ----------
    start
        The token in front of every text; None if the model has none.
    """

    def __init__(self, model: Any, tokenizer: Any, *, window: int) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        limit = getattr(model.config, "max_position_embeddings", None)
        self.window = min(window, limit or window)
        self.start = _start(tokenizer)
        self._known: dict[str, tuple[float, float]] = {}

    def negative_log_likelihood(
        self, texts: Sequence[str], styles: Sequence[str] = ()
    ) -> tuple[Floats, Floats]:
        """Return total −ln P of each text and its number of predicted tokens.

        Parameters
        ----------
        texts
            What was asked for before is not computed again.
        styles
            Makes no difference: one model serves all styles.

        Returns
        -------
        tuple of ndarray, shape (texts,)
            In nats; 0 of 0 tokens for a text without tokens to predict.
        """
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if len(self._known) + len(new) > _MOST_KNOWN:
            self._known = {text: self._known[text] for text in texts if text in self._known}
        self._known.update(zip(new, self._computed(new), strict=True))
        found = np.array([self._known[text] for text in texts], dtype=np.float64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def _computed(self, texts: Sequence[str]) -> Iterator[tuple[float, float]]:
        tokens = [self._tokens(text) for text in texts]
        windows = [each for row, ids in enumerate(tokens) for each in self._windows(row, len(ids))]
        totals = np.zeros((len(texts), 2))
        sequences = [tokens[each.text][each.start : each.end] for each in windows]
        for rows, ids, mask in padded_batches(sequences, 0, self.window, tokens=MOST_TOKENS):
            for row, losses in dict(zip(rows, self._losses(ids, mask), strict=True)).items():
                each = windows[row]
                # A row's first loss is that of its second token.
                predicted = losses[each.first - each.start - 1 : each.end - each.start - 1]
                totals[each.text] += predicted.sum(), predicted.size
        return ((total, count) for total, count in totals.tolist())

    def _tokens(self, text: str) -> list[int]:
        found = self.tokenizer(
            text, add_special_tokens=False, split_special_tokens=True, verbose=False
        )["input_ids"]
        return [*([] if self.start is None else [self.start]), *found]

    def _windows(self, text: int, length: int) -> Iterator[Window]:
        first = 1
        while first < length:
            start = 0 if first == 1 else first - (self.window - self.window // 2)
            end = min(start + self.window, length)
            yield Window(text, start, end, first)
            first = end

    def _losses(self, ids: Any, mask: Any) -> Floats:
        """Return −ln P of every token but the first, padded on the right."""
        import torch

        with torch.inference_mode():
            logits = self.model(input_ids=ids, attention_mask=mask, use_cache=False).logits
            losses = torch.nn.functional.cross_entropy(
                logits[:, :-1].float().transpose(1, 2), ids[:, 1:], reduction="none"
            )
        return np.asarray(losses.double().numpy(), dtype=np.float64)


def _start(tokenizer: Any) -> int | None:
    """Return the token in front of every text."""
    if START in tokenizer.get_vocab():
        return int(tokenizer.convert_tokens_to_ids(START))
    token = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    return None if token is None else int(token)


def files(name: str) -> dict[str, Path]:
    """Return the files that decide a model's numbers.

    Raises
    ------
    Unavailable
        If the model is not on this machine.
    """
    return smollm2.files() if name == smollm2.NAME else local.files(name)


def likelihood(model: CausalLanguageModel, texts: Sequence[str], unit: str) -> Floats:
    """Return −ln P and the number of units of each text, shape (texts, 2).

    Parameters
    ----------
    model, texts
        Nothing is asked of a text without a sign.
    unit
        ``token``, or ``word`` for words between white space.
    """
    total, count = model.negative_log_likelihood([text if text.strip() else "" for text in texts])
    if unit == "word":
        count = np.where(count > 0, [len(text.split()) for text in texts], 0.0)
    return np.column_stack([total, count])


def load(name: str, window: int, cache: Path | None) -> CausalLanguageModel:
    """Load a model; the last one that was loaded stays in memory.

    Parameters
    ----------
    name
        ``smollm2``, or a name that the administrator lists.
    window
        See `CausalLanguageModel`.
    cache
        Folder in which converted weights are kept; None: convert them in memory.

    Raises
    ------
    Unavailable
        If the model is not on this machine, or is no causal language model.
    """
    return _load(name, window, cache, tuple(fingerprint(files(name)).items()))


@lru_cache(maxsize=1)
def _load(
    name: str, window: int, cache: Path | None, files: tuple[tuple[str, str], ...]
) -> CausalLanguageModel:
    if name == smollm2.NAME and cache is None:
        model, tokenizer = smollm2.from_package()
        return CausalLanguageModel(model, tokenizer, window=window)
    import torch

    folder = smollm2.converted(cache) if name == smollm2.NAME and cache else local.folder(name)
    what = "a causal language model"
    model, tokenizer = pretrained("AutoModelForCausalLM", folder, name, what, dtype=torch.float32)
    return CausalLanguageModel(model, tokenizer, window=window)
