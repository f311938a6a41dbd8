"""The page of outputs about which a metric and people disagree, on the demo study."""

import re

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.data import matrices
from analysis.data.selection import select
from analysis.estimates.correlations import align, human_side
from analysis.explorer.disagreement import column_names
from analysis.filter.question import Question
from analysis.templatetags.rounding import score
from corpus.models import Output, Study
from metrics.runs.packed_scores import load_scores
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"


@pytest.fixture
def client():
    return reader("ada", "formality-demo")


def explored(client, query: str = "", status: int = 200):
    return open_page(client, f"{STUDY}/disagreement/?{query}", status)


def cases(page) -> list[tuple[str, str]]:
    """System and segment of each output shown, in order."""
    headings = (words(h) for h in page.iter("h2"))
    return [tuple(text.split(" on ")) for text in headings if " on " in text]


def by_brute_force(metric: str, aspect: str) -> list[tuple[float, str, str]]:
    """Every output's distance of ranks, counted pair by pair."""
    data = matrices.load(Study.objects.get(slug="formality-demo"))
    question = Question(aspect=aspect)
    both = align(data, question, column_names(data)[metric], human_side(data, question, aspect))
    rows = select(data, question).segments
    present = np.isfinite(both.metric) & np.isfinite(both.human)
    known = np.argwhere(present)

    def stands(scores, place) -> float:
        own, everyone = scores[tuple(place)], scores[present]
        others = len(everyone) - 1
        return ((everyone < own).sum() + ((everyone == own).sum() - 1) / 2) / others

    return [
        (
            stands(both.metric, place) - stands(both.human, place),
            both.systems[place[1]],
            data.segment_keys[rows[place[0]]],
        )
        for place in known
    ]


def test_the_outputs_with_the_largest_distance_of_ranks_come_first(client):
    data = matrices.load(Study.objects.get(slug="formality-demo"))
    metric = next(iter(column_names(data)))
    page = explored(client, f"aspect=content&scored_by={metric}")
    gaps = {(system, key): gap for gap, system, key in by_brute_force(metric, "content")}
    shown = cases(page)
    assert len(shown) == 10
    largest = sorted((abs(gap) for gap in gaps.values()), reverse=True)[:10]
    assert [abs(gaps[case]) for case in shown] == pytest.approx(largest, abs=1e-12)


def test_ratings_stand_by_pseudonym_and_every_metric_with_its_stored_score(client):
    page = explored(client)
    system, key = cases(page)[0]
    found = tables(page)
    ratings = found[f"Ratings of {system} on {key}"]
    assert ratings.rows
    scores = found[f"Scores of {system} on {key}"]
    data = matrices.load(Study.objects.get(slug="formality-demo"))
    assert [cells[0].text for _, cells in scores.rows] == list(column_names(data))
    output = Output.objects.get(segment__key=key, system__name=system)
    name, column = next(iter(column_names(data).items()))
    scored = load_scores(column.run.pk, outputs=len(data.segment_of_output), fields=1)
    stored = scored[output.ordinal, 0]
    assert scores.cell("Score", name).text == score(float(stored))


@pytest.mark.parametrize(
    ("kind", "aspect"),
    [
        ("scores", ""),
        *(
            pytest.param(*each, marks=pytest.mark.nightly)
            for each in (
                ("correlation", "content"),
                ("subgroups", "content&by=length"),
                ("system-comparison", "content"),
            )
        ),
    ],
)
def test_points_and_cells_of_charts_lead_to_the_outputs_behind_them(client, kind, aspect):
    page = open_page(client, f"{STUDY}/{kind}/?aspect={aspect}")
    addresses = [a.get("href", "") for a in page.iter("a") if "download" in a.attrib]
    drawn = [address for address in addresses if ".vl.json" in address]
    # Bins count sources and references too.
    drawn = [each for each in drawn if "histograms" not in each]
    assert drawn
    for address in drawn:
        values = client.get(address).json()["data"]["values"]
        assert values, address
        for value in values[:: max(1, len(values) // 2)]:
            found = cases(explored(client, value["link"].partition("?")[2]))
            assert found, (address, value)
            if "system" in value:
                assert {system for system, _ in found} == {value["system"].removesuffix(" (human)")}


def test_a_circle_of_the_scatter_plot_leads_to_as_many_outputs_as_it_holds(client):
    answer = client.get(f"{STUDY}/correlation/charts/score-scatter.vl.json?aspect=content")
    values = answer.json()["data"]["values"]
    ends = {side: max(v[f"{side}_high"] for v in values) for side in ("metric", "human")}
    for value in at_least_one(values[:6]):
        page = explored(client, value["link"].partition("?")[2])
        count = int(re.search(r"(\d+) outputs?\b", words(page))[1])
        # An upper limit belongs to the next circle, where there is one.
        inner = any(value[f"{side}_high"] < end for side, end in ends.items())
        assert count >= value["n"] if inner else count == value["n"]


def test_queries_do_not_grow_with_the_outputs_shown(client):
    explored(client)
    with CaptureQueriesContext(connection) as few:
        explored(client, "segment=" + cases(explored(client))[0][1])
    with CaptureQueriesContext(connection) as many:
        explored(client)
    assert len(many) <= len(few)
