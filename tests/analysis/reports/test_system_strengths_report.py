"""Outputs judged against each other give strengths of systems, with the advantage of a side."""

import numpy as np
import pytest
import statsmodels.api as sm

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Rating
from annotation.queue.handing_out import next_assignments
from tests.fixtures.campaigns import make_campaign, make_study, send
from tests.fixtures.report_pages import open_page, tables, words

pytestmark = pytest.mark.django_db
SIDE = 0.6
"""True log advantage of side A."""


@pytest.fixture
def study():
    """A study of which somebody judged 60 pairs, better systems winning more often."""
    matrices.forget()
    study = make_study(20, 3)
    _, [annotator] = make_campaign(study, "output_against_output", annotators=1)
    generator = np.random.default_rng(4)
    while screen := next_assignments(annotator):
        item = screen[0].item
        shown = (item.second, item.first) if screen[0].swapped else (item.first, item.second)
        on_a, on_b = (output.system.ordinal for output in shown)
        gap = SIDE - 0.8 * (on_a - on_b)
        answer = "a" if generator.random() < 1 / (1 + np.exp(-gap)) else "b"
        send(annotator, screen[0], {"overall": answer})
    return study


def test_strengths_are_those_of_a_logistic_regression(study):
    (fit,) = report(study, "system-comparison", Question())["content"]["strengths"]
    assert fit["judgements"] == 60
    names = [entry["system"] for entry in fit["systems"]]
    rows, won = [], []
    for rating in Rating.objects.select_related("submission__item__first__system"):
        item = rating.submission.item
        sides = [item.first.system.name, item.second.system.name]
        preferred = sides[0] if rating.choice == "first" else sides[1]
        on_a, on_b = sides[::-1] if rating.submission.swapped else sides
        rows.append([1.0, *((name == on_a) - (name == on_b) for name in names[1:])])
        won.append(preferred == on_a)
    oracle = sm.Logit(np.array(won, dtype=float), np.array(rows)).fit(disp=0).params
    expected = np.array([0.0, *oracle[1:]])
    found = [entry["result"]["value"] for entry in fit["systems"]]
    assert found == pytest.approx(expected - expected.mean(), abs=1e-5)
    assert fit["position"]["value"] == pytest.approx(oracle[0], abs=1e-5)


def test_the_page_shows_strengths_where_nobody_rated_on_a_scale(study, admin_client):
    page = open_page(admin_client, f"/studies/{study.slug}/system-comparison/")
    assert "Log strengths from 60 judgements of two outputs, 0 of them ties" in words(page)
    assert len(tables(page)["Strengths by overall"].rows) == 3
