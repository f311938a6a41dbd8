"""Write the files beside this script; see README.md."""

# ruff: noqa: E402

import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

HERE = Path(__file__).resolve().parent
SCORES = {"Good day.": 0.875, "Hello, you.": 0.25, "Yes.": 1.0, 'Café "☕"': 0.0625}
ERRORS = {"Hello, you.": [{"text": "you", "severity": "minor", "start": 7, "end": 10}]}


class StandIn:
    """What `comet-score` takes for its model: made-up scores, for there are no weights here."""

    def __getattr__(self, name: str) -> object:
        return lambda *_, **__: True

    def predict(self, samples: list[dict[str, str]], **_: object) -> object:
        """Return the scores and error spans of some samples."""
        texts = [each["mt"] for each in samples]
        metadata = Outputs(error_spans=[ERRORS.get(text, []) for text in texts])
        scores = [SCORES[text] for text in texts]
        return Outputs(scores=scores, system_score=sum(scores) / len(scores), metadata=metadata)


class Outputs(SimpleNamespace):
    """What a model predicts."""

    def __contains__(self, name: str) -> bool:
        return hasattr(self, name)


def stand_in(name: str, **content: object) -> None:
    """Put something in the place of a module that only models need."""
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(content)


stand_in("torch", set_float32_matmul_precision=lambda _: None)
stand_in("pytorch_lightning", seed_everything=lambda _: None)
place = list(find_spec("comet").submodule_search_locations)
stand_in(
    "comet",
    __path__=place,
    download_model=lambda *_, **__: "",
    load_from_checkpoint=lambda _: StandIn(),
)
stand_in("comet.models", __path__=[])
stand_in("comet.models.utils", split_sequence_into_sublists=list)

from comet.cli.score import score_command

(HERE / "source.txt").write_text("Guten Tag.\nJa.\n")
(HERE / "reference.txt").write_text("Good day.\nYes.\n")
(HERE / "A.txt").write_text("Good day.\nYes.\n")
(HERE / "B.txt").write_text('Hello, you.\nCafé "☕"\n')
sys.argv = ["comet-score", "-s", "source.txt", "-t", "A.txt", "B.txt", "-r", "reference.txt"]
sys.argv += ["--gpus", "0", "--to_json", "scores.json"]
score_command()
