"""Fine-tuned models as folders, and what they write."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from metrics.scorers.scorer import Unavailable
from metrics.styles.digest import MANIFEST, file_hashes, folder_sha256
from metrics.tuning import bases
from metrics.tuning.adapters import merged
from metrics.tuning.bases import Base
from metrics.tuning.pairs import TrainingPair
from metrics.tuning.tune import LORA, Tuned
from metrics.weights.loading import loading
from metrics.weights.quiet import quiet

logger = logging.getLogger(__name__)

FORMAT = 1
_READ_ME = "README.md"


def save(tuned: Tuned, folder: Path, details: Mapping[str, object]) -> str:
    """Write a fine-tuned model, all or nothing, and return its SHA-256.

    Of adapters only these are written, in the form that peft reads; else the whole model, in that
    of transformers.

    Parameters
    ----------
    tuned
        The model.
    folder
        Where; what lies there is replaced.
    details
        What else the manifest shall say, such as the hash of the data.
    """
    unfinished = folder.with_name(folder.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    with quiet():
        if tuned.settings["method"] == LORA:
            # Else peft asks the hub for the base's embeddings, which adapters never change.
            tuned.base.network.save_pretrained(unfinished, save_embedding_layers=False)
        else:
            tuned.base.network.save_pretrained(unfinished)
            tuned.base.tokenizer.save_pretrained(unfinished)
    (unfinished / _READ_ME).unlink(missing_ok=True)
    facts: dict[str, object] = {"settings": dict(tuned.settings), "base": dict(tuned.files)}
    sha256 = folder_sha256(unfinished, facts)
    manifest = {
        **details,
        **facts,
        "format": FORMAT,
        "sha256": sha256,
        "files": file_hashes(unfinished),
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (unfinished / MANIFEST).write_text(text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)
    return sha256


class TunedModel:
    """A fine-tuned model that writes; the same source always gives the same text.

    Parameters
    ----------
    base
        The model, adapters merged into its weights.
    tokens
        Tokens of source and target together that it was trained on at most.
    """

    def __init__(self, base: Base, tokens: int) -> None:
        self.base = base
        self.longest = min(tokens, base.limit)

    def rewrite(self, pair: TrainingPair, most_tokens: int) -> str | None:
        """Return the likeliest text, token by token, for the source of a pair.

        None if the source has more tokens than the model was trained to read.
        """
        import torch

        question = self.base.question(pair)
        # Of a causal model, what it writes needs room beside what it reads.
        room = self.base.limit - (most_tokens if self.base.is_causal else 0)
        if len(question) > min(self.longest, room):
            return None
        ids = torch.tensor([question])
        with torch.inference_mode(), quiet():
            written = self.base.network.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=most_tokens,
                do_sample=False,
                num_beams=1,
                pad_token_id=self.base.padding,
                eos_token_id=self.base.end,
            )[0].tolist()
        new = written[len(question) :] if self.base.is_causal else written
        return str(self.base.tokenizer.decode(new, skip_special_tokens=True)).strip()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return what is known of a stored model.

    Raises
    ------
    Unavailable
        If the folder holds none.
    """
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        logger.warning("fine-tuned model %s: %s", folder, error)
        raise Unavailable(
            f"the files of the fine-tuned model {folder.name[:16]} are not there or cannot be "
            "read: train it again, or restore its folder from a backup"
        ) from None
    if found.get("format") != FORMAT:
        raise Unavailable(
            f"the fine-tuned model {folder.name[:16]} was written by another version: train it "
            "again"
        )
    return found


def load(folder: Path, cache: Path | None = None) -> TunedModel:
    """Load a stored model; the last one stays in memory.

    Raises
    ------
    Unavailable
        If a file is not what it was, or its base is not on this machine, or another one.
    """
    return _load(folder, cache, str(read_manifest(folder)["sha256"]))


@lru_cache(maxsize=1)
def _load(folder: Path, cache: Path | None, sha256: str) -> TunedModel:
    manifest = read_manifest(folder)
    settings, name = manifest["settings"], str(manifest["settings"]["base"])
    if file_hashes(folder) != manifest["files"]:
        raise Unavailable(
            f"the fine-tuned model {folder.name[:16]} is damaged: train it again, or restore its "
            "folder from a backup"
        )
    if settings["method"] != LORA:
        return TunedModel(bases.read(name, folder), int(settings["tokens"]))
    if bases.file_hashes(name) != manifest["base"]:
        raise Unavailable(
            f"the model {name!r} has other files than when adapters were trained for it: install "
            "that version again, or train them anew"
        )
    base = bases.load(name, cache)
    with loading(folder.name[:16], "adapters"):
        base.network = merged(base.network, folder).eval()
    return TunedModel(base, int(settings["tokens"]))
