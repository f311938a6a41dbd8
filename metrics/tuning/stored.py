"""Fine-tuned models as folders, and what they write."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from metrics.language_models.batching import generated
from metrics.scorers.scorer import Unavailable
from metrics.styles.model import check_files, folder_sha256, read_manifest, write_folder
from metrics.tuning import bases
from metrics.tuning.bases import Base, merged
from metrics.tuning.pairs import TrainingPair
from metrics.tuning.tune import LORA, Tuned
from metrics.weights.loading import loading, quiet

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
    facts: dict[str, object] = {"settings": dict(tuned.settings), "base": dict(tuned.files)}
    sha256 = ""

    def write(place: Path) -> dict[str, object]:
        nonlocal sha256
        with quiet():
            if tuned.settings["method"] == LORA:
                # Else peft asks the hub for the base's embeddings, which adapters never change.
                tuned.base.network.save_pretrained(place, save_embedding_layers=False)
            else:
                tuned.base.network.save_pretrained(place)
                tuned.base.tokenizer.save_pretrained(place)
        (place / _READ_ME).unlink(missing_ok=True)
        sha256 = folder_sha256(place, facts)
        return {**details, **facts, "sha256": sha256}

    write_folder(folder, write)
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
        question = self.base.question(pair)
        # Of a causal model, what it writes needs room beside what it reads.
        room = self.base.limit - (most_tokens if self.base.is_causal else 0)
        if len(question) > min(self.longest, room):
            return None
        written = generated(
            *(self.base.network, question, most_tokens, self.base.padding),
            do_sample=False,
            num_beams=1,
            eos_token_id=self.base.end,
        )
        new = written[len(question) :] if self.base.is_causal else written
        return str(self.base.tokenizer.decode(new, skip_special_tokens=True)).strip()


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
    check_files(folder, manifest["files"])
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
