"""Agreement in the report under intervals by drawing segments, annotators or both."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.data import matrices
from analysis.data.study_data import StudyData
from analysis.estimates.agreements import rated_units
from analysis.estimates.evaluation import evaluate
from analysis.filter.question import AGREEMENT_STATISTICS, Question, QuestionError
from analysis.reports import service
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
CONTENT = Question(aspect="content", resamples=100)
OVER = {
    "segments": "segments",
    "annotators": "annotators",
    "segments-and-annotators": "segments and annotators",
}


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="formality-demo")


def numbers_of(study: Study, question: Question) -> dict[tuple[str, ...], dict[str, Any]]:
    rows = report(study, "agreement", question)["content"]["numbers"]
    return {
        (row["humans"], row["batch"], row["aspect"], row["statistic"]): row["result"]
        for row in rows
    }


def test_every_agreement_that_has_a_value_has_an_interval(study):
    results = numbers_of(study, Question(aspect="content"))
    estimates = [key for key, result in results.items() if result["kind"] == "estimate"]
    for key in at_least_one(estimates):
        assert results[key]["interval"], key


@pytest.mark.parametrize("resample", list(OVER))
def test_what_is_drawn_changes_the_interval_and_not_the_value(study, resample):
    plain = numbers_of(study, CONTENT)
    drawn = numbers_of(study, CONTENT.but(resample=resample))
    assert plain.keys() == drawn.keys()
    told = 0
    for key, result in drawn.items():
        assert result["kind"] == plain[key]["kind"]
        if result["kind"] == "undefined":
            continue
        assert result["value"] == plain[key]["value"]
        assert f"bootstrap:{resample}" in result["signature"]
        if result["interval"]:
            told += 1
            assert result["interval"]["method"] == f"percentile bootstrap over {OVER[resample]}"
            assert "degenerate_draws" in result["details"]
        else:
            assert key[1] != "all"
            assert result["details"]["no_interval_because"] == "fewer than 6 annotators"
            assert "leave_one_annotator_out" in result["details"]
    assert told


def test_systems_may_be_drawn_and_bca_intervals_made(study):
    plain = report(study, "agreement", CONTENT)["content"]["numbers"]
    drawn = report(study, "agreement", CONTENT.but(resample="systems", interval="bca"))
    after = [row["result"] for row in drawn["content"]["numbers"]]
    assert [each.get("value") for each in after] == [row["result"].get("value") for row in plain]
    for result in at_least_one(each for each in after if each.get("interval")):
        assert "systems" in result["interval"]["method"]
        assert "interval:bca" in result["signature"].split("|")


@pytest.mark.parametrize("interval", ["fisher", "studentised"])
def test_intervals_that_agreement_has_not_are_refused(study, interval):
    with pytest.raises(QuestionError, match="the agreement report knows standard, percentile, bca"):
        report(study, "agreement", CONTENT.but(interval=interval))


def test_the_page_offers_the_draws_and_tells_the_range_of_few_annotators(study):
    client = reader("ada", "formality-demo")
    address = "/studies/formality-demo/agreement/?aspect=content&resamples=100&resample=annotators"
    report(study, "agreement", CONTENT.but(resample="annotators"))
    page = open_page(client, address)
    assert "copies of one annotator never form a pair" in words(page)
    batch = next(name for name in tables(page) if name.startswith("Agreement per"))
    fact = tables(page)[batch].rows[0][1][1].numbers[0].facts
    assert "leave one annotator out" in fact


def test_a_number_alone_is_that_of_the_report(study):
    data = matrices.load(study)
    asked = CONTENT.but(resample="segments")
    for statistic in AGREEMENT_STATISTICS[:4]:
        alone = evaluate(data, "agreement", {"agreement_statistic": statistic, **asked.to_query()})
        rows = numbers_of(study, asked)
        expected = rows["out", "all", "content", statistic]
        assert alone.to_dict()["interval"]["method"] == "percentile bootstrap over segments"
        assert alone.to_dict()["value"] == expected["value"]


def test_each_slot_knows_who_filled_it(study):
    units = rated_units(matrices.load(study), CONTENT, ("content",))
    places, slots = np.nonzero(units.slot_raters >= 0)
    assert places.size > 100
    raters = units.slot_raters[places, slots]
    np.testing.assert_array_equal(units.raters[places, raters], units.slots[places, slots])


def crowd(study: Study, raters: int, outputs: int, each: int) -> StudyData:
    """Return the study as if so many raters had rated so many outputs, each by some of them."""
    data = matrices.load(study)
    judged = data.judgements
    units, slots = np.divmod(np.arange(outputs * each), each)
    zeros = np.zeros(units.size, dtype=np.int64)
    people = tuple(replace(judged.annotators[0], pseudonym=f"r{n}") for n in range(raters))
    ratings = replace(
        judged,
        annotators=people,
        measures=judged.measures[:1],
        annotator=(units * 7 + slots) % raters,
        first=units,
        second=np.full(units.size, -1),
        value=np.full(units.size, 50.0),
        choice=np.full(units.size, -1),
        seconds=np.full(units.size, np.nan),
        campaign=zeros,
        aspect=zeros,
        side=zeros,
    )
    return replace(data, judgements=ratings)


@pytest.mark.parametrize("each", [5, 20])
def test_many_raters_are_answered_in_the_request(study, each):
    assert service.cost(crowd(study, 160, 700, each), "agreement", Question()) <= service.QUICK


@pytest.mark.parametrize("each", [3, 5, 20])
def test_a_crowd_of_a_thousand_raters_is_a_job(study, each):
    assert service.cost(crowd(study, 1000, 10_000, each), "agreement", Question()) > service.QUICK


def test_more_draws_of_many_raters_are_a_job(study):
    data = crowd(study, 160, 700, 20)
    for asked in (Question(resamples=2000), Question(interval="bca")):
        assert service.cost(data, "agreement", asked) > service.QUICK
