"""Runs of judges: every answer kept, a budget that stops them, costs shown beforehand."""

import csv
import io

import pytest

from corpus.models import Output
from metrics.models import JudgeAnswer, MetricRun
from metrics.runs.judge_questions import costs_of
from metrics.runs.requests import RunRequest
from tests.fixtures.judge_address import judge_address, reply
from tests.fixtures.running_jobs import scored_runs
from tests.fixtures.study_files import TABLES

pytestmark = pytest.mark.django_db
PROMPT = "Rate this: {output}"


@pytest.fixture
def server():
    with judge_address() as server:

        def answer(body):
            prompt = body["messages"][0]["content"]
            if "T5" in prompt:
                return 200, reply("I'm sorry, I can't rate this.")
            usage = {"prompt_tokens": 100_000, "completion_tokens": 10}
            return 200, reply(str(len(prompt) % 5 + 1)) | {"usage": usage}

        server.answer = answer
        yield server


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}


def request(server, **more):
    fixed = {"base_url": server.url, "model": "judge-1", "prompt": PROMPT, "retries": 0}
    return RunRequest("judge-fluency", {**fixed, "lowest": 1, "highest": 5, **more})


def run_of(study, wanted):
    [run] = scored_runs(study, wanted)
    return run


def texts(study):
    return list(dict.fromkeys(Output.objects.filter(study=study).values_list("text", flat=True)))


def test_every_answer_is_kept_and_sent_as_a_table(study, server, client, owner):
    run = run_of(study, request(server))
    different = texts(study)
    assert len(server.asked) == JudgeAnswer.objects.filter(study=study).count() == len(different)
    kept = {row.prompt: row for row in JudgeAnswer.objects.all()}
    assert set(kept) == {f"Rate this: {text}" for text in different}
    address = f"/studies/small/metrics/runs/{run.pk}/"
    assert f"{address}answers.csv" in client.get(address).content.decode()
    sent = b"".join(client.get(f"{address}answers.csv").streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(sent)))
    assert len(rows) == Output.objects.filter(study=study).count()
    for row in rows:
        answer = kept[row["prompt"]]
        assert (row["answer"], row["reason"]) == (answer.answer, answer.reason)
        assert "judge-1 at http://127.0.0.1" in row["asked_as"]
    assert {row["tokens_in"] for row in rows if "sorry" not in row["answer"]} == {"100000"}


def test_a_budget_stops_a_run_which_goes_on_with_a_larger_one(study, server):
    server.answer = lambda body: (
        200,
        reply("3") | {"usage": {"prompt_tokens": 100_000, "completion_tokens": 0}},
    )
    prices = {"price_in": 10, "price_out": 0}
    stopped = run_of(study, request(server, **prices, budget=3.5))
    assert "the budget of 3.5 is used up: 4 is spent" in stopped.error
    assert not stopped.content_sha256
    assert len(server.asked) == 4
    whole = run_of(study, request(server, **prices, budget=1000))
    assert whole.pk == stopped.pk
    assert whole.error == ""
    assert whole.content_sha256
    assert whole.request["parameters"]["budget"] == 1000
    # Nothing was asked twice.
    assert len(server.asked) == len(texts(study))
    assert len(set(server.prompts)) == len(server.asked)


def test_what_a_judge_will_cost_is_shown_before_it_is_asked(study, server, client, owner):
    wanted = request(server, price_in=2, price_out=4)
    cost = costs_of(study, [wanted, RunRequest("copy-rate")])["judge-fluency"]
    prompts = [f"Rate this: {text}" for text in texts(study)]
    read = sum(-(-len(prompt) // 4) for prompt in prompts)
    assert (cost.questions, cost.answered) == (len(prompts), 0)
    assert cost.tokens == (read, 16 * len(prompts))
    assert cost.price == pytest.approx((read * 2 + 16 * len(prompts) * 4) / 1e6)
    assert cost.seconds is None
    form = {"metric": "judge-fluency", "text": "plain"} | {
        f"judge-fluency:{name}": str(value) for name, value in wanted.parameters.items()
    }
    form |= {"judge-fluency:most_tokens": "16", "judge-fluency:timeout": "5"}
    form |= {"judge-fluency:budget": "0"}
    shown = client.post("/studies/small/metrics/score/", form)
    words = " ".join(shown.content.decode().split())
    assert shown.status_code == 200
    assert f"{len(prompts)} questions, about {read} tokens to read" in words
    assert not server.asked
    assert not MetricRun.objects.filter(study=study).exists()
    started = client.post("/studies/small/metrics/score/", form | {"confirmed": "1"})
    assert started.status_code == 302
    assert MetricRun.objects.filter(study=study).count() == 1
    run_of(study, wanted)
    again = costs_of(study, [wanted])["judge-fluency"]
    assert again.left == 0
    assert again.price == 0
