"""SmolLM2 learns from a few pairs by low-rank adapters, and they come back."""

from pathlib import Path

import pytest

from metrics.tuning.pairs import TrainingPair, divided
from metrics.tuning.stored import load, save
from metrics.tuning.tune import read_settings, tune
from tests.fixtures.style_texts import silent

INFORMAL = ("gonna", "wanna", "gotta", "kinda", "dunno if", "lemme")
FORMAL = ("am going to", "want to", "have to", "rather", "do not know whether", "let me")
REST = ("see it", "buy that", "read them", "know more")


@pytest.mark.nightly
def test_smollm2_learns_from_a_few_pairs(tmp_path: Path) -> None:
    found = [
        TrainingPair(f"I {word} {rest}", f"I {other} {rest}.", "informal", "formal")
        for word, other in zip(INFORMAL, FORMAL, strict=True)
        for rest in REST
    ]
    pairs = divided([("train", pair) for pair in found], (), share=0.2, seed=0)
    settings = read_settings({"epochs": 3, "batch": 8, "rate": 1e-3})
    made = tune(pairs, settings, 0, silent)
    losses = [epoch.valid_loss for epoch in made.epochs]
    print(losses)  # noqa: T201
    assert losses[made.best] < losses[0] / 2
    save(made, tmp_path / "model", {})
    assert sum(path.stat().st_size for path in (tmp_path / "model").iterdir()) < 30e6
    written = load(tmp_path / "model").rewrite(pairs.train[0], 16)
    print(written)  # noqa: T201
    assert written is not None
    assert written.startswith("I ")
