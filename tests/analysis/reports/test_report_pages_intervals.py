"""Intervals by choice, cautions, and kinds of human scores: page, API and command alike."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.data import matrices
from analysis.estimates.correlations import align, correlation, human_side
from analysis.estimates.evaluation import the_column
from analysis.filter.question import Question
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.pearson import fisher_interval
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate
from corpus.models import Study
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
    pairing = align(
        data, question, the_column(data, question), human_side(data, question, "content")
    )
    result = correlation(pairing, question, FEW)
    assert isinstance(result, Estimate)
    return pairing, result


def limits(result: Estimate) -> tuple[float, float]:
    assert result.interval is not None
    return result.interval.low, result.interval.high


@pytest.mark.parametrize(
    ("statistic", "level", "drawn", "method"),
    [
        ("pearson", "segment", "systems", "bca"),
        ("spearman", "system", "segments", "bca"),
        ("kendall-tau-b", "segment", "systems", "percentile"),
    ],
)
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
