"""Pairwise votes as arenas publish them, without texts: imported, ranked, resampled, exported."""

import csv

import numpy as np
import pytest

from analysis.data.narrowing import check_size
from analysis.filter.question import Question, QuestionError
from analysis.reports.service import report
from analysis.reports.snapshot import Snapshot
from corpus.models import Study
from tests.fixtures.arena_votes import MAPPING, write_votes
from tests.fixtures.report_pages import open_page, tables, words

pytestmark = pytest.mark.django_db
VOTES, SYSTEMS = 800, 8


@pytest.fixture(scope="module")
def votes(import_once, tmp_path_factory):
    """The rows of a table of votes, which is imported."""
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    write_votes(path, VOTES, SYSTEMS)
    import_once({"votes.csv": path.read_bytes()}, without_texts=True, query=MAPPING)
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def made(kind, **asked):
    return report(Study.objects.get(slug="small"), kind, Question(**asked))["content"]


def test_both_bad_counts_as_a_tie_and_is_reported_apart(votes):
    [fit] = made("system-comparison")["strengths"]
    counted = [vote["winner"] for vote in votes]
    assert fit["judgements"] == VOTES
    assert fit["both_bad"] == counted.count("tie (bothbad)")
    assert fit["ties"] == counted.count("tie (bothbad)") + counted.count("tie")
    share = fit["both_bad_share"]
    assert share["value"] == pytest.approx(fit["both_bad"] / VOTES)
    assert share["interval"]["low"] < share["value"] < share["interval"]["high"]


def test_planning_counts_the_votes_that_tell_two_systems_apart(votes, admin_client):
    [plan] = made("planning")["votes"]
    tied = [vote["winner"] not in ("model_a", "model_b") for vote in votes]
    assert plan["ties"] == pytest.approx(np.mean(tied))
    shown = {each["share"]: each for each in plan["plans"]}
    assert shown[0.6]["decided"] == 210
    assert shown[0.6]["votes"] == int(np.ceil(210 / (1 - np.mean(tied))))
    page = open_page(admin_client, "/studies/small/planning/")
    assert "How many votes tell two systems apart?" in words(page)


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


@pytest.mark.parametrize(
    "over", ["segments", pytest.param("annotators", marks=pytest.mark.nightly)]
)
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


def test_the_page_says_both_bad_and_how_to_resample(votes, admin_client):
    page = open_page(admin_client, "/studies/small/system-comparison/")
    assert "of these because both were bad" in words(page)
    assert "resample segments or raters instead" in words(page)
    assert len(tables(page)["Strengths by overall"].rows) == SYSTEMS
    page = open_page(admin_client, "/studies/small/system-comparison/?resample=annotators")
    assert "by a bootstrap over raters" in words(page)


def test_scores_on_too_many_cells_are_refused_in_words(votes, monkeypatch):
    from analysis.data import matrices

    study = Study.objects.get(slug="small")
    data = matrices.load(study)
    check_size(data)
    monkeypatch.setattr("analysis.data.narrowing.MOST_CELLS", 1000)
    for kind in ("ranking", "agreement", "raters", "system-comparison"):
        Snapshot.of(study, kind, Question()).check()
    with pytest.raises(QuestionError, match="more than the 1,000 cells"):
        Snapshot.of(study, "correlation", Question()).check()
