"""Where a metric holds: strata of the demo study, their differences, and curves with bands."""

import csv
from io import StringIO
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from analysis.data import matrices
from analysis.data.divisions import divide, divisions, length_bands
from analysis.data.selection import metric_columns, select
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import pair
from analysis.filter.question import Question, QuestionError
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import numbers, open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
STUDY = "/studies/formality-demo"
PAGE = f"{STUDY}/subgroups/"
CONTENT = Question(aspect="content")


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="formality-demo")


@pytest.fixture
def data(study) -> StudyData:
    return matrices.load(study)


@pytest.fixture
def client():
    return reader("ada", "formality-demo")


def column_of(data: StudyData, metric: dict[str, Any]):
    columns = metric_columns(data, CONTENT.but(metric=(metric["metric"],)))
    return next(c for c in columns if c.run.signature == metric["run"])


def test_a_stratum_by_direction_is_the_correlation_of_that_direction(study, data):
    content = report(study, "subgroups", CONTENT)["content"]
    assert (content["by"], content["paired"]) == ("direction", False)
    assert [s["name"] for s in content["strata"]] == ["informal to formal", "formal to informal"]
    assert [s["segments"] for s in content["strata"]] == [24, 24]
    for metric in content["metrics"]:
        for direction, result in zip(
            ("informal-to-formal", "formal-to-informal"), metric["results"], strict=True
        ):
            pairing = pair(
                data, CONTENT.but(direction=direction), column_of(data, metric), "content"
            )
            both = np.isfinite(pairing.metric) & np.isfinite(pairing.human)
            r = pearsonr(pairing.metric[both], pairing.human[both])[0]
            assert result["value"] == pytest.approx(r, abs=1e-12)
            assert result["interval"]["low"] < r < result["interval"]["high"]


def test_an_interval_is_that_of_the_correlation_report_under_the_same_filter(study):
    content = report(study, "subgroups", CONTENT)["content"]
    asked = CONTENT.but(direction="formal-to-informal")
    rows = report(study, "correlation", asked)["content"]["rows"]
    for metric in at_least_one(content["metrics"]):
        row = next(r for r in rows if (r["run"], r["metric"]) == (metric["run"], metric["metric"]))
        expected = row["results"]["segment_pearson"]["interval"]
        found = metric["results"][1]["interval"]
        assert (found["low"], found["high"]) == pytest.approx((expected["low"], expected["high"]))


def test_lengths_are_thirds_of_the_words_of_the_sources(data):
    words_of = data.source_words
    assert (words_of > 0).all()
    division = divide(data, CONTENT.but(by="length"))
    rows = [stratum.segments for stratum in division.strata]
    assert sorted(np.concatenate(rows)) == list(range(48))
    assert max(words_of[rows[0]]) < min(words_of[rows[1]])
    assert max(words_of[rows[1]]) < min(words_of[rows[2]])
    low, high = words_of[rows[0]].min(), words_of[rows[0]].max()
    assert division.names[0] == f"short ({low}–{high} words)"
    bands = length_bands(np.array([-1, 3, 9, 6]))
    assert bands.tolist() == ["", "short", "long", "middle"]


def test_systems_are_halved_by_peoples_means_and_compared_on_the_same_segments(study, data):
    content = report(study, "subgroups", CONTENT.but(by="system-subset"))["content"]
    assert content["paired"]
    assert [(s["name"], s["segments"]) for s in content["strata"]] == [
        ("the better 3", 48),
        ("the other 2", 48),
    ]
    division = divide(data, CONTENT.but(by="system-subset"))
    cells = select(data, CONTENT)
    pairing = pair(data, CONTENT, column_of(data, content["metrics"][0]), "content")
    means = np.nanmean(pairing.human, axis=0)
    better, other = (means[stratum.systems] for stratum in division.strata)
    assert better.min() >= other.max()
    assert len(cells.systems) == 5
    assert {curve["stratum"] for curve in content["curves"]} == {"all"}


