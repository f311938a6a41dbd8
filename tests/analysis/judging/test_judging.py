"""A model asked what raters are asked: prompts, pairs in both orders, reports that read them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.judging.asked import Judging, ask_judge, judging_cost, question_of
from analysis.judging.questions import JudgingError
from analysis.reports.service import report
from annotation.campaigns.drafts import bring
from annotation.models import Annotator, Campaign, Submission
from corpus.models import Job, Membership, Study
from metrics.models import JudgeAnswer
from tests.fixtures.api_clients import client_of
from tests.fixtures.judge_address import Server, judge_address, reply
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SYSTEMS = ("rules", "copy", "model")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    matrices.forget()
    files = {
        "segments.csv": [
            ["segment_id", "source", "source_style", "target_style"],
            *([f"s{n}", f"gimme thing {n}", "informal", "formal"] for n in range(4)),
        ],
        "outputs.csv": [
            ["segment_id", "system", "output"],
            *([f"s{n}", each, f"{each} wrote {n}"] for n in range(4) for each in SYSTEMS),
        ],
    }
    yield import_path(write_files(tmp_path / "small", files)).study
    matrices.forget()


@pytest.fixture
def server() -> Iterator[Server]:
    with judge_address() as server:
        yield server


def shown(prompt: str) -> tuple[str, str]:
    """Return the systems whose texts stand as A and as B."""
    a, b = (prompt.split(f"Text {side}: ")[1].split()[0] for side in "AB")
    return a, b


def prefers(*order: str):
    """Answer that the text of the system that comes first in an order is better, but of one."""

    def answer(body):
        prompt = body["messages"][0]["content"]
        a, b = shown(prompt)
        is_a = (order.index(a) < order.index(b)) != ("wrote 3" in prompt)
        return 200, reply("A" if is_a else "B")

    return answer


def judged(study: Study, judging: Judging) -> Job:
    (job,) = ask_judge(study, judging, None)
    return run_by_id(job.pk)


def test_pairs_are_judged_in_both_orders_and_read_by_reports(study: Study, server: Server) -> None:
    server.answer = prefers("model", "rules", "copy")
    job = judged(study, Judging(model="m1", base_url=server.url))
    assert job.state == "done", job.error
    # 4 segments × 3 pairs × 2 orders; each pair with its sides the one way and the other.
    assert len(server.asked) == 24
    sides = [shown(prompt) for prompt in server.prompts]
    assert sorted(sides) == sorted((b, a) for a, b in sides)
    raters = Annotator.objects.filter(campaign__study=study).order_by("pseudonym")
    assert [(r.pseudonym, r.kind) for r in raters] == [
        ("m1, one order", "model"),
        ("m1, other order", "model"),
    ]
    ordered = list(Submission.objects.filter(annotator=raters[0]).order_by("item"))
    turned = list(Submission.objects.filter(annotator=raters[1]).order_by("item"))
    assert [one.swapped for one in ordered] == [not other.swapped for other in turned]
    assert {one.swapped for one in ordered} == {True, False}
    campaign = Campaign.objects.get(study=study)
    assert campaign.config["judge"]["model"] == "m1"
    assert "Which text is better" in campaign.config["judge"]["prompt"]
    content = report(study, "system-comparison", Question(raters="model", resamples=100))["content"]
    (fit,) = content["strengths"]
    order = [row["system"] for row in fit["systems"]]
    assert order == ["model", "rules", "copy"]
    # By default models that rated are no human raters.
    people = report(study, "system-comparison", Question(resamples=100))["content"]
    assert not people["strengths"]


def test_refusals_are_missing_with_their_reason_and_ties_are_ties(
    study: Study, server: Server
) -> None:
    server.answer = lambda body: (
        200,
        reply("I'm sorry, no." if "copy" in body["messages"][0]["content"] else "C"),
    )
    job = judged(study, Judging(model="m1", base_url=server.url))
    assert "16 answers missing" in job.result["notes"][0]
    silent = Submission.objects.filter(annotator__campaign__study=study, ratings=None)
    assert {row.reason for row in silent} == {'the judge refused: "I\'m sorry, no."'}
    given = Submission.objects.filter(annotator__campaign__study=study, ratings__isnull=False)
    assert {row.ratings.get().choice for row in given} == {"tie"}


def test_a_budget_stops_the_pairs_and_a_larger_one_goes_on(study: Study, server: Server) -> None:
    server.answer = lambda body: (
        200,
        reply("A") | {"usage": {"prompt_tokens": 1_000_000, "completion_tokens": 0}},
    )
    asked = Judging(model="m1", base_url=server.url, price_in=1, budget=10)
    stopped = judged(study, asked)
    assert stopped.state == "failed"
    assert "4 of 12 pairs are judged and stored: the budget of 10 is used up" in stopped.error
    assert JudgeAnswer.objects.filter(study=study).count() == len(server.asked) == 12
    whole = judged(study, Judging(model="m1", base_url=server.url, price_in=1, budget=100))
    assert whole.state == "done", whole.error
    assert len(server.asked) == len(set(server.prompts)) == 24
    assert Submission.objects.filter(annotator__campaign__study=study).count() == 24
    assert judging_cost(study, asked).left == 0


def campaign_of(study: Study, protocol: str, **config) -> Campaign:
    campaign = Campaign(
        study=study, slug=protocol.replace("_", "-"), protocol=protocol, origin="live",
        state="open", config=config, design="fixed_batches",
    )  # fmt: skip
    bring(campaign)
    campaign.save()
    return campaign


def test_a_campaigns_guidelines_question_and_scale_are_the_prompt(
    study: Study, server: Server
) -> None:
    campaign = campaign_of(study, "likert", aspects=["content", "fluency"])
    question = question_of(study, Judging(campaign="likert", aspect="content"))
    assert campaign.guidelines.strip() in question.prompt
    assert "Text: {output}" in question.prompt
    assert "3: the main point" in question.prompt
    assert (question.lowest, question.highest, question.metric) == (1, 5, "content")
    short = question_of(study, Judging("likert", "content", guidelines=False))
    assert campaign.guidelines.strip() not in short.prompt
    server.answer = lambda body: (200, reply("4"))
    (job,) = ask_judge(study, Judging("likert", "content", "m1", server.url), None)
    assert run_by_id(job.pk).state == "done"
    run = study.runs.get()
    assert run.aspect == "content"
    assert run.request["parameters"]["prompt"] == question.prompt
    sent = next(prompt for prompt in server.prompts if "rules wrote 0" in prompt)
    assert "Source: gimme thing 0" in sent


def test_what_a_judge_cannot_be_asked_is_refused_in_words(study: Study, server: Server) -> None:
    campaign_of(study, "content_preservation", masked=True)
    campaign_of(study, "relative_naturalness")
    for judging, words in (
        (Judging("nothing"), "no campaign 'nothing'; there are: content-preservation"),
        (Judging("content-preservation"), "shows masked texts"),
        (Judging("relative-naturalness"), "this protocol asks otherwise"),
        (Judging("relative-naturalness", "charm"), "has no question about 'charm'"),
        (Judging(base_url="http://127.0.0.1:1/v1"), "the administrator names the addresses"),
    ):
        with pytest.raises(JudgingError, match=words):
            judging_cost(study, judging)
    assert not server.asked


def test_page_api_and_command_show_the_cost_before_they_ask(
    study: Study, server: Server, client, capsys
) -> None:
    server.answer = prefers(*SYSTEMS)
    owner = User.objects.create_user("otto")
    Membership.objects.create(study=study, user=owner, role=Membership.Role.OWNER)
    client.force_login(owner)
    form = {"question": "", "model": "m1", "base_url": server.url, "answer": "weighted"}
    page = client.post("/studies/small/judges/", form)
    words = " ".join(page.content.decode().split())
    assert page.status_code == 200
    assert "24 questions, about" in words
    assert "Which text is better on the whole?" in words
    call_command("judge", "small", "--model", "m1", "--base-url", server.url, "--dry-run")
    assert "24 questions (0 answered before)" in capsys.readouterr().out
    answer = client_of("anna", study, "owner").post(
        "/api/v1/studies/small/judges/",
        {"model": "m1", "base_url": server.url, "dry_run": True, "price_in": 1},
        format="json",
    )
    assert answer.status_code == 200
    assert answer.json()["questions"] == 24
    assert answer.json()["jobs"] == []
    assert not server.asked
    started = client.post("/studies/small/judges/", form | {"confirmed": "1"})
    assert started.status_code == 302
    run_by_id(Job.objects.get(kind="judge-pairs").pk)
    assert len(server.asked) == 24
    listed = client.get("/studies/small/judges/").content.decode()
    assert "pairs-m1-overall-" in listed
    call_command("judge", "small", "--model", "m1", "--base-url", server.url)
    assert "0 new" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no study 'none'"):
        call_command("judge", "none")
