"""The mapping page and the messages of imports lead to the mapping that is meant."""

import json

import pytest

from annotation.models import Rating
from corpus.models import Output, Segment
from corpus.tabular.questions.question import KEEP
from tests.fixtures.import_pages import done, first_mappings, of_table
from tests.fixtures.study_files import RATINGS, SEGMENTS, TABLES, import_path, write_files

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
