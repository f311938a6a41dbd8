"""Perplexity under one causal model for each style, against the loss of transformers itself."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.scorers.perplexity import EMPTY, StylePerplexity
from metrics.scorers.scorer import Texts, Unavailable
from metrics.scorers.spec import ParameterError
from tests.fixtures.tiny_models import save_causal_model

TEXTS = ["the food was good", "the staff was kind", "kind", "the food was good", "", "good"]
STYLES = ["formal", "informal", "formal", "informal", "formal", "poetic"]
MODELS = "formal=stiff, informal=loose"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Save two models that differ in their weights."""
    import torch
    from transformers import GPT2LMHeadModel

    found = {}
    for place, name in enumerate(("stiff", "loose")):
        folder = save_causal_model(tmp_path_factory.mktemp(name))
        model = GPT2LMHeadModel.from_pretrained(folder)
        torch.manual_seed(10 + place)
        with torch.no_grad():
            model.transformer.wpe.weight.normal_(std=0.5)
        model.save_pretrained(folder)
        found[name] = folder
    return found


@pytest.fixture(autouse=True)
def _listed(folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    places = ",".join(f"{name}={folder}" for name, folder in folders.items())
    monkeypatch.setenv("TOUCHSTONE_MODELS", places)


def loss_of(folder: Path, text: str) -> tuple[float, int]:
    """Return −ln P and the number of tokens, as transformers computes its loss."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model: Any = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokens = [0, *AutoTokenizer.from_pretrained(folder)(text)["input_ids"]]
    ids = torch.tensor([tokens])
    with torch.inference_mode():
        return float(model(input_ids=ids, labels=ids).loss) * (len(tokens) - 1), len(tokens) - 1


def scored(**parameters: object) -> Any:
    scorer = StylePerplexity({"models": MODELS} | parameters)
    return scorer.score(Texts.of(TEXTS, target_styles=STYLES))


def test_each_output_is_asked_of_the_model_of_its_target_style(folders: dict[str, Path]) -> None:
    found = scored()
    model_of = {"formal": "stiff", "informal": "loose"}
    sums = np.zeros(2)
    for row, (text, style) in enumerate(zip(TEXTS[:4], STYLES[:4], strict=True)):
        total, count = loss_of(folders[model_of[style]], text)
        assert found.values[row, 0] == pytest.approx(math.exp(total / count), rel=1e-5)
        sums += total, count
    assert found.values[0, 0] != pytest.approx(found.values[3, 0], rel=0.01)
    pooled = StylePerplexity({"models": MODELS}).corpus_score(found.statistics[:4].sum(axis=0))
    assert pooled == pytest.approx(math.exp(sums[0] / sums[1]), rel=1e-5)
    words = scored(unit="word")
    total, _ = loss_of(folders["stiff"], TEXTS[0])
    assert words.values[0, 0] == pytest.approx(math.exp(total / 4), rel=1e-5)


def test_what_has_no_model_or_no_word_says_so() -> None:
    assert scored().undefined == {
        4: EMPTY,
        5: "there is no causal language model of style 'poetic'",
    }


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ("stiff", "expected a style and its model"),
        ("formal=/etc/passwd", "expected one of smollm2, stiff, loose"),
        ("formal=stiff,formal=loose", "the style 'formal' has two models"),
    ],
)
def test_models_that_make_no_sense_are_refused(models: str, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        StylePerplexity({"models": models})


def test_without_models_it_says_what_to_set() -> None:
    for ask in ("fingerprint", "score"):
        scorer = StylePerplexity()
        with pytest.raises(Unavailable, match="one model for each style"):
            getattr(scorer, ask)(*([Texts.of(["a"])] if ask == "score" else []))
