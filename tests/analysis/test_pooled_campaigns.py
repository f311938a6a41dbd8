"""Campaigns are pooled where the study declares that they asked the same, and nowhere else."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from analysis.collections.changing import create_collection
from analysis.collections.reading import read_tasks, tasks_of
from analysis.data import matrices
from analysis.filter.question import Question
from analysis.findings.card import Card
from analysis.findings.cards import card_kind, card_of
from analysis.models import CollectionTask
from analysis.reports.service import report
from analysis.tables.of_reports import flat_tables
from corpus.models import AuditEntry, Study
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.html_forms import fields_of
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, tables, words
from tests.fixtures.study_files import TABLES, import_path, imported_study, write_files

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/aspects/"
POOLED = (
    "Ratings of style are pooled over the campaigns first and second, as the study declares; "
    "raters of the same name count once for each campaign"
)
TEXTS = [(f"s{n}", system) for n in range(1, 5) for system in ("BART", "T5", "CAAE")]
SAME: dict[str, Any] = {slug: {"scales": {"style": [1, 5]}} for slug in ("first", "second")}


def files(declared: dict[str, Any], campaigns: tuple[str, ...] = ("first", "second")) -> Any:
    """Return a study in which each campaign rated all texts, the second one point higher."""
    return {
        "segments.csv": TABLES["segments.csv"],
        "outputs.csv": [["segment_id", "system", "output"], *([*t, "a text"] for t in TEXTS)],
        "ratings.csv": [
            ["segment_id", "system", "rater", "aspect", "score", "campaign"],
            *(
                [*text, rater, "style", 1 + (n * len(rater)) % 4 + place % 2, campaign]
                for place, campaign in enumerate(campaigns)
                for n, text in enumerate(TEXTS)
                for rater in ("r1", "r12")
            ),
        ],
        "study.json": declared,
    }


@pytest.fixture(autouse=True)
def _fresh() -> None:
    matrices.forget()


def study_of(folder: Path, declared: dict[str, Any], **more: Any) -> Study:
    return imported_study(folder / "small", files(declared, **more))


def means(study: Study) -> dict[str, float]:
    """Mean rating of each measure."""
    judged = matrices.load(Study.objects.get(pk=study.pk)).judgements
    return {
        name: float(np.mean(judged.value[judged.aspect == place]))
        for place, name in enumerate(judged.aspects)
    }


@pytest.mark.parametrize("campaigns", [{}, SAME])
def test_campaigns_are_measures_of_their_own_whether_scales_are_declared_or_not(
    tmp_path, campaigns
):
    study = study_of(tmp_path, {"campaigns": campaigns})
    assert means(study) == {"style (first)": 2.25, "style (second)": 3.25}
    for kind in ("agreement", "ranking", "raters"):
        stored = report(study, kind, Question())
        assert stored["content"]["aspects"] == ["style (first)", "style (second)"], kind
        assert "pooled" not in stored
    assert "campaign (first: style (first); second: style (second))" in json.dumps(
        report(study, "agreement", Question())["content"]["scales"]
    )


def test_an_owner_declares_once_that_two_campaigns_asked_the_same(tmp_path):
    study = study_of(tmp_path, {"campaigns": SAME})
    before = report(study, "agreement", Question())
    owner = signed_in("olga", study)
    fields = fields_of(owner.get(ADDRESS).text, "pooled:second")
    answer = owner.post(ADDRESS, fields | {"pooled:second": ["first"]}, follow=True)
    assert "Saved: second" in answer.text
    assert means(study) == {"style": 2.75}
    study.refresh_from_db()
    assert AuditEntry.objects.get(action="declare").after["pooled"] == {"second": "first"}

    stored = report(study, "agreement", Question())
    assert stored["pooled"] == [POOLED]
    assert stored["ratings_sha256"] != before["ratings_sha256"]
    assert stored["signature"] != before["signature"]
    for table in at_least_one(flat_tables(stored)):
        assert f"note: {POOLED}" in table.sources
    for page in ("agreement", "ranking", "raters", "system-comparison"):
        assert f"{POOLED}." in words(open_page(owner, f"/studies/small/{page}/")), page
    client = client_of("rita", study, "researcher")
    assert client.get(f"{API}studies/small/reports/ranking/").json()["pooled"] == [POOLED]
    card = card_of(study, card_kind("systems"), Question(), None, uuid4().hex)
    assert isinstance(card, Card)
    assert card.pooled == (POOLED,)
    task = CollectionTask(study=study, name="one", statistic="system-pairs")
    (read,) = read_tasks(tasks_of(create_collection("one", "One", [task], None)))
    assert read.described().pooled == (POOLED,)
    alone = report(study, "ranking", Question(campaign="first"))
    assert "pooled" not in alone

    fields = fields_of(owner.get(ADDRESS).text, "pooled:second")
    owner.post(ADDRESS, fields | {"pooled:second": [""]})
    assert means(study) == {"style (first)": 2.25, "style (second)": 3.25}
    study.refresh_from_db()
    assert report(study, "agreement", Question())["signature"] == before["signature"]


OTHER = {"first": SAME["first"], "second": {"scales": {"style": [1, 7]}}}


@pytest.mark.parametrize(
    ("campaigns", "why"),
    [
        ({}, "the scale of style is not declared; declare it first"),
        (OTHER, "the scale of style is 1 to 5 in first and 1 to 7 in second"),
        (
            SAME | {"second": SAME["second"] | {"protocol": "likert"}},
            "the protocol of style is unstated in first and likert in second",
        ),
    ],
)
def test_campaigns_that_did_not_ask_the_same_are_not_pooled_whoever_declares_it(
    tmp_path, campaigns, why
):
    study = study_of(tmp_path, {"campaigns": campaigns, "pooled": {"second": "first"}})
    assert len(means(study)) == 2
    owner = signed_in("olga", study)
    refused = tables(open_page(owner, ADDRESS))["Campaigns that asked the same"]
    assert f"declared, but not pooled with first: {why}" in refused.cell("Why not", "second").text
    client = client_of("owen", study, "owner")
    answer = client.patch(
        f"{API}studies/small/aspects/", {"pooled": {"second": "first"}}, format="json"
    )
    assert f"second and first cannot be pooled: {why}" in is_error(answer, 400)["detail"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"scales": {"style": [1, 5]}}, {"scales": {"style": [0, 100]}}, "scale 1 to 5"),
        ({}, {"scales": {"style": [1, 4]}}, "ratings from 2 to 5"),
        ({"protocol": "unstated"}, {"protocol": "likert"}, "protocol unstated"),
    ],
)
def test_ratings_that_were_asked_otherwise_do_not_join_a_stored_campaign(
    tmp_path, before, after, expected
):
    study = study_of(tmp_path, {"campaigns": {"first": before, "second": before}})
    ratings = [
        ["segment_id", "system", "rater", "aspect", "score", "campaign"],
        ["s1", "BART", "r3", "style", 3, "second"],
    ]
    more = {"ratings.csv": ratings, "study.json": {"campaigns": {"second": after}}}
    job = import_path(write_files(tmp_path / "more", more))
    assert job.state == "failed"
    (problem,) = [each for each in job.result["problems"] if each["code"] == "campaign"]
    assert expected in problem["expected"]
    assert "give these ratings a campaign of their own" in problem["message"]
    assert len(means(study)) == 2
