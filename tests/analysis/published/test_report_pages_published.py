"""The pages show the numbers of both published studies, each with what it rests on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures import published_values
from tests.fixtures.report_pages import (
    Table,
    filled,
    imported,
    numbers,
    open_page,
    reader,
    tables,
    words,
)
from tests.fixtures.stated_verdicts import check_study

pytestmark = pytest.mark.django_db
LAI, MIR = "/studies/lai2022", "/studies/mir2019"


@pytest.fixture(scope="module", autouse=True)
def _studies(django_db_setup: None, django_db_blocker: Any, studies: Path) -> Iterator[None]:
    both = studies / "lai2022", studies / "mir2019"

    def store() -> None:
        for slug in ("lai2022", "mir2019"):
            for kind in ("agreement", "correlation", "replication"):
                report(Study.objects.get(slug=slug), kind, Question())

    with django_db_blocker.unblock(), imported(*both, published=studies), filled("shown", store):
        yield


@pytest.fixture
def client():
    return reader("ada", "lai2022", "mir2019")


@pytest.fixture
def lai(studies: Path) -> dict[str, Any]:
    return published_values.expected(studies, "lai2022")


def shows(table: Table, heading: str, *names: str, value: float, decimals: int = 3) -> None:
    """Check the rounded number, and the unrounded one behind it."""
    number = table.number(heading, *names)
    unrounded = float(number.facts["unrounded"])
    assert unrounded == pytest.approx(value, abs=1e-6)
    assert float(number.shown.replace("−", "-")) == pytest.approx(value, abs=0.501 / 10**decimals)


# Lai et al. 2022


def test_metrics_of_content_compared_to_source_and_to_reference(client, lai):
    page = open_page(client, f"{LAI}/correlation/")
    table = tables(page)["Metrics and human scores of content"]
    for compared_to, metrics in lai["figure_4_content"].items():
        for metric, values in metrics.items():
            name = f"compared with {compared_to}", metric
            shows(table, "System r", *name, value=values["system_pearson"])
            shows(table, "Segment r", *name, value=values["segment_pearson"])
            shows(table, "τ-like", *name, value=values["segment_tau_like"])
    comet = table.number("System r", "compared with source", "comet")
    assert (comet.shown, comet.facts["n"]) == ("0.972", "8 systems")
    assert {"signature", "unrounded", "n"} < set(comet.facts)
    assert any(name.startswith("95 % interval") for name in comet.facts)
    assert any(name.startswith("p (") for name in comet.facts)
    assert "Left out because human-written: REF." in words(page)


def test_a_metric_that_is_better_when_lower_shows_its_raw_sign_too(client, lai):
    page = open_page(client, f"{LAI}/correlation/")
    table = tables(page)["Metrics and human scores of content"]
    value = lai["figure_4_content"]["source"]["wmd"]["system_pearson"]
    source = "compared with source"
    cell = table.cell("System r", source, "wmd")
    assert cell.text.endswith("raw −0.659")
    assert float(cell.numbers[0].facts["raw, not oriented"]) == pytest.approx(-value, abs=1e-6)
    assert "Higher is better, except for wmd (lower is better)." in words(page)
    assert "raw" not in table.cell("System r", source, "comet").text


def test_the_one_printed_number_that_cannot_be_reached_is_shown_as_such(client):
    page = open_page(client, f"{LAI}/replication/")
    table = tables(page)["Table 1"]
    name = "Table 1, survey all, content"
    assert table.cell("Printed", name).text == "0.86"
    assert table.cell("Recomputed", name).text == "0.85 0.8547"
    assert table.cell("Outcome", name).text == "differs"
    (counts,) = [found for found in page.iter("ul") if found.get("class") == "counts"]
    assert words(counts) == "reached 31 differs 1 undefined 0 all 32"
    assert "31 of 32 published values came out again as printed; 1 did not." in words(page)
    only = tables(open_page(client, f"{LAI}/replication/?state=differs"))
    assert [len(table.rows) for table in only.values()] == [
        1,
        *[len(only["Tables to download"].rows)],
    ]
    first = tables(open_page(client, f"{LAI}/replication/?order=mismatches"))
    assert list(first)[:2] == ["differs", "reached"]


# Mir et al. 2019


def test_averaged_ratings_have_no_agreement_and_the_page_says_why(client):
    page = open_page(client, f"{MIR}/agreement/")
    text = words(page)
    assert "No agreement between raters can be computed." in text
    assert "it is not known what each rater gave, only means of several raters" in text
    assert "Krippendorff" not in text


# Both


@pytest.mark.parametrize("slug", ["lai2022", "mir2019"])
def test_findings_and_reports_state_one_verdict(slug):
    check_study(slug, is_on_trust=slug == "lai2022")


@pytest.mark.parametrize(
    ("slug", "of_table"),
    [
        ("lai2022", 1),
        pytest.param("lai2022", None, marks=pytest.mark.nightly),
        pytest.param("mir2019", None, marks=pytest.mark.nightly),
    ],
)
def test_the_conditions_of_a_printed_value_lead_to_a_report_that_shows_it(client, slug, of_table):
    """Of so many rows of each table, or of all."""
    checked = 0
    shown: dict[str, set[str]] = {}
    for name, table in tables(open_page(client, f"/studies/{slug}/replication/")).items():
        if name == "Tables to download":
            continue
        for _, cells in table.rows[:of_table]:
            row = dict(zip(table.headings, cells, strict=True))
            address = row["Conditions"].link
            if not address:
                assert row["What"].text == "mean of values"
                continue
            if address not in shown:
                found = numbers(open_page(client, f"{address}&resamples=100"))
                shown[address] = {number.facts.get("unrounded", "") for number in found} | {
                    number.facts.get("raw, not oriented", "") for number in found
                }
            (recomputed,) = row["Recomputed"].numbers
            assert recomputed.facts["unrounded"] in shown[address], row["Printed in"].text
            checked += 1
    assert checked >= (3 if of_table else 30)
