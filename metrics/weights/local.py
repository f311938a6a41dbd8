"""Models of this machine: packaged ones by name, others by path or by their name in the hub.

A name of the hub is looked up among the models that were downloaded to this machine before; the
network is never asked.
"""

from __future__ import annotations

from pathlib import Path

from metrics.scorers.scorer import Unavailable
from metrics.weights import minilm

_DECIDING = frozenset({".bin", ".gguf", ".json", ".model", ".pt", ".safetensors", ".txt", ".vocab"})
"""Suffixes of files that decide a model's numbers; not its read-me and pictures."""


def folder(name: str) -> Path:
    """Return the folder of a model in the format of transformers.

    Parameters
    ----------
    name
        ``minilm``, the path of a folder with ``config.json``, or a name such as
        ``owner/model`` of a model that was downloaded before.

    Raises
    ------
    Unavailable
        If no such model is on this machine; the message says what to do.
    """
    if name == minilm.NAME:
        return minilm.folder()
    path = Path(name).expanduser()
    if name and path.is_dir():
        if not (path / "config.json").is_file():
            raise Unavailable(
                f"model {name!r}: the folder has no config.json; name the folder of "
                "a model that transformers saved"
            )
        return path.resolve()
    return _downloaded(name)


def files(name: str) -> dict[str, Path]:
    """Return the files that decide a model's numbers, by their names below its folder.

    Raises
    ------
    Unavailable
        As `folder`.
    """
    if name == minilm.NAME:
        return minilm.files()
    root = folder(name)
    return {
        str(path.relative_to(root)): path
        for path in sorted(root.rglob("*"))
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
            f"model {name!r} is not on this machine: give the path of a folder with its "
            f"config.json and weights, or download it once (hf download {name})"
        )
    return Path(found).parent
