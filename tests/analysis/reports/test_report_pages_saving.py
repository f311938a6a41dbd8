"""What a metric saves: from files to the sentence on the page."""

import random

import numpy as np
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.saving.prediction_powered import prediction_powered_mean, worth_for_differences
from analysis.stats.saving.segment_choice import PairsOfSystems, in_order, variance
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = pytest.mark.django_db
RATED, UNRATED = 80, 160
SYSTEMS = ("one", "two", "three")
TABLE = "What a rating is worth with each metric"


@pytest.fixture(scope="module")
def given():
    """Return ratings of the first segments, and a near and a guessing metric's scores of all."""
    draw = random.Random(5)
    found = {name: np.full((RATED + UNRATED, len(SYSTEMS)), np.nan) for name in ("r", "m", "g")}
    for place in np.ndindex(*found["r"].shape):
        truth = draw.gauss(50 + 4 * place[1], 15)
        if place[0] < RATED:
            found["r"][place] = min(100, max(0, round(truth + draw.gauss(0, 5))))
        found["m"][place] = truth / 100 + draw.gauss(0, 0.05)
        found["g"][place] = draw.random()
    return found


@pytest.fixture(scope="module", autouse=True)
def _study(import_once, given):
    places = [(n, k) for n in range(RATED + UNRATED) for k in range(len(SYSTEMS))]
    import_once(
        {
            "outputs.csv": [
                ["segment_id", "source", "system", "output"],
                *([f"s{n}", f"source {n}", SYSTEMS[k], f"{k} {n}"] for n, k in places),
            ],
            "ratings.csv": [
                ["segment_id", "system", "rater", "aspect", "score"],
                *(
                    [f"s{n}", SYSTEMS[k], "ann", "fluency", str(given["r"][n, k])]
                    for n, k in places
                    if n < RATED
                ),
            ],
            "study.json": {
                "metrics": {name: {"orientation": "higher"} for name in ("near", "guess")}
            },
            "metric_scores.csv": [
                ["segment_id", "system", "metric", "aspect", "score"],
                *(
                    [f"s{n}", SYSTEMS[k], name, "fluency", repr(float(given[key][n, k]))]
                    for n, k in places
                    for name, key in (("near", "m"), ("guess", "g"))
                ),
            ],
        }
    )


def test_the_page_says_what_a_rating_is_worth_and_what_chosen_segments_tell(study, given):
    page = open_page(reader("ria", "small"), "/studies/small/saving/")
    worth = worth_for_differences(given["r"], given["m"]).value
    assert worth > 2
    rows = {cells[0].text.split()[0]: cells for _, cells in tables(page)[TABLE].rows}
    assert rows["near"][1].text.startswith(f"{worth:.3f}")
    (answer,) = [each for each in page.iter("section") if each.get("class") == "answer"]
    said = words(answer)
    assert f"a rating of fluency is worth {worth:.2f} ratings where systems are compared" in said
    chosen = in_order(variance(given["m"][:RATED]))[:8]
    told = PairsOfSystems(given["r"][:RATED]).told_apart(chosen).told_apart
    assert "The 8 segments on which its scores of the systems differ most" in said
    assert f"tell {100 * told:.0f} %" in said.replace("\N{NO-BREAK SPACE}", " ")


def test_means_of_systems_take_the_scores_of_outputs_that_nobody_rated(study, given):
    content = report(study, "saving", Question())["content"]
    found = {(each["name"].split()[0], each["system"]): each for each in content["means"]}
    assert len(found) == 2 * len(SYSTEMS)
    for place, system in enumerate(SYSTEMS):
        expected = prediction_powered_mean(
            given["r"][:RATED, place],
            given["m"][:RATED, place],
            given["m"][RATED:, place],
            clipped=False,
        )
        of_near = found["near", system]
        assert of_near["unrated"] == UNRATED
        assert of_near["powered"]["value"] == pytest.approx(expected.powered.value)
        assert of_near["worth"] == pytest.approx(expected.worth)
        assert of_near["worth"] > 1.5 > 1.1 > found["guess", system]["worth"] >= 1
