"""Low-rank adapters (Hu et al. 2022), by the package peft."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corpus.extras import how_to_install
from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import Value


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
