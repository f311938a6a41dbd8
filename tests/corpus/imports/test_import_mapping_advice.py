"""The mapping page and the messages of imports lead to the mapping that is meant."""

import pytest

from corpus.tabular.questions.question import KEEP
from tests.fixtures.study_files import RATINGS, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


# The mapping page


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
