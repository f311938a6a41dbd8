"""Tables and charts of a report by their names, through the API."""

import pytest

from corpus.models import Study
from tests.fixtures.api_clients import API, client_of, is_error

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


def test_a_dark_chart_differs_in_colours_only(client):
    [chart, *_] = client.get(f"{REPORT}parts/").json()["charts"]
    light, dark = (client.get(chart["url"], {"theme": t}).json() for t in ("light", "dark"))
    assert light.pop("config") != dark.pop("config")
    assert light.keys() == dark.keys()


def test_an_unknown_chart_is_answered_by_the_names_that_there_are(client):
    names = [each["name"] for each in client.get(f"{REPORT}parts/").json()["charts"]]
    problem = is_error(client.get(f"{REPORT}charts/lost/"), 404)
    assert all(name in problem["detail"] for name in names)


def test_a_filter_that_makes_no_sense_is_refused(client):
    assert "lost" in is_error(client.get(f"{REPORT}parts/", {"metric": "lost"}), 400)["detail"]
    is_error(client.get(f"{API}studies/formality-demo/reports/lost/parts/"), 404)


def test_who_is_no_member_finds_nothing(db):
    is_error(client_of("stranger").get(f"{REPORT}parts/"), 404)
    is_error(client_of("other").get(f"{REPORT}charts/headline/"), 404)
