"""Perplexity: equal to the loss of transformers, also by one model for each style."""

import math
from typing import Any

import numpy as np
import pytest

from metrics.language_models import causal
from metrics.scorers.perplexity import Perplexity, RelativePerplexity, StylePerplexity
from metrics.scorers.scorer import Texts
from tests.fixtures.listed_places import listed
from tests.fixtures.tiny_models import save_causal_model, save_tokenizer

TEXTS = [
    "the food was good",
    "the staff was kind and the food was good and the food was good",
    "x",
    "kind",
    "😀 😀",
    "שלום, מה שלומך?",
    "a‍e̊ ﬁ",
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_causal_model(tmp_path_factory.mktemp("causal"))


@pytest.fixture(scope="module")
def loaded(tiny):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(tiny)
    return model.eval(), AutoTokenizer.from_pretrained(tiny)


def loss(loaded, tokens, *, predicted_from=1):
    """Sum of −ln P of the tokens from a place on, as transformers computes it."""
    import torch

    model, _ = loaded
    labels = [-100] * predicted_from + tokens[predicted_from:]
    with torch.inference_mode():
        mean = model(input_ids=torch.tensor([tokens]), labels=torch.tensor([labels])).loss
    return float(mean) * (len(tokens) - predicted_from)


def with_start(loaded, text):
    return [0, *loaded[1](text)["input_ids"]]


def test_perplexity_is_exp_of_the_loss_of_transformers(tiny, loaded):
    scores = Perplexity({"model": listed(tiny)}).score(Texts.of(TEXTS))
    for row, text in enumerate(TEXTS):
        tokens = with_start(loaded, text)
        expected = math.exp(loss(loaded, tokens) / (len(tokens) - 1))
        assert scores.values[row, 0] == pytest.approx(expected, rel=1e-5)
        assert scores.statistics[row, 1] == len(tokens) - 1
    assert not scores.undefined


def test_a_long_text_is_read_in_windows_that_overlap_by_half(tiny, loaded):
    text = "the food was good and the staff was kind " * 12
    tokens = with_start(loaded, text)
    expected, first = 0.0, 1
    for start in range(0, len(tokens), 16):
        if first >= len(tokens):
            break
        window = tokens[start : start + 32]
        expected += loss(loaded, window, predicted_from=first - start)
        first = start + len(window)
    scores = Perplexity({"model": listed(tiny), "window": 32}).score(Texts.of([text]))
    assert scores.statistics[0].tolist() == pytest.approx([expected, len(tokens) - 1], rel=1e-5)
    assert len(tokens) > 80


def test_an_empty_text_has_no_perplexity_and_stops_no_other(tiny):
    scores = Perplexity({"model": listed(tiny)}).score(Texts.of(["", "kind", " \n"]))
    assert scores.undefined == {0: "the text is empty", 2: "the text is empty"}
    assert np.isnan(scores.values[:, 0]).tolist() == [True, False, True]
    assert np.isnan(scores.statistics[0]).all()


def test_a_model_without_start_symbol_does_not_predict_the_first_token(tmp_path):
    from transformers import AutoModelForCausalLM

    save_causal_model(tmp_path)
    tokenizer = save_tokenizer(tmp_path / "bare", ["the food was good"], [])
    model = AutoModelForCausalLM.from_pretrained(tmp_path)
    bare = causal.CausalLanguageModel(model, tokenizer, window=64)
    total, count = bare.negative_log_likelihood(["x", "xy"])
    assert (total[0], count.tolist()) == (0, [0, 1])


def test_relative_perplexity_is_the_difference_of_logarithms(tiny):
    texts = Texts.of(
        ["the food was good", "kind", "", "kind"], ["the staff was kind", "kind", "x", ""]
    )
    scores = RelativePerplexity({"model": listed(tiny)}).score(texts)
    outputs, sources = (
        Perplexity({"model": listed(tiny)}).score(Texts.of([side])).values[0, 0]
        for side in ("the food was good", "the staff was kind")
    )
    assert scores.values[0, 0] == pytest.approx(math.log(outputs) - math.log(sources))
    assert scores.values[1, 0] == 0
    assert scores.undefined == {
        2: "the text is empty",
        3: "nothing to compare with: the text is empty",
    }


def test_a_changed_weight_changes_the_fingerprint_and_the_model(tmp_path):
    import torch
    from transformers import AutoModelForCausalLM

    save_causal_model(tmp_path)
    scorer = Perplexity({"model": listed(tmp_path)})
    before, value = scorer.fingerprint(), scorer.score(Texts.of(["kind"])).values[0, 0]
    model = AutoModelForCausalLM.from_pretrained(tmp_path)
    with torch.no_grad():
        model.transformer.wte.weight *= 2
    model.save_pretrained(tmp_path)
    after = scorer.fingerprint()
    assert before["model.safetensors"] != after["model.safetensors"]
    assert before["tokenizer.json"] == after["tokenizer.json"]
    assert scorer.score(Texts.of(["kind"])).values[0, 0] != value


STYLED = ["the food was good", "the staff was kind", "kind", "the food was good", "", "good"]
STYLES = ["formal", "informal", "formal", "informal", "formal", "poetic"]
MODELS = "formal=stiff, informal=loose"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
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
def _listed(folders, monkeypatch):
    places = ",".join(f"{name}={folder}" for name, folder in folders.items())
    monkeypatch.setenv("TOUCHSTONE_MODELS", places)


def loss_of(folder, text):
    """Return −ln P and the number of tokens, as transformers computes its loss."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model: Any = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokens = [0, *AutoTokenizer.from_pretrained(folder)(text)["input_ids"]]
    ids = torch.tensor([tokens])
    with torch.inference_mode():
        return float(model(input_ids=ids, labels=ids).loss) * (len(tokens) - 1), len(tokens) - 1


def scored(**parameters):
    scorer = StylePerplexity({"models": MODELS} | parameters)
    return scorer.score(Texts.of(STYLED, target_styles=STYLES))


def test_each_output_is_asked_of_the_model_of_its_target_style(folders):
    found = scored()
    model_of = {"formal": "stiff", "informal": "loose"}
    sums = np.zeros(2)
    for row, (text, style) in enumerate(zip(STYLED[:4], STYLES[:4], strict=True)):
        total, count = loss_of(folders[model_of[style]], text)
        assert found.values[row, 0] == pytest.approx(math.exp(total / count), rel=1e-5)
        sums += total, count
    assert found.values[0, 0] != pytest.approx(found.values[3, 0], rel=0.01)
    pooled = StylePerplexity({"models": MODELS}).corpus_score(found.statistics[:4].sum(axis=0))
    assert pooled == pytest.approx(math.exp(sums[0] / sums[1]), rel=1e-5)
    words = scored(unit="word")
    total, _ = loss_of(folders["stiff"], STYLED[0])
    assert words.values[0, 0] == pytest.approx(math.exp(total / 4), rel=1e-5)
