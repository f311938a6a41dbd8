"""Fine-tuning writers: pairs, training, and the model that comes back."""

import json
from dataclasses import asdict

import pytest

from metrics.scorers.scorer import Unavailable
from metrics.styles.labelled import TrainingError, text_key
from metrics.tuning import bases
from metrics.tuning.pairs import TrainingPair, divided, without_long
from metrics.tuning.stored import load, save
from metrics.tuning.tune import LORA, WHOLE, read_settings, tune
from tests.fixtures.listed_places import listed
from tests.fixtures.style_texts import silent
from tests.fixtures.training_pairs import (
    SMALL,
    divided_pairs,
    pairs,
    save_small_causal,
    save_small_rewriter,
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bases")
    return {
        "causal": save_small_causal(folder / "causal"),
        "rewriter": save_small_rewriter(folder / "rewriter"),
    }


@pytest.fixture
def causal(folders):
    return listed(folders["causal"])


@pytest.fixture
def rewriter(folders):
    return listed(folders["rewriter"], name="small-t5")


def tuned(base, method=WHOLE, seed=0, **settings):
    read = read_settings({**SMALL, "base": base, "method": method, **settings})
    return tune(divided_pairs(), read, seed, silent)


def token_losses(base, pairs):
    """Mean −ln P of a target's tokens, each pair by itself and without labels."""
    import torch

    total, count = 0.0, 0
    for pair in pairs:
        question, answer = base.question(pair), base.answer(pair)
        with torch.inference_mode():
            if base.is_causal:
                logits = base.network(input_ids=torch.tensor([[*question, *answer]])).logits[0]
                logits = logits[len(question) - 1 : -1]
            else:
                started = [base.network.config.decoder_start_token_id, *answer[:-1]]
                logits = base.network(
                    input_ids=torch.tensor([question]), decoder_input_ids=torch.tensor([started])
                ).logits[0]
        chances = torch.log_softmax(logits.double(), dim=1)
        total -= sum(float(chances[place, token]) for place, token in enumerate(answer))
        count += len(answer)
    return total / count


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("causal", LORA),
        ("rewriter", WHOLE),
        pytest.param("causal", WHOLE, marks=pytest.mark.nightly),
        pytest.param("rewriter", LORA, marks=pytest.mark.nightly),
    ],
)
def test_the_validation_loss_falls_and_the_kept_model_comes_back(kind, method, request, tmp_path):
    name = request.getfixturevalue(kind)
    made = tuned(name, method)
    losses = [epoch.valid_loss for epoch in made.epochs]
    assert made.best == min(range(1, len(losses)), key=losses.__getitem__)
    assert losses[made.best] < losses[0]
    assert token_losses(made.base, made.pairs.valid) == pytest.approx(losses[made.best], rel=1e-4)
    sha256 = save(made, tmp_path / "model", {"data_sha256": made.pairs.sha256})
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert (manifest["sha256"], manifest["data_sha256"]) == (sha256, made.pairs.sha256)
    assert str(tmp_path.parent) not in "".join(
        path.read_text() for path in (tmp_path / "model").glob("*.json")
    )
    stored = load(tmp_path / "model")
    assert token_losses(stored.base, made.pairs.valid) == pytest.approx(losses[made.best], rel=1e-4)
    pair = made.pairs.valid[0]
    written = stored.rewrite(pair, 12)
    assert written == stored.rewrite(pair, 12)
    assert stored.rewrite(TrainingPair("food " * 300, ""), 12) is None
    weights = {path.name for path in (tmp_path / "model").glob("*.safetensors")}
    assert weights == {"adapter_model.safetensors" if method == LORA else "model.safetensors"}


def test_adapters_leave_the_base_as_it_is_and_are_merged_into_its_copy(causal):
    import torch

    made = tuned(causal, LORA, epochs=1)
    trained = {name for name, each in made.base.network.named_parameters() if each.requires_grad}
    assert trained
    assert all("lora_" in name for name in trained)
    before = bases.load(causal).network.state_dict()
    merged = made.base.network.merge_and_unload().state_dict()
    changed = {name for name in before if not torch.equal(before[name], merged[name])}
    assert {name.rsplit(".", 2)[-2] for name in changed} == {"c_attn", "c_proj", "c_fc"}
    first = "transformer.h.0.attn.c_attn.weight"
    assert int(torch.linalg.matrix_rank(merged[first] - before[first], atol=1e-6)) <= 2


def test_training_stops_early_and_keeps_the_best_epoch(causal, monkeypatch):
    valid = iter([3.0, 2.0, 2.5, 2.4, 1.0])
    monkeypatch.setattr("metrics.tuning.tune._loss", lambda *_: next(valid))
    made = tuned(causal, epochs=9, patience=2)
    assert [epoch.valid_loss for epoch in made.epochs] == [3.0, 2.0, 2.5, 2.4]
    assert made.best == 1
    monkeypatch.undo()
    alone = tuned(causal, epochs=9, patience=9)
    assert len(alone.epochs) == 10


def test_another_base_and_damage_are_noticed(tmp_path):
    name = listed(save_small_causal(tmp_path / "base"))
    save(tuned(name, LORA, epochs=1), tmp_path / "model", {})
    (tmp_path / "base" / "more.json").write_text("{}")
    with pytest.raises(Unavailable, match="other files than when adapters were trained"):
        load(tmp_path / "model")
    (tmp_path / "model" / "adapter_config.json").write_text("{}")
    with pytest.raises(Unavailable, match="is damaged"):
        load(tmp_path / "model")
    with pytest.raises(Unavailable, match="train it again, or restore"):
        load(tmp_path / "nowhere")


def test_what_is_left_out_is_counted_by_its_reason():
    found = pairs(20)
    given = [("train", pair) for pair in found[:14]] + [
        ("validation", pair) for pair in found[14:16]
    ]
    given += [("test", pair) for pair in found[16:]]
    given += [
        ("", TrainingPair("a", "b")),
        ("train", TrainingPair(" ", "b")),
        ("train", TrainingPair("a", "")),
        ("train", found[0]),
        ("train", TrainingPair(found[14].source.upper(), "else")),
        ("train", TrainingPair("new", "The  Output of a test segment")),
    ]
    of_test = {text_key(text) for pair in found[16:] for text in pair[:2]}
    of_test.add(text_key("the output of a test segment"))
    result = divided(given, of_test, share=0.5, seed=0)
    assert result.train == tuple(found[:14])
    assert result.valid == tuple(found[14:16])
    assert {name: n for name, n in asdict(result.left_out).items() if n} == {
        "of_test": 4, "like_test": 1, "in_no_split": 1, "empty": 2, "repeated": 1, "like_valid": 1,
    }  # fmt: skip
    assert sum(asdict(result.left_out).values()) + 16 == len(given)


def test_too_few_pairs_are_refused():
    with pytest.raises(TrainingError, match="7 pairs to train on; give at least 8"):
        divided([("train", pair) for pair in pairs(7)], (), share=0.2, seed=0)
    result = divided([("train", pair) for pair in pairs(20)], (), share=0.2, seed=0)
    kept = without_long(result, [[n < 2 for n in range(16)], [True, *[False] * 3]])
    assert (len(kept.train), len(kept.valid), kept.left_out.too_long) == (14, 3, 3)
    with pytest.raises(TrainingError, match="let it read more tokens"):
        without_long(result, [[True] * 16, [False] * 4])
