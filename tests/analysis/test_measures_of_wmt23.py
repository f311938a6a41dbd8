"""MQM and direct assessment of one released archive are two measures on every surface.

XCOMET-Ensemble has the released Pearson r with MQM wherever nothing else is asked for.
"""

from typing import Any
from uuid import uuid4

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.findings.cards import card_kind, card_of
from analysis.reports.service import report
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from metrics.models import MetricRun
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.stated_verdicts import check_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("wmt23")]
SLUG = "wmt23-en-de"
METRIC = "XCOMET-Ensemble"
ASKED = {"metric": (METRIC, "BERTscore"), "compared_to": "refA", "resamples": 100}
MEASURES = ["overall (mqm)", "overall (da-sqm)"]


@pytest.fixture(autouse=True)
def _fresh() -> None:
    matrices.forget()


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug=SLUG)


@pytest.fixture
def expected(expected_of_wmt23: Any) -> Any:
    return expected_of_wmt23["pairs"]["en-de"]


@pytest.fixture
def released(expected: Any) -> Any:
    return pytest.approx(expected["metrics"][METRIC]["segment_pearson"], abs=1e-9)


def r_of(rows: Any, measure: str) -> float:
    (row,) = [row for row in rows if (row["metric"], row["aspect"]) == (METRIC, measure)]
    value: float = row["results"]["segment_pearson"]["value"]
    return value


def test_correlation_has_a_row_for_each_measure(study, released):
    content = report(study, "correlation", Question(**ASKED))["content"]
    assert content["aspects"] == MEASURES
    assert r_of(content["rows"], MEASURES[0]) == released
    assert r_of(content["rows"], MEASURES[1]) == pytest.approx(0.3988107652, abs=1e-9)


def test_findings_take_mqm_and_offer_the_other(study, released):
    # Of 68 metrics every interval would be computed.
    others = study.runs.exclude(metric__name__in=ASKED["metric"])
    others.update(origin=MetricRun.Origin.COMPUTED, content_sha256="")
    matrices.forget()
    card = card_of(study, card_kind("metrics"), Question(), None, uuid4().hex)
    while isinstance(card, Job):
        assert run_next()
        card = card_of(study, card_kind("metrics"), Question(), None, uuid4().hex)
    assert card.aspect == MEASURES[0]
    assert list(card.aspects) == MEASURES
    assert card.rest.startswith(METRIC)
    for picture in at_least_one(card.pictures.values()):
        keys = [column.key for column in picture.columns]
        rows = [dict(zip(keys, row, strict=True)) for row in picture.rows]
        (shown,) = [row["value"] for row in rows if row["name"] == f"{METRIC}/refA"]
        assert shown == released


def test_system_comparison_has_the_means_of_mqm(study, expected):
    content = report(study, "system-comparison", Question(resamples=100))["content"]
    assert (content["aspect"], content["aspects"]) == (MEASURES[0], MEASURES)
    means = {each["system"]: each["result"]["value"] for each in content["systems"]}
    for system, mean in at_least_one(expected["human_system_means"].items()):
        assert means[system] == pytest.approx(mean, abs=1e-9)


def test_findings_and_reports_state_one_verdict() -> None:
    check_study(SLUG, is_on_trust=False)
