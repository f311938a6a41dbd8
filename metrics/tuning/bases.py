"""The local models on which fine-tuning builds, how they read a source, and low-rank adapters."""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.extras import how_to_install
from metrics.language_models import causal
from metrics.language_models.chatting import tokens_of
from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import Value
from metrics.styles.labelled import TrainingError
from metrics.tuning.pairs import TrainingPair
from metrics.weights import local, smollm2
from metrics.weights.files import fingerprint
from metrics.weights.loading import loading, pretrained
from metrics.weights.registered import MODELS


def with_adapters(network: Any, settings: Mapping[str, Value], name: str) -> Any:
    """Return a network of which only new low-rank changes of its linear layers are trained.

    Parameters
    ----------
    network
        Of transformers.
    settings
        Rank, alpha and dropout.
    name
        Of the base: what is stored names it, and not where it lies on this machine.

    Raises
    ------
    Unavailable
        If peft is not installed.
    """
    with _peft() as peft:
        # Layers of GPT-2 and its like have their weights the other way round.
        is_transposed = any(type(layer).__name__ == "Conv1D" for layer in network.modules())
        changed = peft.get_peft_model(
            network,
            peft.LoraConfig(
                r=int(settings["rank"]),
                lora_alpha=float(settings["alpha"]),
                lora_dropout=float(settings["dropout"]),
                target_modules="all-linear",
                fan_in_fan_out=is_transposed,
            ),
        )
    changed.peft_config["default"].base_model_name_or_path = name
    return changed


def merged(network: Any, folder: Path) -> Any:
    """Return a network with adapters that were stored in a folder merged into its weights.

    Raises
    ------
    Unavailable
        If peft is not installed.
    """
    with _peft() as peft:
        return peft.PeftModel.from_pretrained(network, str(folder)).merge_and_unload()


@contextmanager
def _peft() -> Iterator[Any]:
    # peft asks transformers 5 for an attribute by its earlier name.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            import peft
        except ImportError as error:
            raise Unavailable(
                "low-rank adapters need the package peft: " + how_to_install("models")
            ) from error
        yield peft


IGNORED = -100
"""Label of a token that is read and not learnt."""


@dataclass
class Base:
    """A model of transformers that reads a source and writes another text.

    Attributes
    ----------
    network, tokenizer
        Of transformers.
    is_causal
        Whether it continues a prompt; else it is a sequence-to-sequence model.
    """

    network: Any
    tokenizer: Any
    is_causal: bool

    @property
    def limit(self) -> int:
        """Most tokens that it reads at once."""
        config = self.network.config
        places = getattr(config, "max_position_embeddings", None) or 10**9
        return int(min(places, self.tokenizer.model_max_length))

    def question(self, pair: TrainingPair) -> list[int]:
        """Return the tokens of a source with what shall be done, as they are in training."""
        tokens = tokens_of(self.tokenizer, instruction(pair, is_causal=self.is_causal))
        return tokens if self.is_causal else [*tokens, self.end]

    def answer(self, pair: TrainingPair) -> list[int]:
        """Return the tokens that shall be written, the end symbol last."""
        written = f" {pair.target}" if self.is_causal else pair.target
        return [*tokens_of(self.tokenizer, written), self.end]

    def example(self, pair: TrainingPair) -> tuple[list[int], list[int]]:
        """Return what the network reads, and the label of each token that it writes."""
        question, answer = self.question(pair), self.answer(pair)
        if not self.is_causal:
            return question, answer
        return [*question, *answer], [*[IGNORED] * len(question), *answer]

    @property
    def end(self) -> int:
        """The end symbol."""
        return int(self.tokenizer.eos_token_id)

    @property
    def padding(self) -> int:
        """What fills a batch up."""
        found = self.tokenizer.pad_token_id
        return self.end if found is None else int(found)


def instruction(pair: TrainingPair, *, is_causal: bool) -> str:
    """Return a source with what shall be done, in words.

    Examples
    --------
    >>> instruction(TrainingPair("gonna go", "", "informal", "formal"), is_causal=False)
    'rewrite informal as formal: gonna go'
    """
    styles = [each for each in (pair.source_style, pair.target_style) if each]
    what = " ".join(["rewrite", " as ".join(styles)]) if len(styles) == 2 else "rewrite"
    if not is_causal:
        return f"{what}: {pair.source}"
    return f"{what.capitalize()}.\nText: {pair.source}\nRewritten:"


def files(name: str) -> dict[str, Path]:
    """Return the files that decide a base's numbers.

    Raises
    ------
    Unavailable
        If the model is not on this machine.
    """
    if name == smollm2.NAME:
        return causal.files(name)
    return local.files_of(local.folder(name))


def file_hashes(name: str) -> dict[str, str]:
    """Return the same files with their hashes; see `files`."""
    return fingerprint(files(name))


def offered() -> tuple[str, ...]:
    """Return the names of the models that can be tried as bases."""
    return (smollm2.NAME, *MODELS.names())


def load(name: str, cache: Path | None = None) -> Base:
    """Load a model anew: training changes it.

    Parameters
    ----------
    name
        ``smollm2``, or a name in the administrator's list of models.
    cache
        Folder in which converted weights are kept; None: convert them in memory.

    Raises
    ------
    TrainingError
        If the name is unknown.
    Unavailable
        If the model is not on this machine, or writes nothing.
    """
    if name not in offered():
        raise TrainingError(
            f"no model {name!r}; there are {', '.join(offered())}: the administrator lists models "
            f"in {MODELS.variable}"
        )
    if name == smollm2.NAME and cache is None:
        return Base(*smollm2.from_package(), is_causal=True)
    folder = smollm2.converted(cache) if name == smollm2.NAME and cache else local.folder(name)
    return read(name, folder)


def read(name: str, folder: Path) -> Base:
    """Read a model from its folder; see `load`."""
    import torch

    with loading(name, what := "a model that writes"):
        facts = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    is_causal = not facts.get("is_encoder_decoder")
    kind = "AutoModelForCausalLM" if is_causal else "AutoModelForSeq2SeqLM"
    (network, found), tokenizer = pretrained(
        kind, folder, name, what, dtype=torch.float32, output_loading_info=True
    )
    # transformers would give a model that writes nothing a last layer of random weights.
    if found["missing_keys"]:
        raise Unavailable(f"model {name!r} writes nothing: it lacks weights for that")
    if tokenizer.eos_token_id is None:
        raise Unavailable(f"model {name!r} has no end symbol, so it cannot learn when to stop")
    return Base(network.eval(), tokenizer, is_causal)


def padded_batch(
    base: Base, examples: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> dict[str, Any]:
    """Return tensors of some examples, padded on the right."""
    import torch

    def filled(rows: Sequence[Sequence[int]], padding: int) -> Any:
        width = max(map(len, rows))
        return torch.tensor([[*row, *[padding] * (width - len(row))] for row in rows])

    read_ = [read for read, _ in examples]
    return {
        "input_ids": filled(read_, base.padding),
        "attention_mask": filled([[1] * len(row) for row in read_], 0),
        "labels": filled([labels for _, labels in examples], IGNORED),
    }
