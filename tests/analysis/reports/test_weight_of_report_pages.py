"""Pages of reports stay light: what few read is sent when somebody opens it."""

import gzip

import pytest

from benchmarks.report_pages import write_study
from tests.fixtures.report_pages import imported, parse, reader, tables, words

pytestmark = pytest.mark.django_db
METRICS, SYSTEMS = 20, 10
KINDS = "Pearson r, segment level, pooled by kind of human scores of style"


@pytest.fixture(scope="module")
def large(tmp_path_factory, django_db_setup, django_db_blocker):
    """Import a study with 20 metrics of 10 systems."""
    folder = tmp_path_factory.mktemp("large")
    write_study(folder, segments=20, metrics=METRICS, aspects=3, systems=SYSTEMS)
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
