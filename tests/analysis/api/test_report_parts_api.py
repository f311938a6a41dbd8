"""Tables and charts of a report by their names, through the API."""

import pytest

from corpus.models import Study
from tests.fixtures.api_clients import API, client_of

REPORT = f"{API}studies/formality-demo/reports/correlation/"

pytestmark = pytest.mark.usefixtures("demo_reports")


@pytest.fixture
def client(db):
    return client_of("reader", Study.objects.get(), "researcher")


def test_each_part_that_is_listed_is_there(client):
    parts = client.get(f"{REPORT}parts/", {"aspect": "content"}).json()
    assert {"headline", "segment-level"} & {each["name"] for each in parts["tables"]}
    assert len(parts["charts"]) > 1
    for each in parts["tables"]:
        table = client.get(each["url"]).json()
        assert table["name"] == each["name"]
        assert table["columns"]
    for each in parts["charts"]:
        assert client.get(each["url"]).json()["$schema"].endswith("vega-lite/v6.json")


def test_a_chart_is_drawn_under_the_filter_of_its_address(client):
    parts = client.get(f"{REPORT}parts/", {"metric": "bleu"}).json()
    spec = client.get(parts["charts"][0]["url"]).content.decode()
    assert "bleu" in spec
    assert "chrf" not in spec
