"""The mapping page and the messages of imports lead to the mapping that is meant."""

import json

import pyarrow
import pyarrow.parquet
import pytest

from annotation.models import Rating
from corpus.models import Output, Segment
from corpus.tabular.questions.question import KEEP
from tests.fixtures.import_pages import done, finished, first_mappings, of_table
from tests.fixtures.study_files import OUTPUTS, RATINGS, SEGMENTS, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
JUDGED = [["id", "system", "rater", "before", "after", "score", "hour"]] + [
    [f"s{n}", system, rater, f"source {n}", f"{system} {n}", "3", str(hour)]
    for hour, (n, system, rater) in enumerate(
        (n, system, rater) for n in (1, 2) for system in ("A", "B") for rater in ("r1", "r2")
    )
]


# The mapping page


def test_a_column_of_systems_replaces_the_name_of_the_file(pages):
    rows = [["id", "who", "text"], ["s1", "BART", "Late."], ["s1", "T5", "Too late."]]
    address, page = pages.upload({"results.csv": rows, "segments.csv": SEGMENTS})
    assert first_mappings(page)[0]["constants"] == {"system": "results"}
    done(pages.press(address, page, of_table(0, column_system="column:who")))
    systems = Output.objects.filter(system__kind="system").values_list("system__name", "text")
    assert sorted(systems) == [("BART", "Late."), ("T5", "Too late.")]


def test_a_column_and_a_value_that_were_both_chosen_are_asked_about(pages):
    rows = [["id", "who", "text"], ["s1", "BART", "Late."]]
    address, page = pages.upload({"results.csv": rows, "segments.csv": SEGMENTS})
    both = of_table(0, column_system="column:who", constant_system="mine")
    page = pages.press(address, page, both)
    assert page.status_code == 400
    assert "Choose a column or a constant, not both." in page.text


def test_segments_read_from_a_file_of_ratings_have_no_attributes_unasked(pages):
    address, page = pages.upload({"ratings.csv": JUDGED})
    assert [mapping["table"] for mapping in first_mappings(page)] == ["ratings"]
    page = pages.look(address, page, {"file-0-add": "segments"})
    added = first_mappings(page)[-1]
    assert added["table"] == "segments"
    assert "attributes" not in added
    assert added["distinct"] is True
    page = pages.look(address, page, of_table(1, column_source="column:before"))
    page = pages.look(address, page, {"file-0-add": "outputs"})
    told = of_table(2, column_output="column:after") | of_table(0, constant_aspect="style")
    done(pages.press(address, page, told))
    assert Segment.objects.count() == 2
    assert {json.dumps(a) for a in Segment.objects.values_list("attributes", flat=True)} == {"{}"}
    assert Output.objects.filter(system__kind="system").count() == 4
    assert Rating.objects.count() == 8


def test_a_table_that_is_added_later_takes_its_columns_out_of_the_attributes(pages):
    rows = [["key", "from", "said", "word"], ["s1", "dunno", "I do not know.", "x"]]
    address, page = pages.upload({"a.csv": rows})
    page = pages.look(address, page, {"file-0-add": "segments"})
    kept = {"column_segment": "column:key", "column_source": "column:from"}
    page = pages.look(address, page, of_table(0, **kept))
    page = pages.look(address, page, {"file-0-add": "outputs"})
    told = {"column_segment": "column:key", "column_output": "column:said"}
    page = pages.look(address, page, of_table(1, **told, constant_system="BART"))
    assert first_mappings(page)[0]["attributes"] == ["word"]


def test_a_table_that_lacks_a_field_can_be_left_unread(pages):
    address, page = pages.upload({"ratings.csv": RATINGS, "outputs.csv": OUTPUTS})
    page = pages.look(address, page, {"file-0-add": "segments"})
    page = pages.press(address, page)
    assert page.status_code == 400
    assert "or tick “Do not read this table”" in page.text


# What messages advise


KEPT = dict.fromkeys(
    (
        *("changed-repeats:ratings", "equal-repeats:ratings", "unlike-others:ratings:style"),
        *("scores-differ:metric_scores", "repeated:outputs", "repeated:segments"),
    ),
    KEEP,
)


def problem_of(tmp_path, files):
    folder = write_files(tmp_path / "study", files)
    job = import_path(folder, accept=False, answers=KEPT)
    assert job.state == "failed"
    return job.result["problems"][0]


def test_ratings_that_seem_repeated_are_led_to_the_columns_that_tell_them_apart(tmp_path):
    rows = [["segment_id", "system", "rater", "week", "aspect", "score"]]
    rows += [["s1", "BART", "ann", week, "style", "40"] for week in ("first", "second")]
    problem = problem_of(tmp_path, TABLES | {"ratings.csv": rows})
    assert problem["code"] == "duplicate"
    message = problem["message"]
    assert "is listed already at ratings.csv:2" in message
    assert "map the column that says so: campaign, revision" in message
    assert "Pass over records that repeat an earlier one" in message
    assert "remove" not in message


