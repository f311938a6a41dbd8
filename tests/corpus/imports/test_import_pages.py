"""From upload to result: files that are recognised, and foreign layouts said in the fields."""

import json

import pytest
from django.urls import reverse

from corpus.exports.bundle import write_bundle
from corpus.models import Output, Segment, Study
from metrics.models import Metric
from tests.fixtures.foreign_layouts import (
    BATCH,
    NESTED,
    TEXTS,
    WIDE_METRICS,
    WIDE_RATERS,
    ratings,
)
from tests.fixtures.import_pages import (
    done,
    first_mappings,
    of_table,
    several,
    texts,
)
from tests.fixtures.study_files import TABLES, import_path, stored_content, write_files, write_zip

pytestmark = pytest.mark.django_db


# The way of files that are recognised


def test_a_study_goes_from_upload_to_result_without_a_correction(client, pages):
    address, page = pages.upload(TABLES)
    assert "Nothing is imported yet" in page.text
    assert "gonna be late" in page.text
    assert "ratings: rater" in page.text
    job = done(pages.press(address, page))
    assert job.result["tables"]["ratings"] == {"added": 32, "unchanged": 0}
    assert Study.objects.get().title == "A small study"
    assert client.get(address).status_code == 302, "the files are gone once they are imported"


def test_a_zip_is_looked_into(pages, tmp_path):
    path = write_zip(tmp_path / "small.zip", {f"small/{k}": v for k, v in TABLES.items()})
    address, page = pages.upload({"small.zip": path.read_bytes()})
    assert "<code>metric_scores.csv</code>" in page.text
    assert done(pages.press(address, page)).result["tables"]["outputs"]["added"] == 8


def test_the_same_files_again_add_nothing_and_say_so(client, pages):
    for _ in range(2):
        done(pages.press(*pages.upload(TABLES)))
    assert "stored already" in client.get(reverse("study", args=["small"])).text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("human.csv", WIDE_RATERS),
        ("automatic.csv", WIDE_METRICS),
        ("BART.csv", [["id", "text"], ["s1", "It depends."], ["s2", ""]]),
        ("everything.jsonl", "".join(json.dumps(entry) + "\n" for entry in NESTED)),
        ("everything.json", json.dumps(NESTED)),
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
    rebuilt = pages.look(address, page, of_table(0, missing="NA"))
    assert first_mappings(rebuilt)[0] == guessed[0] | {"missing": ["NA"]}


# Five layouts whose columns have names that say nothing, told field by field


def test_one_column_per_rater_is_said_in_the_fields(pages):
    rows = [["a", "b", "ann", "ben", "cleo"], *WIDE_RATERS[1:]]
    address, page = pages.upload({"a.csv": rows, **texts()})
    assert "not recognised" in page.text
    page = pages.look(address, page, {"file-0-add": "ratings"})
    assert "ratings lacks segment, system, score or judgement" in page.text
    page = pages.press(address, page)
    assert page.status_code == 400
    assert "a.csv: ratings lacks segment" in page.text
    page = pages.look(address, page, several(0, "ratings:rater/score", [2, 3, 4]))
    told = of_table(0, column_segment="column:a", column_system="column:b")
    done(pages.press(address, page, told | of_table(0, constant_aspect="fluency")))
    assert ratings() == [
        ("BART", "ann", "fluency", 4),
        ("BART", "ben", "fluency", 5),
        ("T5", "ann", "fluency", 2),
        ("T5", "ben", "fluency", 1),
        ("T5", "cleo", "fluency", 3),
    ]


def test_one_column_per_metric_is_said_in_the_fields(pages):
    rows = [["a", "b", "m_one", "m_two", "note"], *([*row[:4], "?"] for row in WIDE_METRICS[1:])]
    address, page = pages.upload({"a.csv": rows, **texts()})
    page = pages.look(address, page, several(0, "metric_scores:metric/score", [2, 3]))
    told = of_table(0, column_segment="column:a", column_system="column:b")
    done(pages.press(address, page, told | {"metrics": "one lower\ntwo: higher"}))
    assert list(Metric.objects.values_list("name", "orientation")) == [
        ("one", "lower"),
        ("two", "higher"),
    ]


def test_one_file_per_system_is_said_in_the_fields(pages):
    files = {"a.csv": [["nr", "said"], ["s1", "It depends."], ["s2", ""]]}
    files["segments.csv"] = TEXTS["segments.csv"]
    address, page = pages.upload(files)
    page = pages.look(address, page, {"file-0-add": "outputs"})
    told = of_table(
        0, column_segment="column:nr", column_output="column:said", constant_system="BART"
    )
    done(pages.press(address, page, told))
    outputs = Output.objects.filter(system__name="BART").order_by("ordinal")
    assert list(outputs.values_list("segment__key", "text")) == [("s1", "It depends."), ("s2", "")]


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
    key = {"column_segment": "column:nr"}
    told = (
        of_table(0, **key, column_source="column:from")
        | of_table(1, **key)
        | of_table(2, **key, column_system="column:said[].of", column_rater="column:said[].by")
        | of_table(2, explode="said")
    )
    done(pages.press(address, page, told))
    assert Segment.objects.get().attributes == {}
    assert ratings() == [("BART", "r1", "style", 4), ("BART", "r1", "content", 5)]


def test_a_crowd_platforms_batch_is_said_in_the_fields(pages):
    rows = [["hit", "who", "from", "made", "by", "Q content", "Q style"], *BATCH[1:]]
    address, page = pages.upload({"a.csv": rows, "study.json": {"protocol": "likert"}})
    for table in ("segments", "outputs"):
        page = pages.look(address, page, {"file-0-add": table})
    page = pages.look(address, page, several(0, "ratings:aspect/score", pattern="Q {aspect}"))
    key = {"column_segment": "digest:from"}
    told = (
        of_table(0, **key, column_source="column:from", distinct="on")
        | of_table(1, **key, column_system="column:by", column_output="column:made", distinct="on")
        | of_table(2, **key, column_system="column:by", column_rater="column:who")
    )
    done(pages.press(address, page, told))
    # printf 'it depends' | sha256sum | cut -c 1-12
    assert Segment.objects.get().key == "3801aec8d5e9"
    assert len(ratings()) == 6


# Bundles and published studies come through the page as they come through the command


def test_an_exported_study_comes_through_the_page_byte_by_byte(client, owner, pages, tmp_path):
    original = import_path(write_files(tmp_path / "first", TABLES), slug="first").study
    bundle = tmp_path / "first.zip"
    write_bundle(original, bundle)
    address, page = pages.upload({"first.zip": bundle.read_bytes()})
    assert "something is missing" not in page.text
    done(pages.press(address, page))
    assert stored_content("small") == stored_content("first")


def test_a_published_study_comes_through_the_page_as_through_the_command(pages, studies, tmp_path):
    folder = studies / "lai2022"
    path = write_files(tmp_path / "lai2022", {p.name: p.read_bytes() for p in folder.glob("*.csv")})
    assert import_path(path, slug="command").state == "done"
    address, page = pages.upload({p.name: p.read_bytes() for p in folder.glob("*.csv")})
    done(pages.press(address, page))
    assert stored_content("small") == stored_content("command")
