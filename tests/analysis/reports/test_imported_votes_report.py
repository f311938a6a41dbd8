"""Pairwise votes as arenas publish them, without texts: imported, ranked, resampled, exported."""

import csv
import io
import zipfile

import numpy as np
import pytest

from analysis.data.matrix_size import check_size
from analysis.filter.question import Question, QuestionError
from analysis.reports.service import check_answerable, report
from annotation.models import Rating
from benchmarks.votes_at_size import MAPPING, write_votes
from corpus.exports.bundle import write_bundle
from corpus.models import Segment, Study
from tests.fixtures.report_pages import open_page, tables, words
from tests.fixtures.study_files import import_path, stored_content

pytestmark = pytest.mark.django_db
VOTES, SYSTEMS = 800, 8


@pytest.fixture
def votes(tmp_path):
    """The rows of a table of votes, which is imported."""
    folder = tmp_path / "small"
    folder.mkdir()
    write_votes(folder / "votes.csv", VOTES, SYSTEMS)
    job = import_path(folder, without_texts=True, mappings=MAPPING)
    assert job.state == "done", job.error
    with (folder / "votes.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def made(kind, **asked):
    return report(Study.objects.get(slug="small"), kind, Question(**asked))["content"]


def test_each_conversation_is_a_segment_and_each_vote_a_rating(votes):
    assert Segment.objects.count() == len({vote["question_id"] for vote in votes})
    choices = {"model_a", "model_b", "tie", "tie (bothbad)"}
    assert {vote["winner"] for vote in votes} == choices
    both_bad = sum(vote["winner"] == "tie (bothbad)" for vote in votes)
    assert Rating.objects.filter(choice="both_bad").count() == both_bad
    assert Rating.objects.count() == VOTES
    segment = Segment.objects.get(key=votes[0]["question_id"])
    assert segment.attributes == {"language": votes[0]["language"]}


def test_both_bad_counts_as_a_tie_and_is_reported_apart(votes):
    [fit] = made("system-comparison")["strengths"]
    counted = [vote["winner"] for vote in votes]
    assert fit["judgements"] == VOTES
    assert fit["both_bad"] == counted.count("tie (bothbad)")
    assert fit["ties"] == counted.count("tie (bothbad)") + counted.count("tie")
    share = fit["both_bad_share"]
    assert share["value"] == pytest.approx(fit["both_bad"] / VOTES)
    assert share["interval"]["low"] < share["value"] < share["interval"]["high"]


def test_the_win_rate_of_a_system_counts_ties_half(votes):
    [table] = made("ranking")["tables"]
    for entry in table["systems"]:
        points, count = {}, {}
        for vote in votes:
            for side in ("model_a", "model_b"):
                if vote[side] == entry["system"]:
                    key = vote["question_id"]
                    won = vote["winner"] == side
                    points[key] = points.get(key, 0) + (
                        won if vote["winner"] in ("model_a", "model_b") else 0.5
                    )
                    count[key] = count.get(key, 0) + 1
        mean = np.mean([points[key] / count[key] for key in points])
        assert entry["raw"]["result"]["value"] == pytest.approx(mean)
        assert entry["raw"]["result"]["n"] == len(points)


def test_the_side_says_how_often_the_first_model_was_preferred(votes):
    [row] = [row for row in made("agreement")["relative"] if "side A" in row["statistic"]]
    first = sum(vote["winner"] == "model_a" for vote in votes)
    second = sum(vote["winner"] == "model_b" for vote in votes)
    assert row["result"]["value"] == pytest.approx(first / (first + second))
    assert row["result"]["interval"]["low"] < row["result"]["value"]


def test_agreement_is_that_of_conversations_with_several_judges(votes):
    of_pair = {}
    for vote in votes:
        of_pair.setdefault(vote["question_id"], []).append(vote["winner"].partition(" ")[0])
    several = [words for words in of_pair.values() if len(words) > 1]
    assert several
    found = {row["statistic"]: row["result"] for row in made("agreement")["choices"]}
    assert found["percent-agreement"]["n"] == len(several)


@pytest.mark.parametrize("over", ["segments", "annotators"])
def test_intervals_of_strengths_are_resampled_where_asked(votes, over):
    [plain] = made("system-comparison")["strengths"]
    [fit] = made("system-comparison", resample=over, resamples=100)["strengths"]
    assert fit["resampled"] == over
    for before, after in zip(plain["systems"], fit["systems"], strict=True):
        assert after["result"]["value"] == before["result"]["value"]
        interval = after["result"]["interval"]
        assert interval["method"] == f"percentile bootstrap over {over}"
        assert interval["low"] < after["result"]["value"] < interval["high"]
    assert fit["pairs"] != plain["pairs"]


def test_resampling_asks_for_votes_and_for_raters(votes):
    study = Study.objects.get(slug="small")
    from analysis.data import matrices

    data = matrices.load(study)
    alone = Question(resample="segments", systems=("system-001",))
    with pytest.raises(QuestionError, match="no two outputs of these systems were judged"):
        check_answerable(data, "system-comparison", alone)


def test_the_page_says_both_bad_and_how_to_resample(votes, admin_client):
    page = open_page(admin_client, "/studies/small/system-comparison/")
    assert "of these because both were bad" in words(page)
    assert "resample segments or raters instead" in words(page)
    assert len(tables(page)["Strengths by overall"].rows) == SYSTEMS
    page = open_page(admin_client, "/studies/small/system-comparison/?resample=annotators")
    assert "by a bootstrap over raters" in words(page)


def test_a_bundle_keeps_both_bad_and_sides(votes, tmp_path):
    before = stored_content("small")
    write_bundle(Study.objects.get(slug="small"), tmp_path / "votes.zip")
    with zipfile.ZipFile(tmp_path / "votes.zip") as archive:
        rows = list(csv.DictReader(io.TextIOWrapper(archive.open("ratings.csv"), "utf-8")))
    assert {row["judgement"] for row in rows} >= {"tie", "both_bad"}
    Study.objects.update(slug="elsewhere")
    job = import_path(tmp_path / "votes.zip")
    assert job.state == "done", job.error
    assert stored_content("small") == before


def test_scores_on_too_many_cells_are_refused_in_words(votes, monkeypatch):
    from analysis.data import matrices

    study = Study.objects.get(slug="small")
    data = matrices.load(study)
    check_size(data)
    monkeypatch.setattr("analysis.data.matrix_size.MOST_CELLS", 1000)
    for kind in ("ranking", "agreement", "raters", "system-comparison"):
        check_answerable(data, kind, Question())
    with pytest.raises(QuestionError, match="more than the 1,000 cells"):
        check_answerable(data, "correlation", Question())


def test_of_very_many_raters_the_page_lists_those_with_most_votes(votes, admin_client, monkeypatch):
    made("raters")
    whole = open_page(admin_client, "/studies/small/raters/")
    everybody = len(tables(whole)["Sides by rater"].rows)
    assert everybody > 5
    monkeypatch.setattr("analysis.reports.raters.page.MOST_LISTED", 5)
    page = open_page(admin_client, "/studies/small/raters/")
    assert len(tables(page)["Sides by rater"].rows) == 5
    assert f"These 5 of {everybody} raters have the most preferences" in words(page)
    answer = admin_client.get("/studies/small/raters/tables/rater-sides.csv")
    assert len(answer.content.decode().splitlines()) == everybody + 1
