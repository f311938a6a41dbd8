"""Intervals by choice, cautions, and kinds of human scores: page, API and command alike."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.data import matrices
from analysis.estimates.correlations import correlation, pair
from analysis.estimates.evaluation import the_column
from analysis.filter.question import Question
from analysis.reports import service
from analysis.reports.correlation.cost import correlation_cost
from analysis.reports.service import report
from analysis.stats.correlation.annotator_bootstrap import bootstrap_over_annotators
from analysis.stats.correlation.bivariate import fisher_interval
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from tests.fixtures.report_pages import DEMO, imported, open_page, reader, tables, words

pytestmark = pytest.mark.django_db
FEW = Bootstrap(100)
LAI = {"aspect": "content", "metric": ("bleurt",), "compared_to": "source"}


@pytest.fixture(scope="module", autouse=True)
def _studies(django_db_setup: None, django_db_blocker: Any, studies: Path) -> Iterator[None]:
    with django_db_blocker.unblock(), imported(DEMO, studies / "lai2022"):
        yield


@pytest.fixture
def client():
    return reader("ada", "formality-demo", "lai2022")


def laid_beside(**changes: Any):
    """The question, one metric of lai2022 beside content, and its result."""
    question = Question(**LAI).but(**changes)
    data = matrices.load(Study.objects.get(slug="lai2022"))
    pairing = pair(data, question, the_column(data, question), "content")
    result = correlation(pairing, question, FEW)
    assert isinstance(result, Estimate)
    return pairing, result


def limits(result: Estimate) -> tuple[float, float]:
    assert result.interval is not None
    return result.interval.low, result.interval.high


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-tau-b"])
@pytest.mark.parametrize(("level", "drawn"), [("segment", "systems"), ("system", "segments")])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_what_is_drawn_and_how_is_what_was_asked_for(statistic, level, drawn, method):
    standard = laid_beside(statistic=statistic, level=level)[1]
    pairing, found = laid_beside(statistic=statistic, level=level, resample=drawn, interval=method)
    expected = bootstrap_correlation(
        pairing.metric, pairing.human, statistic, level=level, over=drawn, method=method,
        bootstrap=FEW,
    )  # fmt: skip
    assert isinstance(expected, Estimate)
    assert limits(found) == limits(expected)
    assert found.value == standard.value
    assert found.p_value == standard.p_value
    for part in (f"bootstrap:{drawn}", f"interval:{method}", "resamples:100", "seed:20190604"):
        assert part in found.signature.split("|")
    assert found.signature != standard.signature


@pytest.mark.parametrize(("level", "drawn"), [("segment", "segments"), ("system", "systems")])
def test_a_studentised_interval_is_that_of_the_statistic(level, drawn):
    pairing, found = laid_beside(level=level, resample=drawn, interval="studentised")
    expected = bootstrap_correlation(
        pairing.metric, pairing.human, level=level, over=drawn, method="studentised", bootstrap=FEW
    )
    assert isinstance(expected, Estimate)
    assert limits(found) == limits(expected)
    assert "interval:studentised" in found.signature.split("|")


@pytest.mark.parametrize("statistic", ["spearman", "kendall-tau-b", "tau-like"])
def test_where_nothing_can_be_studentised_the_number_says_so(statistic):
    found = laid_beside(statistic=statistic, interval="studentised")[1]
    assert found.interval is None
    assert "choose percentile or BCa" in found.details["no_interval_because"]


def test_the_standard_stays_what_it_was():
    _, pooled = laid_beside()
    assert limits(pooled) == limits(laid_beside(resample="segments")[1])
    assert pooled.signature == laid_beside(interval="percentile")[1].signature
    system = laid_beside(level="system")[1]
    assert system.interval == fisher_interval(system.value, 8)
    assert "bootstrap" not in system.signature
    assert "caution" not in pooled.details | system.details


def test_annotators_are_drawn_within_their_survey():
    pairing, found = laid_beside(resample="annotators")
    data = matrices.load(Study.objects.get(slug="lai2022"))
    surveys = np.array([str(a["survey"]) for a in data.segment_attributes])
    assert pairing.ratings is not None
    batches = [
        np.unique(surveys[np.isfinite(pairing.ratings[:, :, place]).any(axis=1)])[0]
        for place in range(8)
    ]
    expected = bootstrap_over_annotators(
        pairing.metric, pairing.ratings, batches=batches, bootstrap=FEW
    )
    assert isinstance(expected, Estimate)
    assert limits(found) == limits(expected)
    assert found.raters == 8
    assert "other annotators of these same outputs" in found.details["caution"]
    assert np.isfinite(found.details["leave_one_out"]).all()


@pytest.mark.parametrize("scores", ["z", "rank"])
@pytest.mark.parametrize("statistic", ["pearson", "tau-like"])
def test_segments_and_annotators_widen_the_interval_of_segments(scores, statistic):
    asked = {"scores": scores, "statistic": statistic, "metric_ties": "half"}
    alone = limits(laid_beside(**asked)[1])
    both = limits(laid_beside(**asked, resample="segments-and-annotators")[1])
    assert both[1] - both[0] > alone[1] - alone[0]


def test_fishers_interval_is_given_only_where_units_are_independent():
    _, pooled = laid_beside(interval="fisher")
    assert pooled.interval is None
    assert "independent units" in pooled.details["no_interval_because"]
    _, grouped = laid_beside(interval="fisher", grouping="segment")
    assert grouped.interval is None
    _, system = laid_beside(interval="fisher", level="system", statistic="spearman")
    assert system.interval == fisher_interval(system.value, 8, "spearman")
    _, one_each = laid_beside(interval="fisher", systems=("BART*", "HIGH", "NIU"))
    assert one_each.interval is None
    _, one_each = laid_beside(interval="fisher", systems=("HIGH",))
    assert one_each.interval == fisher_interval(one_each.value, one_each.n)


def test_tau_c_says_that_it_is_not_resampled():
    _, found = laid_beside(statistic="kendall-tau-c", resample="segments")
    assert found.interval is None
    assert "τ-c is not resampled" in found.details["no_interval_because"]


def test_few_units_are_said_beside_the_number_and_above_the_table(client):
    page = open_page(client, "/studies/formality-demo/correlation/?aspect=style&resample=systems")
    number = tables(page)["Metrics and human scores of style"].rows[0][1][1].numbers[0]
    level = "95 % interval, percentile bootstrap over systems"
    assert level in number.facts
    assert "5 systems" in number.facts["caution"]
    [note] = [n for n in page.iter("div") if n.get("aria-label") == "Cautions, style"]
    assert "System r: too narrow an interval is likely: 5 systems" in words(note)
    assert "Segment r, τ-like: read the interval with care" in words(note)
    assert "by its 95 % interval (percentile bootstrap over systems)" in words(page)
    plain = open_page(client, "/studies/formality-demo/correlation/?aspect=style")
    assert not [n for n in plain.iter("div") if n.get("role") == "note"]


def by_pandas(studies: Path, kind: str) -> float:
    """BLEURT against the source beside content, from the files alone."""
    ratings = pd.read_csv(studies / "lai2022" / "ratings.csv", keep_default_na=False)
    ratings = ratings[ratings.aspect == "content"].copy()
    of_rater = ratings.groupby("rater").score
    if kind == "z":
        ratings["score"] = of_rater.transform(lambda s: (s - s.mean()) / s.std(ddof=0))
    elif kind == "rank":
        ratings["score"] = (of_rater.rank() - 0.5) / of_rater.transform("size")
    human = ratings.groupby(["segment_id", "system"]).score.mean()
    scores = pd.read_csv(studies / "lai2022" / "metric_scores.csv", keep_default_na=False)
    chosen = (scores.metric == "bleurt") & (scores.compared_to == "source")
    metric = scores[chosen].set_index(["segment_id", "system"]).score
    both = pd.concat([human, metric.rename("metric")], axis=1, join="inner")
    both = both[both.index.get_level_values("system") != "REF"]
    return float(both["score"].corr(both["metric"]))


def test_raw_z_and_rank_stand_side_by_side_and_are_those_of_the_files(client, studies):
    asked = "aspect=content&metric=bleurt&compared_to=source"
    page = open_page(client, f"/studies/lai2022/correlation/?{asked}&open=kinds")
    name = "Pearson r, segment level, pooled by kind of human scores of content"
    table = tables(page)[name]
    assert table.headings == ["Metric", "raw", "z per annotator", "ranks within annotator"]
    [(_, cells)] = table.rows
    for cell, kind in zip(cells[1:], ("raw", "z", "rank"), strict=True):
        [number] = cell.numbers
        assert float(number.facts["unrounded"]) == pytest.approx(by_pandas(studies, kind), abs=1e-9)
        assert f"human:{kind}" in number.facts["signature"]
        assert any("percentile bootstrap over segments" in fact for fact in number.facts)
    assert "On content no conclusion depends on whether human scores are raw" in words(page)


def test_the_three_kinds_download_as_a_table(client):
    query = "aspect=content&metric=bleurt&compared_to=source"
    address = f"/studies/lai2022/correlation/tables/human-scores.json?{query}"
    rows = client.get(address).json()["rows"]
    assert [(row["metric"], row["scores"]) for row in rows] == [
        ("bleurt", "raw"),
        ("bleurt", "z"),
        ("bleurt", "rank"),
    ]
    page = words(open_page(client, f"/studies/lai2022/correlation/?{query}&open=kinds"))
    for row in rows:
        assert f"human:{row['scores']}|" in row["signature"]
        assert f"{row['value']:.3f}" in page


def test_scores_by_rank_are_a_report_of_their_own_everywhere(client):
    question = Question(**LAI).but(scores="rank")
    study = Study.objects.get(slug="lai2022")
    (row,) = report(study, "correlation", question)["content"]["rows"]
    assert row["scores"]["rank"] == row["results"]["asked"]
    assert "human:rank" in row["results"]["segment_tau_like"]["signature"]
    query = "aspect=content&scores=rank"
    compared = open_page(client, f"/studies/lai2022/system-comparison/?{query}")
    assert tables(compared)["Systems by human scores"].headings[1:3] == ["Mean rank", "Mean"]
    assert "ranks within annotator" in words(
        open_page(client, f"/studies/lai2022/comparison/?{query}&metric=bleu*", status=200)
    )


def test_page_api_and_command_give_the_same_interval(client):
    query = "aspect=content&metric=bleurt&compared_to=source&interval=bca&resamples=100"
    answer = client.get(f"/api/v1/studies/lai2022/reports/correlation/?{query}")
    (row,) = answer.json()["content"]["rows"]
    out = StringIO()
    options = ["--aspect", "content", "--metric", "bleurt", "--compared-to", "source"]
    with patch("sys.stdout", out):
        call_command("report", "lai2022", "--kind", "correlation", *options,
                     "--interval", "bca", "--resamples", "100")  # fmt: skip
    assert json.loads(out.getvalue())["content"]["rows"] == [row]
    assert row["results"]["asked"]["interval"]["method"] == "BCa bootstrap over segments"
    page = open_page(client, f"/studies/lai2022/correlation/?{query}")
    assert "Computed with BCa intervals" in words(page)
    low = row["results"]["asked"]["interval"]["low"]
    assert f"{low:.3f}" in words(page)


def test_what_cannot_be_drawn_is_refused_with_what_can(client):
    for query in ("interval=fisher&resample=systems", "interval=bca&resample=annotators"):
        answer = client.get(f"/studies/lai2022/correlation/?{query}")
        assert answer.status_code == 400
    few = "aspect=content&level=system&metric=bleu&metric=chrf&resample=annotators"
    answer = client.get(f"/studies/lai2022/comparison/?{few}")
    assert answer.status_code == 400
    assert "the comparison report knows standard, segments, systems" in answer.content.decode()
    with pytest.raises(CommandError, match="remove resample=systems"):
        call_command("report", "lai2022", "--interval", "fisher", "--resample", "systems")


def test_drawing_annotators_of_many_metrics_is_a_job_with_progress():
    study = Study.objects.get(slug="formality-demo")
    question = Question(resample="annotators", aspect="style", metric=("bleu*",), resamples=100)
    with patch.object(service, "QUICK", 1000):
        job = service.report_or_job(study, "correlation", question, None)
    assert isinstance(job, Job)
    done = run_next()
    assert done is not None
    assert (done.pk, done.state) == (job.pk, "done")
    found = service.report_or_job(study, "correlation", question, None)
    assert isinstance(found, dict)
    data = matrices.load(study)
    assert service.cost(data, "correlation", Question()) < service.QUICK
    assert service.cost(data, "correlation", Question(resample="annotators")) > service.QUICK


def test_a_study_of_the_size_that_must_be_fast_is_computed_while_the_page_waits():
    assert correlation_cost(Question(), 5000, 10, 20, 1) <= service.QUICK
    assert correlation_cost(Question(scores="z"), 5000, 10, 20, 1) <= service.QUICK
    many = correlation_cost(Question(), 5000, 10, 20, 3)
    assert service.QUICK < many < correlation_cost(Question(statistic="spearman"), 5000, 10, 20, 3)
    drawn = Question(resample="annotators")
    assert correlation_cost(drawn, 5000, 10, 20, 1) > 10 * service.QUICK