@pytest.mark.parametrize(
    ("name", "fields"),
    [("outputs.csv", "variant"), ("metric_scores.csv", "aspect, text_setting, variant")],
)
def test_other_tables_name_the_fields_of_theirs(tmp_path, name, fields):
    rows = [*TABLES[name], [*TABLES[name][1][:-1], "0.25"]]
    message = problem_of(tmp_path, TABLES | {name: rows})["message"]
    assert f"map the column that says so: {fields}" in message
    assert "remove" not in message


def test_repeated_segments_are_led_to_passing_over_them(tmp_path):
    rows = [*SEGMENTS, ["s1", *SEGMENTS[2][1:]]]
    message = problem_of(tmp_path, TABLES | {"segments.csv": rows})["message"]
    assert "map the column" not in message
    assert "Pass over records that repeat an earlier one" in message


def test_what_two_files_hold_is_led_to_leaving_one_out(tmp_path):
    changed = [OUTPUTS[0], [*OUTPUTS[1][:2], "another text"]]
    message = problem_of(tmp_path, TABLES | {"outputs-copy.csv": changed})["message"]
    assert "leave one of the two files out" in message


def test_ratings_without_an_answer_are_passed_over_where_the_mapping_says_so(tmp_path):
    rows = [*RATINGS[:5], ["s4", "T5", "r1", "style", ""], ["s4", "T5", "r2", "style", "NA"]]
    folder = write_files(tmp_path / "asked", TABLES | {"ratings.csv": rows})
    kept = import_path(folder, answers={"unlike-others:ratings:style": "keep"})
    assert "missing" in kept.result["problems"][0]["message"]
    columns = {"segment": "segment_id"} | {name: name for name in rows[0][1:]}
    mapping = {"table": "ratings", "columns": columns, "missing": ["", "NA"]}
    folder = write_files(tmp_path / "study", TABLES | {"ratings.csv": rows})
    job = import_path(folder, mappings={"ratings.csv": [mapping]})
    assert job.state == "done", job.error
    assert "questions" not in job.result
    assert job.result["tables"]["ratings"] == {"added": 4, "unchanged": 0}
    assert "ratings.csv: 2 ratings without an answer were passed over." in job.result["notes"]


# One record for each entry of a list


def exploded(tmp_path, name, content):
    mapping = {
        "table": "ratings",
        "columns": {"segment": "id", "system": "system", "score": "score"},
        "constants": {"aspect": "style"},
        "explode": "ratings",
    }
    files = TABLES | {name: content}
    del files["ratings.csv"]
    folder = write_files(tmp_path / "study", files)
    job = import_path(folder, mappings={name: [mapping]})
    assert job.state == "failed"
    [problem] = job.result["problems"]
    return problem


def test_a_table_of_columns_cannot_be_exploded(tmp_path):
    rows = [["id", "system", "score"], ["s1", "BART", "40"]]
    problem = exploded(tmp_path, "judged.csv", rows)
    assert (problem["file"], problem["code"]) == ("judged.csv", "mapping")
    assert (problem["column"], problem["found"]) == ("explode", "ratings")
    assert "Take explode out of the mapping" in problem["message"]


@pytest.mark.parametrize("rest", ["", ', "ratings": 3'])
def test_json_without_that_list_cannot_be_exploded(tmp_path, rest):
    line = f'{{"id": "s1", "system": "BART", "score": 40{rest}}}\n'
    problem = exploded(tmp_path, "judged.jsonl", line)
    assert (problem["column"], problem["expected"]) == ("explode", "a list called ratings")


def test_parquet_without_that_list_cannot_be_exploded(tmp_path):
    sink = pyarrow.BufferOutputStream()
    table = pyarrow.table({"id": ["s1"], "system": ["BART"], "score": [40.0]})
    pyarrow.parquet.write_table(table, sink)
    problem = exploded(tmp_path, "judged.parquet", sink.getvalue().to_pybytes())
    assert (problem["column"], problem["expected"]) == ("explode", "a list called ratings")


def test_a_list_that_is_empty_everywhere_is_no_mistake(tmp_path):
    line = '{"id": "s1", "system": "BART", "score": 40, "ratings": []}\n'
    mapping = {
        "table": "ratings",
        "columns": {"segment": "id", "system": "system", "score": "ratings[].score"},
        "constants": {"aspect": "style"},
        "explode": "ratings",
    }
    files = TABLES | {"judged.jsonl": line}
    folder = write_files(tmp_path / "study", files)
    job = import_path(folder, mappings={"judged.jsonl": [mapping]})
    assert job.state == "done", job.error


def test_a_job_that_is_started_on_the_page_refuses_it_too(pages):
    files = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS, "ratings.csv": RATINGS}
    address, page = pages.upload(files)
    mapping = {
        "table": "ratings",
        "columns": {"segment": "segment_id"} | {name: name for name in RATINGS[0][1:]},
        "explode": "ratings",
    }
    place = next(
        place for place in range(3) if f'file-{place}-name" value="ratings.csv"' in page.text
    )
    page = pages.look(address, page, {f"file-{place}-text": json.dumps([mapping])})
    job = finished(pages.press(address, page))
    assert job.state == "failed"
    assert "explode" in job.error
