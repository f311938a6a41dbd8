"""Every table and figure of a report as a file that other programs read."""

import csv
import io
import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, reader

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def client():
    return reader("ada", "formality-demo")


def files(client, kind: str, ending: str) -> dict[str, Any]:
    """Every file of this kind that a page links to, by its address."""
    page = open_page(client, f"{STUDY}/{kind}/")
    addresses = [link.get("href", "") for link in page.iter("a") if "download" in link.attrib]
    wanted = [a for a in addresses if a.split("?")[0].endswith(ending)]
    assert wanted
    found = {}
    for address in wanted:
        answer = client.get(address)
        assert answer.status_code == 200
        found[address] = answer
    return found


KINDS_WITH_FILES = [
    "ranking",
    pytest.param("agreement", marks=pytest.mark.nightly),
    pytest.param("correlation", marks=pytest.mark.nightly),
]


def rows_of(text: str) -> list[dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(text), strict=True))
    assert {row["simulated"] for row in rows} == {"simulated ratings"}
    return rows


@pytest.mark.parametrize("kind", KINDS_WITH_FILES)
def test_csv_has_a_row_for_each_number_and_says_that_ratings_are_simulated(client, kind):
    for address, answer in at_least_one(files(client, kind, ".csv").items()):
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        name = re.fullmatch(
            r'attachment; filename="([a-z0-9-]+\.csv)"', answer["Content-Disposition"]
        )
        assert name, answer["Content-Disposition"]
        assert name[1].startswith(f"formality-demo-{kind}")
        rows = rows_of(answer.text)
        assert rows, address
        assert None not in rows[0]
        assert not any(value.lower() in ("nan", "inf") for r in rows for value in r.values())


@pytest.mark.parametrize("kind", KINDS_WITH_FILES)
def test_json_says_where_each_table_comes_from(client, kind):
    for answer in at_least_one(files(client, kind, ".json").values()):
        content = json.loads(
            answer.text, parse_constant=lambda name: pytest.fail(f"{name} in JSON")
        )
        if "$schema" in content:
            continue
        assert content["simulated"] is True
        assert content["notice"].startswith("SIMULATED RATINGS")
        assert set(content["rows"][0]) == set(content["columns"])
        sources = "\n".join(content["sources"])
        for part in ("study: formality-demo", f"report: {kind}", "ratings sha256: ", "versions: "):
            assert part in sources


@pytest.mark.parametrize("kind", KINDS_WITH_FILES)
def test_latex_is_balanced_and_names_the_signatures(client, kind):
    for address, answer in at_least_one(files(client, kind, ".tex").items()):
        text = answer.text
        assert text.startswith("% SIMULATED RATINGS")
        bare = re.sub(r"\\[{}]", "", text)
        depth = 0
        for character in bare:
            depth += {"{": 1, "}": -1}.get(character, 0)
            assert depth >= 0
        assert depth == 0, address
        begun = re.findall(r"\\begin\{(\w+)\}", text)
        assert sorted(begun) == sorted(re.findall(r"\\end\{(\w+)\}", text))
        assert begun
        body = text[text.index(r"\midrule") :]
        columns = re.search(r"\\begin\{(?:tabular|longtable)\}\{([lr]+)\}", text)[1]
        for line in body.splitlines():
            if line.endswith(r" \\"):
                assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1
        if "/tables/" in address and not address.split("?")[0].endswith(
            ("raters.tex", "means.tex", "scales.tex")
        ):
            assert "% signature: " in text


@pytest.mark.parametrize("kind", ["ranking"])
def test_pictures_are_well_formed_described_and_marked_in_both_themes(client, kind):
    for address, answer in at_least_one(files(client, kind, ".svg").items()):
        assert answer["Content-Type"] == "image/svg+xml"
        light = ElementTree.fromstring(answer.content)
        assert light.tag == f"{SVG}svg"
        assert light.find(f"{SVG}title").text
        assert light.find(f"{SVG}desc").text
        assert "Simulated ratings" in "".join(light.itertext())
        joined = f"{address}{'&' if '?' in address else '?'}theme=dark"
        dark = client.get(joined)
        assert dark.content != answer.content
        assert ElementTree.fromstring(dark.content).tag == f"{SVG}svg"


def test_numbers_are_unrounded_and_carry_their_signature(client):
    study = Study.objects.get()
    content = report(study, "correlation", Question())["content"]
    rows = rows_of(client.get(f"{STUDY}/correlation/tables/correlations.csv").text)
    by_signature = {}
    for row in rows:
        by_signature[row["metric"], row["compared_to"], row["aspect"], row["signature"]] = row
    for row in at_least_one(content["rows"]):
        for result in row["results"].values():
            found = by_signature[
                row["metric"], row["compared_to"], row["aspect"], result["signature"]
            ]
            if result["kind"] == "estimate":
                assert float(found["value"]) == result["value"]
                assert int(found["n"]) == result["n"]
            else:
                assert found["reason"] == result["reason"]
