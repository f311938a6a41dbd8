"""Votes are filtered by aspect in every report whose filter offers their aspect."""

import csv
import shutil

import pytest

from analysis.filter.question import Question, QuestionError
from analysis.reports.service import report
from analysis.reports.snapshot import Snapshot
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, tables
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db
PAIRS = (("near", "far"), ("far", "away"), ("away", "near"))


def imported_tables(tmp_path, **files):
    """Import tables of ratings into a study of its own."""
    folder = tmp_path / "small"
    folder.mkdir()
    for name, rows in files.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
    job = import_path(folder, without_texts=True)
    assert job.state == "done", job.error
    return Study.objects.get(slug="small")


def votes_on(*aspects):
    """Votes of four raters on three systems, who are undecided in other ways on each aspect."""
    rows = [["segment_id", "system", "against", "aspect", "judgement", "rater"]]
    for shift, aspect in enumerate(aspects):
        for segment in range(24):
            one, other = PAIRS[segment % 3]
            answer = "ABBA="[(segment // 3 + shift * segment) % 5].replace("=", "tie")
            rows.append([f"s{segment}", one, other, aspect, answer, f"r{segment % 4}"])
    return rows


def scores_on(*aspects):
    rows = [["segment_id", "system", "aspect", "score", "rater"]]
    for aspect in aspects:
        for segment in range(24):
            for place, system in enumerate(("near", "far", "away")):
                for rater in range(2):
                    score = 1 + (segment + place * (rater + 2)) % 5
                    rows.append([f"s{segment}", system, aspect, score, f"r{rater}"])
    return rows


def test_strengths_of_released_votes_on_an_aspect(tmp_path, cases, admin_client):
    folder = tmp_path / "small"
    folder.mkdir()
    shutil.copy(cases / "field" / "7" / "votes.csv", folder)
    assert import_path(folder, without_texts=True).state == "done"
    study = Study.objects.get(slug="small")
    [asked] = report(study, "system-comparison", Question(aspect="fluency"))["content"]["strengths"]
    values = [entry["result"]["value"] for entry in asked["systems"]]
    assert values == pytest.approx([0.524433, 0.041754, -0.566188], abs=1e-6)
    page = open_page(admin_client, "/studies/small/system-comparison/?aspect=fluency")
    assert len(tables(page)["Strengths by fluency"].rows) == 3


def test_an_aspect_narrows_votes_and_their_sides_beside_ratings_on_a_scale(tmp_path):
    study = imported_tables(
        tmp_path, votes=votes_on("fluency", "content"), scores=scores_on("style")
    )

    def content(kind, aspect=""):
        return report(study, kind, Question(aspect=aspect, resamples=100))["content"]

    both = content("system-comparison")
    assert both["aspect"] == "style"
    assert [fit["aspect"] for fit in both["strengths"]] == ["fluency", "content"]
    assert both["aspects"] == ["style", "fluency", "content"]
    for aspect, fit in zip(("fluency", "content"), at_least_one(both["strengths"]), strict=True):
        alone = content("system-comparison", aspect)
        assert (alone["aspect"], alone["systems"], alone["strengths"]) == ("", [], [fit])
        assert {row["aspect"] for row in content("agreement", aspect)["choices"]} == {aspect}
        assert content("raters", aspect)["aspects"] == []
    assert content("system-comparison", "style")["strengths"] == []
    mixed = Question(aspect="fluency", model="mixed")
    Snapshot.of(study, "system-comparison", mixed).check()
    assert report(study, "system-comparison", mixed)["content"]["mixed"]["ratings"] == 0
    with pytest.raises(QuestionError, match="rated by choices, and this report compares ratings"):
        Snapshot.of(study, "planning", Question(aspect="fluency")).check()
    asked = Question(aspect="style", resample="segments")
    with pytest.raises(QuestionError, match="no strengths to resample"):
        Snapshot.of(study, "system-comparison", asked).check()