def test_every_offered_division_divides(study, data):
    offered = dict(divisions(data))
    assert {"direction", "batch", "length", "system-subset", "domain"} & set(offered)
    for by in offered:
        content = report(study, "subgroups", CONTENT.but(by=by))["content"]
        assert len(content["strata"]) >= 2, by
        count = len(content["strata"])
        assert len(content["differences"]) == len(content["metrics"]) * count * (count - 1) // 2


def test_an_unknown_division_is_refused_with_those_there_are(data, client):
    with pytest.raises(QuestionError, match="by=weather: this study has direction"):
        divide(data, CONTENT.but(by="weather"))
    page = open_page(client, f"{PAGE}?by=weather", status=400)
    assert "by=weather: this study has direction" in words(page)
    page = open_page(client, f"{PAGE}?statistic=kendall-tau-c", status=400)
    assert "statistic=kendall-tau-c: the subgroups report knows pearson, spearman" in words(page)


def test_another_statistic_is_that_statistic_in_each_stratum(study, data):
    asked = CONTENT.but(statistic="kendall-tau-b", level="system")
    content = report(study, "subgroups", asked)["content"]
    metric = content["metrics"][0]
    pairing = pair(
        data, CONTENT.but(direction="informal-to-formal"), column_of(data, metric), "content"
    )
    tau = kendalltau(np.nanmean(pairing.metric, 0), np.nanmean(pairing.human, 0))[0]
    assert metric["results"][0]["value"] == pytest.approx(tau)
    assert "level:system" in metric["results"][0]["signature"]


def test_curves_have_the_values_of_the_correlation_report_and_a_band(study):
    content = report(study, "subgroups", CONTENT)["content"]
    plain = report(study, "correlation", CONTENT)["content"]["curves"]
    metric = content["metrics"][0]
    curve = next(c for c in content["curves"] if (c["metric"], c["stratum"]) == (0, "all"))
    expected = next(
        c for c in plain if (c["run"], c["metric"]) == (metric["run"], metric["metric"])
    )
    for one, other in at_least_one(zip(expected["subsets"], curve["subsets"], strict=True)):
        assert one["systems"] == other["systems"]
        value = one["results"]["segment_pearson"]["value"]
        assert other["result"]["value"] == pytest.approx(value, abs=1e-12)
        assert other["result"]["interval"]["low"] <= value <= other["result"]["interval"]["high"]


def test_reranking_is_another_number_under_another_signature(study):
    signatures = set()
    for sets in ("fixed", "reranked"):
        content = report(study, "subgroups", CONTENT.but(sets=sets))["content"]
        signatures.add(content["curves"][0]["subsets"][0]["result"]["signature"])
    assert len(signatures) == 2
    assert any("sets:reranked" in signature for signature in signatures)


def test_the_page_shows_strata_differences_and_says_no_more_than_the_tests(client, study):
    page = open_page(client, f"{PAGE}?aspect=content")
    found = tables(page)
    content = report(study, "subgroups", CONTENT)["content"]
    strata, differences = found["Metrics by subgroup"], found["Differences between subgroups"]
    assert len(strata.rows) == len(content["metrics"])
    assert len(differences.rows) == len(content["differences"])
    text = words(page)
    detected = sum(row["detected"] for row in content["differences"])
    assert f"{detected} difference" in text if detected else "No difference detected" in text
    assert "No difference detected does not mean that a metric holds equally everywhere" in text
    assert "Below 80 segments, intervals by resampling segments are a little too narrow" in text
    assert len(list(page.iter("figure"))) == 2
    assert all(number.facts["signature"] for number in numbers(page))


def test_the_page_of_one_metric_shows_its_curves(client, study):
    content = report(study, "subgroups", Question(aspect="style"))["content"]
    assert content["metrics"]
    page = open_page(client, f"{PAGE}?aspect=style&drawn=none", status=400)
    assert "drawn=none: expected one of" in words(page)


def test_the_tables_come_as_csv(client):
    answer = client.get(f"{STUDY}/subgroups/tables/differences.csv?aspect=content")
    rows = list(csv.DictReader(StringIO(answer.content.decode())))
    assert rows
    assert {"stratum", "other_stratum", "holm", "low", "high", "signature"} <= set(rows[0])
    assert all(row["signature"].startswith("difference-of-strata-pearson|") for row in rows)
