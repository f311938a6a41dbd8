"""Pages of reports stay light: what few read is sent when somebody opens it."""

import gzip

import numpy as np
import pytest

from tests.fixtures.report_pages import imported, parse, reader, tables, words
from tests.fixtures.study_files import write_files

pytestmark = pytest.mark.django_db
METRICS, SYSTEMS, SEGMENTS, RATERS = 20, 10, 20, 3
ASPECTS = ("style", "content", "fluency")
KINDS = "Pearson r, segment level, pooled by kind of human scores of style"


def write_study(folder):
    """Write a study whose systems, segments, annotators and metrics all differ."""
    generator = np.random.default_rng(3)
    shape = (SEGMENTS, SYSTEMS)
    truth = 60 + 8 * generator.normal(size=SYSTEMS) + 15 * generator.normal(size=shape)
    cells = [(n, m) for n in range(SEGMENTS) for m in range(SYSTEMS)]
    ratings = [["segment", "system", "rater", "aspect", "score"]]
    for aspect in ASPECTS:
        scores = truth[:, :, None] + generator.normal(0, 15, (*shape, RATERS))
        scores = np.clip(np.round(scores), 0, 100).astype(int)
        ratings += [
            [f"s{n}", f"system-{m}", f"r{n // 2 * RATERS + r:02}", aspect, scores[n, m, r]]
            for n, m in cells
            for r in range(RATERS)
        ]
    scored = [["segment", "system", "metric", "score"]]
    for metric in range(METRICS):
        scores = (truth + generator.normal(0, 10 + 2 * metric, shape)) * (-1) ** metric
        name = f"metric-{metric:02}"
        scored += [[f"s{n}", f"system-{m}", name, round(scores[n, m], 3)] for n, m in cells]
    head = ["segment", "source", "source_style", "target_style"]
    sources = [[f"s{n}", f"source {n}", "informal", "formal"] for n in range(SEGMENTS)]
    outputs = [[f"s{n}", f"system-{m}", f"system {m} says {n}"] for n, m in cells]
    files = {"segments.csv": [head, *sources], "ratings.csv": ratings, "metric_scores.csv": scored}
    files["outputs.csv"] = [["segment", "system", "output"], *outputs]
    write_files(folder, files)


@pytest.fixture(scope="module")
def large(tmp_path_factory, django_db_setup, django_db_blocker):
    """Import a study with 20 metrics of 10 systems."""
    folder = tmp_path_factory.mktemp("large")
    write_study(folder)
    with django_db_blocker.unblock(), imported(folder):
        yield f"/studies/{folder.name}/correlation/"


@pytest.fixture
def client(large):
    return reader("reader", large.split("/")[2])


def test_the_page_of_correlations_of_twenty_metrics_is_light(client, large):
    whole = client.get(large)
    assert len(whole.content) < 250_000
    packed = client.get(large, headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < 30_000
    assert len(gzip.decompress(packed.content)) == pytest.approx(len(whole.content), rel=0.01)


def test_what_is_left_out_at_first_is_where_its_links_lead(client, large):
    page = parse(client.get(large).content.decode())
    links = {words(link): link.get("href", "") for link in page.iter("a")}
    assert KINDS not in tables(page)
    assert KINDS in tables(
        parse(client.get(large + links["Show the three kinds"]).content.decode())
    )
    name = "Correlation with human scores of style: table"
    [address] = {
        link.get("href", "")
        for link in page.iter("a")
        if "numbers-metrics-1" in link.get("href", "")
    }
    assert name not in tables(page)
    opened = tables(parse(client.get(large + address).content.decode()))
    assert len(opened[name].rows) == METRICS


def test_the_pages_of_the_demo_study_are_light(demo_reports):
    client = reader("reader", "formality-demo")
    for kind in ("correlation", "ranking", "agreement", "raters"):
        page = client.get(f"/studies/formality-demo/{kind}/")
        assert page.status_code == 200
        assert len(page.content) < 180_000
