"""From upload to result: files that are recognised, and foreign layouts said in the fields."""

import json

import pytest

from corpus.imports import uploads
from corpus.models import Segment, System
from tests.fixtures.foreign_layouts import (
    BATCH,
    NESTED,
    WIDE_METRICS,
    WIDE_RATERS,
    ratings,
)
from tests.fixtures.import_pages import (
    done,
    finished,
    first_mappings,
    of_table,
    several,
)

pytestmark = pytest.mark.django_db


# The way of files that are recognised


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("human.csv", WIDE_RATERS, marks=pytest.mark.nightly),
        pytest.param("automatic.csv", WIDE_METRICS, marks=pytest.mark.nightly),
        ("BART.csv", [["id", "text"], ["s1", "It depends."], ["s2", ""]]),
        ("everything.jsonl", "".join(json.dumps(entry) + "\n" for entry in NESTED)),
        ("Batch_1_results.csv", BATCH),
    ],
)
def test_what_is_sent_back_unchanged_is_read_as_guessed(pages, name, content):
    address, page = pages.upload({name: content})
    guessed = first_mappings(page)
    assert guessed
    again = pages.look(address, page, {})
    assert first_mappings(again) == guessed
    # A field that says the same in other words makes the form build the mapping anew.
    rebuilt = pages.look(address, page, of_table(0, where="true"))
    assert first_mappings(rebuilt)[0] == guessed[0] | {"where": "true"}


# Five layouts whose columns have names that say nothing, told field by field


def test_nested_json_lines_are_said_in_the_fields(pages):
    entry = {
        "nr": "s1",
        "from": "it depends",
        "made": {"BART": "It depends.", "T5": "That depends."},
        "said": [{"of": "BART", "by": "r1", "points": {"style": 4, "content": 5}}],
    }
    files = {"a.jsonl": json.dumps(entry), "study.json": {"protocol": "likert"}}
    address, page = pages.upload(files)
    page = pages.look(address, page, {"file-0-add": "segments"})
    for group, pattern in (
        ("outputs:system/output", "made.{system}"),
        ("ratings:aspect/score", "said[].points.{aspect}"),
    )[:2]:
        page = pages.look(address, page, several(0, group, pattern=pattern))
    key = {"column_segment": "nr"}
    told = (
        of_table(0, **key, column_source="from")
        | of_table(1, **key)
        | of_table(2, **key, column_system="said[].of", column_rater="said[].by")
        | of_table(2, explode="said")
    )
    done(pages.press(address, page, told))
    assert Segment.objects.get().attributes == {}
    assert ratings() == [("BART", "r1", "style", 4), ("BART", "r1", "content", 5)]


# Bundles and published studies come through the page as they come through the command


def test_of_a_large_file_the_first_rows_are_shown_and_the_import_asks_about_the_rest(
    pages, monkeypatch
):
    """What the import finds odd beyond them is a question of the page, answered by one press."""
    monkeypatch.setattr(uploads, "ROWS_OF_A_PAGE", 40)
    rows = [["segment", "system", "output"]]
    rows += [[f"s{n // 2}", ("A", "B")[n % 2], f"text {n}"] for n in range(60)]
    rows[-1][1] = "B "
    texts = [["segment", "source"], *([f"s{n}", f"source {n}"] for n in range(30))]
    address, page = pages.upload({"segments.csv": texts, "outputs.csv": rows})
    assert "more than 40 outputs" in page.text
    assert "This holds for the first 40 records; the import reads the rest." in page.text
    assert "names-alike" not in page.text
    job = finished(pages.press(address, page))
    assert job.state == "failed"
    page = pages.client.get(address)
    assert "Are they the same system?" in page.text
    done(pages.press(address, page))
    assert set(System.objects.filter(kind="system").values_list("name", flat=True)) == {"A", "B"}
