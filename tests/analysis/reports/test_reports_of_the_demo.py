"""Reports of the demo study beside other computations, beside each other, and as pictures."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway, pearsonr
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.multitest import multipletests

from analysis.charts.scatter import pareto_front
from analysis.data import matrices
from analysis.data.picking import pick
from analysis.data.selection import metric_columns
from analysis.estimates.ceilings import ratings_of_persons
from analysis.estimates.correlations import align, human_side
from analysis.figures import figures
from analysis.filter.question import Question
from analysis.reports.kind import opened
from analysis.reports.page_address import Choices
from analysis.reports.service import report
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import numbers, open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"
CONTENT = Question(aspect="content")


def test_the_matrix_holds_the_correlation_of_every_two_metrics(study):
    content = report(study, "scores", Question())["content"]
    data = matrices.load(study)
    columns = metric_columns(data, Question())
    systems = [i for i, s in enumerate(data.systems) if not s.human]
    for first, one in at_least_one(enumerate(columns)):
        for second, other in enumerate(columns[:first]):
            if one.derived or other.derived:
                continue
            pair = []
            for column in (one, other):
                values = data.matrix(data.scores(column.run)[:, column.run.column])[:, systems]
                if column.run.speaks_of:
                    turn = np.array([t != column.run.speaks_of for t in data.target_styles])
                    values = np.where(turn[:, None], 2 * column.run.midpoint - values, values)
                if column.run.orientation == "target":
                    values = -np.abs(values - column.run.target)
                sign = -1 if column.run.orientation == "lower" else 1
                pair.append(sign * values.ravel())
            both = np.isfinite(pair[0]) & np.isfinite(pair[1])
            expected = pearsonr(pair[0][both], pair[1][both])[0]
            assert content["matrix"]["values"][first][second] == pytest.approx(expected, abs=1e-9)


def test_agreement_without_a_rater_is_that_of_the_others(study):
    content = report(study, "raters", Question(aspect="style"))["content"]
    data = matrices.load(study)
    judged = data.judgements
    rated = data.aspect_mask("style") & (data.column_of_output[judged.first] >= 0)
    table = pd.DataFrame(
        {
            "unit": judged.first[rated],
            "rater": judged.annotator[rated],
            "score": judged.value[rated],
        }
    )
    names = [a.pseudonym for a in judged.annotators]
    for row in at_least_one(content["rows"]):
        rest = table[table["rater"] != names.index(row["rater"])]
        found = row["results"]["icc-without"]["value"]
        assert found == pytest.approx(one_way_icc(rest), abs=1e-9), row["rater"]


def one_way_icc(rated: pd.DataFrame) -> float:
    """Return ICC(1) of units with unequal numbers of ratings, by an analysis of variance."""
    anova = anova_lm(ols("score ~ C(unit)", rated).fit())
    between, within = anova["mean_sq"]
    sizes = rated.groupby("unit").size()
    usual = (len(rated) - (sizes**2).sum() / len(rated)) / (len(sizes) - 1)
    return float((between - within) / (between + (usual - 1) * within))


def test_the_page_shows_both_ranks_and_how_far_they_agree() -> None:
    page = open_page(reader("ann", "formality-demo"), f"{STUDY}/rankings/?aspect=style")
    table = tables(page)["Rankings by style"]
    assert table.headings[:2] == ["System", "Human raters"]
    rank = table.number("Human raters", "careful")
    assert rank.shown.split()[0] == "1"
    assert "outputs" in rank.facts["n"]
    [foot] = page.iter("tfoot")
    agreement = numbers(foot)
    assert len(agreement) == len(table.headings) - 2
    assert all("[" in number.summary for number in agreement)


def test_the_ranks_of_human_raters_are_those_of_the_ranking_report(study) -> None:
    content = report(study, "rankings", Question(aspect="style", resamples=100))["content"]
    [ranked] = report(study, "ranking", Question(aspect="style"))["content"]["tables"]
    # The other report ranks human-written texts among the systems.
    expected = [each["system"] for each in ranked["systems"] if not each["human"]]
    found = {
        each["system"]: rank["value"]
        for each, rank in zip(content["systems"], content["human"], strict=True)
    }
    assert found == {name: place for place, name in enumerate(expected, 1)}


def test_the_agreement_is_the_correlation_that_the_other_report_gives(study) -> None:
    asked = Question(aspect="content", resamples=100)
    content = report(study, "rankings", asked)["content"]
    other = asked.but(level="system", statistic="kendall-tau-b", resample="segments")
    rows = report(study, "correlation", other)["content"]["rows"]
    expected = {row["run"]: row["results"]["asked"] for row in rows}
    assert content["columns"]
    for column in content["columns"]:
        assert column["agreement"] == expected[column["run"]]


def test_systems_that_no_other_beats_on_both_aspects_are_ringed(study):
    found = report(study, "ranking", Question())
    made = figures(opened(found), Choices())
    assert [name for name in made if name.startswith("trade-off")] == [
        "trade-off-1",
        "trade-off-2",
    ]
    records = made["trade-off-1"]().records()
    means = [(row["x"], row["y"]) for row in records]
    assert [row["on_front"] == "yes" for row in records] == pareto_front(means)
    style = {
        entry["system"]: entry["raw"]["result"]["value"]
        for entry in found["content"]["tables"][0]["systems"]
        if not entry["human"]
    }
    assert {row["system"]: row["x"] for row in records} == style
    assert all(row["x_low"] < row["x"] < row["x_high"] for row in records)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("correlation", ("score-scatter", "calibration")),
        ("raters", ("rater-matrix-1", "rater-matrix-3")),
        ("ranking", ("trade-off-1", "trade-off-2")),
        ("scores", ("score-histograms",)),
        ("system-comparison", ("differences",)),
    ],
)
def test_each_picture_is_on_its_page_and_downloads_with_its_table(client, kind, names):
    query = "?aspect=content" if kind == "correlation" else ""
    page = open_page(client, f"{STUDY}/{kind}/{query}")
    shown = {image.get("src", "").partition("?")[0] for image in page.iter("img")}
    for name in at_least_one(names):
        address = f"{STUDY}/{kind}/charts/{name}"
        assert f"{address}.svg" in shown
        assert client.get(f"{address}.csv{query}").status_code == 200
        assert b"<svg" in client.get(f"{address}.svg{query}").content


@pytest.fixture
def content(study):
    return report(study, "accuracy", CONTENT)["content"]


def test_the_segment_ceiling_follows_from_an_analysis_of_variance(study, content):
    data = matrices.load(study)
    cube = ratings_of_persons(data, CONTENT, "content").reshape(-1, 8)
    units = [ratings[np.isfinite(ratings)] for ratings in cube]
    (k,) = {len(ratings) for ratings in units}
    between = f_oneway(*units).statistic
    single = (between - 1) / (between - 1 + k)
    rho = k * single / (1 + (k - 1) * single)
    assert content["ceilings"]["segment"]["value"] == pytest.approx(math.sqrt(rho), abs=1e-9)


def test_a_corrected_correlation_is_r_over_the_ceiling(study, content):
    data = matrices.load(study)
    for column, row in at_least_one(
        zip(pick(data, CONTENT, "content").taken, content["rows"], strict=True)
    ):
        pairing = align(data, CONTENT, column, human_side(data, CONTENT, "content"))
        r = pearsonr(pairing.metric.ravel(), pairing.human.ravel())[0]
        expected = r / content["ceilings"]["segment"]["value"]
        assert row["results"]["segment_corrected"]["value"] == pytest.approx(expected, abs=1e-9)


def test_the_summary_of_correlations_says_what_the_numbers_say(client, study):
    found = report(study, "correlation", CONTENT)["content"]
    rows = [row for row in found["rows"] if row["relation"] in ("own", "possible")]
    results = [row["results"]["system_pearson"] for row in rows]
    detected = multipletests([result["p_value"] for result in results], method="holm")[0]
    page = open_page(client, f"{STUDY}/correlation/?aspect=content")
    (section,) = [s for s in page.iter("section") if s.get("aria-label") == "Summary"]
    count, metrics = int(detected.sum()), len(rows)
    expected = {
        0: f"none of {metrics} metrics is seen to correlate",
        1: f"1 of {metrics} metrics correlates",
    }
    wanted = expected.get(
        count, f"{'all' if count == metrics else f'{count} of'} {metrics} metrics correlate"
    )
    assert f"On content, {wanted} with human scores over" in words(section)
    ids = {row.get("id") for row in page.iter("tr")}
    assert {a.get("href").removeprefix("#") for a in section.iter("a")} <= ids
