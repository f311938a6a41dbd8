"""Probes of a judge: what is asked about copies, and what samples draw."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from metrics.scorers.judge_probes import JudgeProbes, LocalJudgeProbes, drawn_number
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Answer, Texts
from tests.fixtures.judge_address import Server, judge_address, reply
from tests.fixtures.listed_places import listed
from tests.fixtures.tiny_models import save_causal_model

PROMPT = "Rate {output}"


@pytest.fixture
def server() -> Iterator[Server]:
    with judge_address() as server:
        yield server


def test_copies_and_samples_are_asked_about_and_told_apart(server: Server) -> None:
    def answer(body):
        prompt = body["messages"][0]["content"]
        if body["temperature"]:
            return 200, reply(str(body["seed"]))
        return 200, reply("5" if "**" in prompt else "4" if "5, 4" in prompt else "3")

    server.answer = answer
    probes = JudgeProbes(
        {"base_url": server.url, "model": "m", "prompt": PROMPT, "padding": "Indeed."}
    )
    scores = probes.score(Texts.of(["good food", ""]))
    assert probes.fields == (
        *("plain", "padded", "formatted", "turned"),
        *("sample-1", "sample-2", "sample-3"),
    )
    assert scores.values[0].tolist() == [3, 3, 5, 4, 1, 2, 3]
    assert scores.undefined == {1: "the text is empty"}
    plain = "Rate good food\n\nOptions: 1, 2, 3, 4, 5"
    assert sorted(server.prompts) == sorted(
        [
            *[plain] * 4,
            "Rate good food Indeed.\n\nOptions: 1, 2, 3, 4, 5",
            "Rate ## Text\n\n**good food**\n\nOptions: 1, 2, 3, 4, 5",
            "Rate good food\n\nOptions: 5, 4, 3, 2, 1",
        ]
    )


def test_a_local_judge_is_probed_by_its_own_numbers(tmp_path: Path) -> None:
    model = listed(save_causal_model(tmp_path))
    probes = LocalJudgeProbes({"model": model, "prompt": PROMPT, "samples": 4})
    scores = probes.score(Texts.of(["the food was good"]))
    judge = scorer_class("local-judge-fluency")(
        {"model": model, "prompt": f"{PROMPT}\n\nOptions: 1, 2, 3, 4, 5"}
    )
    plain = judge.score(Texts.of(["the food was good"])).values[0, 0]
    assert scores.values[0, 0] == plain
    assert set(scores.values[0, 4:]) <= {1, 2, 3, 4, 5}
    assert len(set(scores.values[0, :4])) == 4
    again = probes.score(Texts.of(["kind", "the food was good"]))
    assert again.values[1].tobytes() == scores.values[0].tobytes()


def test_samples_follow_the_probabilities() -> None:
    text = "1\t0.06\n2\t0.0\n3\t0.14"
    drawn = [drawn_number(Answer(f"question {n}", text), 0) for n in range(2000)]
    assert set(drawn) == {1, 3}
    assert np.mean(np.array(drawn) == 3) == pytest.approx(0.7, abs=0.04)
