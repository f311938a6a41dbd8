"""Agreement knows the scale of an aspect: what is pooled, and what counts as categorical."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Campaign
from corpus.models import AuditEntry, Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.report_pages import open_page, words
from tests.fixtures.study_files import imported_study

pytestmark = pytest.mark.django_db
SEGMENTS = 30
Scales = dict[str, list[float]]


@pytest.fixture(autouse=True)
def _fresh() -> None:
    matrices.forget()


def ratings(**aspects: tuple[float, float, float]) -> list[list[Any]]:
    """Independent ratings of two raters; each aspect by its lowest, highest value and step."""
    draw = np.random.default_rng(11)
    rows: list[list[Any]] = [["segment_id", "system", "rater", "aspect", "score"]]
    for aspect, (low, high, step) in aspects.items():
        for n in range(SEGMENTS):
            for rater in ("r1", "r2"):
                value = low + step * draw.integers(0, round((high - low) / step) + 1)
                rows.append([f"s{n}", "A", rater, aspect, f"{value:g}"])
    return rows


def study_of(folder: Path, rows: list[list[Any]], scales: Scales | None = None) -> Study:
    files = {
        "segments.csv": [
            ["segment_id", "source", "source_style", "target_style"],
            *([f"s{n}", f"source {n}", "informal", "formal"] for n in range(SEGMENTS)),
        ],
        "outputs.csv": [
            ["segment_id", "system", "output"],
            *([f"s{n}", "A", f"text {n}"] for n in range(SEGMENTS)),
        ],
        "ratings.csv": rows,
    }
    if scales:
        files["study.json"] = {"scales": scales}
    return imported_study(folder / "small", files, slug="small")


MIXED = {"fluency": (1, 5, 1), "content": (0, 100, 1)}
MIXED_SCALES: Scales = {"fluency": [1, 5], "content": [0, 100]}


def test_aspects_on_different_scales_are_not_taken_together(tmp_path):
    study = study_of(tmp_path, ratings(**MIXED), MIXED_SCALES)
    content = report(study, "agreement", Question())["content"]
    found = {(n["aspect"], n["statistic"]): n["result"] for n in content["numbers"]}
    for aspect in MIXED:
        assert abs(found[aspect, "pearson"]["value"]) < 0.4
    assert {aspect for aspect, _ in found} == set(MIXED)
    assert content["scales"][-1]["aspect"] == "all together"
    reason = content["scales"][-1]["not_pooled_because"]
    assert "1 to 5: fluency" in reason
    assert "0 to 100: content" in reason


# Declaring a scale later


def owner_of(study: Study) -> Client:
    return signed_in("olga", study)


def declare(client: Client, **ends: Any) -> Any:
    given = {name.replace("_", ":", 1): value for name, value in ends.items()}
    return client.post("/studies/small/scales/", given)


def test_the_page_asks_an_owner_once_for_a_scale_that_nobody_declared(tmp_path):
    study = study_of(tmp_path, ratings(**MIXED))
    client = owner_of(study)
    page = open_page(client, "/studies/small/agreement/")
    assert "No scale is declared for fluency (taken as 1 to 5), content" in words(page)
    fields = {field.get("name") for field in page.iter("input")}
    assert {"low:fluency", "high:fluency", "low:content", "high:content"} <= fields

    answer = declare(client, low_fluency=1, high_fluency=5, low_content=0, high_content=100)
    assert answer.status_code == 302
    assert answer["Location"] == "/studies/small/agreement/"
    campaign = Campaign.objects.get(study=study)
    assert campaign.config["scales"] == {"fluency": [1, 5], "content": [0, 100]}
    entry = AuditEntry.objects.get(study=study, action="declare scales")
    assert entry.before == {"scales": {}}
    assert entry.after == {"scales": campaign.config["scales"]}

    page = open_page(client, "/studies/small/agreement/")
    assert "No scale is declared" not in words(page)
    scales = report(study, "agreement", Question())["content"]["scales"]
    assert [s["categorical"] for s in scales[:2]] == [True, False]


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        ({"low_content": 1, "high_content": 5}, "which this scale does not hold"),
        ({"low_content": 100, "high_content": 0}, "highest score must be above the lowest"),
        ({"low_content": 0}, "both ends of the scale"),
        ({"low_content": "many", "high_content": 100}, "Enter a number"),
    ],
)
def test_a_scale_that_cannot_be_is_refused_beside_its_field_and_nothing_is_stored(
    tmp_path, ends, reason
):
    study = study_of(tmp_path, ratings(**MIXED))
    answer = declare(owner_of(study), low_fluency=1, high_fluency=5, **ends)
    assert answer.status_code == 400
    assert reason in answer.content.decode()
    assert Campaign.objects.get(study=study).config["scales"] == {}
