"""Models of this machine by name: packaged ones, and those that the administrator lists.

A listed name of the hub is looked up among the models that were downloaded to this machine
before; the network is never asked.
"""

import os
from pathlib import Path

from metrics.scorers.scorer import Unavailable
from metrics.weights import minilm
from metrics.weights.registered import MODELS

_DECIDING = frozenset({".bin", ".gguf", ".json", ".model", ".pt", ".safetensors", ".txt", ".vocab"})
"""Suffixes of files that decide a model's numbers; not its read-me and pictures."""


def folder(name: str) -> Path:
    """Return the folder of a model in the format of transformers.

    Parameters
    ----------
    name
        ``minilm``, or a name that the administrator's list gives to a folder with ``config.json``
        or to a model that was downloaded before.

    Raises
    ------
    Unavailable
        If no such model is on this machine; the message says what to do, and no path.
    """
    if name == minilm.NAME:
        return minilm.folder()
    place = MODELS.place(name)
    if place is None:
        raise Unavailable(
            f"model {name!r} is not on the list of this server: the administrator lists models in "
            f"{MODELS.variable}"
        )
    if not place.startswith("/"):
        return _downloaded(place)
    found = Path(place)
    if not is_model(found):
        raise Unavailable(
            f"model {name!r}: its folder is not there, or has no config.json that can be read; "
            f"the administrator names in {MODELS.variable} the folder of a model that "
            "transformers saved"
        )
    return found.resolve()


def files(name: str) -> dict[str, Path]:
    """Return the files that decide a model's numbers, by their names below its folder.

    Raises
    ------
    Unavailable
        As `folder`.
    """
    return minilm.files() if name == minilm.NAME else files_of(folder(name))


def is_model(folder: Path) -> bool:
    """Whether a folder looks like one that transformers saved, and may be read."""
    return os.access(folder / "config.json", os.R_OK)


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files of a folder that decide a model's numbers, by their names below it."""
    return {
        str(path.relative_to(folder)): path
        for path in sorted(folder.rglob("*"))
        if path.suffix in _DECIDING and path.is_file()
    }


def _downloaded(name: str) -> Path:
    """Return the folder of a model in the hub's cache on this machine."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(name, "config.json")
    except HFValidationError:
        found = None
    if not isinstance(found, str):
        raise Unavailable(
            f"model {name!r} is not on this machine: the administrator downloads it once "
            f"(hf download {name})"
        )
    return Path(found).parent
