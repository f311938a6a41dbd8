"""Numbers whose p-value is small are marked where a reader asks for it: on pages and in files."""

import io
from typing import Any

import pandas as pd
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.report_pages import open_page, reader

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"
TABLE = f"{STUDY}/correlation/tables/correlations"
LIMITS = {"***": 0.001, "**": 0.01, "*": 0.05}


def expected(p: float | None) -> str:
    """The stars of a p-value, counted another way."""
    return "*" * sum(p < limit for limit in LIMITS.values()) if p is not None else ""


@pytest.fixture
def client() -> Any:
    return reader("ada", "formality-demo")


def rows() -> list[dict[str, Any]]:
    content = report(Study.objects.get(), "correlation", Question())["content"]
    found: list[dict[str, Any]] = content["rows"]
    return found


def test_the_page_marks_just_the_numbers_whose_p_value_is_small(client: Any) -> None:
    page = open_page(client, f"{STUDY}/correlation/?marks=underlined&open=others,kinds,by-system")
    numbers = [each for each in page.iter("details") if each.get("class") == "number"]
    met = set()
    for number in numbers:
        facts = {
            name.text: "".join(fact.itertext())
            for name, fact in zip(number.iter("dt"), number.iter("dd"), strict=True)
        }
        p = next((text for name, text in facts.items() if str(name).startswith("p (")), "")
        small = p.startswith("<") or (p.startswith(".") and float(p) < 0.01)
        marked = any("significant" in span.get("class", "") for span in number.iter("span"))
        assert marked == small, facts
        met.add(marked)
    assert met == {True, False}


def test_a_page_without_the_choice_has_no_marks_and_a_wrong_one_is_refused(client: Any) -> None:
    plain = client.get(f"{STUDY}/correlation/").content.decode()
    assert "significant" not in plain
    assert 'class="stars"' not in plain
    starred = client.get(f"{STUDY}/correlation/?marks=stars").content.decode()
    assert '<span class="stars">***</span>' in starred
    refused = client.get(f"{STUDY}/correlation/?marks=loud")
    assert refused.status_code == 400
    assert "expected one of underlined, stars" in refused.content.decode()


def test_csv_has_the_marks_in_a_column_of_their_own(client: Any) -> None:
    answer = client.get(f"{TABLE}.csv?marks=stars")
    frame = pd.read_csv(io.BytesIO(answer.content), keep_default_na=False)
    place = list(frame.columns).index("value")
    assert frame.columns[place + 1] == "value_mark"
    p_values = pd.to_numeric(frame["p_value"])
    wanted = [expected(None if pd.isna(p) else p) for p in p_values]
    assert list(frame["value_mark"]) == wanted
    assert {"", "***"} <= set(wanted)
    assert "value_mark" not in client.get(f"{TABLE}.csv").content.decode()


def test_the_printed_table_of_headlines_is_marked_in_latex(client: Any) -> None:
    address = f"{STUDY}/correlation/tables/headline.tex"
    [row] = [r for r in rows() if r["metric"] == "formal-share" and r["aspect"] == "style"]
    result = row["results"]["segment_pearson"]
    assert result["p_value"] < 0.001
    text = f"{result['value']:.3f}"
    underlined = client.get(f"{address}?marks=underlined").content.decode()
    assert rf"\underline{{{text}}}" in underlined
    assert r"(underlined: p \textless{} .01)" in underlined
    assert f"{text}$^{{***}}$" in client.get(f"{address}?marks=stars").content.decode()
    assert "underline" not in client.get(address).content.decode()
