"""Five layouts that are not Touchstone's own, through guessed and through written mappings."""

import json

import pytest

from corpus.imports.options import ImportOptions
from corpus.imports.recognise import recognise
from corpus.models import Segment
from corpus.tabular.confined.session import ConfinedReading
from tests.fixtures.foreign_layouts import BATCH, TEXTS, WIDE_RATERS, ratings
from tests.fixtures.study_files import import_path, questions, write_files

pytestmark = pytest.mark.django_db


def done(job):
    assert job.state == "done", job.error
    assert job.result["unrecognised"] == []
    return job


def guessed_mappings(path, tmp_path):
    """What the mapping page would propose, as JSON that went through a browser."""
    (tmp_path / "work").mkdir()
    with ConfinedReading() as reading:
        found = recognise(reading, path, tmp_path / "work", ImportOptions())
    proposed = {file.source.name: [m.to_dict() for m in file.mappings] for file in found.files}
    return json.loads(json.dumps(proposed))


WIDE_RATERS_MAPPING = {
    "table": "ratings",
    "columns": {"segment": "segment", "system": "system"},
    "constants": {"aspect": "fluency"},
    "wide": {
        "name": "rater",
        "value": "score",
        "columns": ["rater1", "rater2", "rater3"],
        "skip_empty": True,
    },
}


def test_a_score_off_the_scale_in_a_wide_table_is_shown_in_its_own_column(tmp_path):
    rows = [*WIDE_RATERS, ["s2", "BART", "1", "6", "1"]]
    path = write_files(tmp_path / "study", TEXTS | {"human.csv": rows})
    job = import_path(path, mappings={"human.csv": [WIDE_RATERS_MAPPING]})
    [problem] = job.result["problems"]
    shown = [problem[name] for name in ("file", "line", "column", "found", "expected")]
    assert shown == ["human.csv", 4, "rater2", "6", "1 to 5"]


def test_a_crowd_platforms_batch_makes_keys_from_sources(tmp_path):
    files = {"Batch_1_results.csv": BATCH, "study.json": {"protocol": "likert"}}
    path = write_files(tmp_path / "study", files)
    done(import_path(path, mappings=guessed_mappings(path, tmp_path)))
    # printf 'it depends' | sha256sum | cut -c 1-12
    assert Segment.objects.get().key == "3801aec8d5e9"
    assert ratings() == [
        ("BART", "w1", "content", 5),
        ("BART", "w1", "style", 4),
        ("BART", "w2", "content", 4),
        ("BART", "w2", "style", 4),
        ("T5", "w1", "content", 3),
        ("T5", "w1", "style", 5),
    ]


def test_a_worker_who_rated_twice_is_noticed(tmp_path):
    files = {"Batch_1_results.csv": [*BATCH, BATCH[1]], "study.json": {"protocol": "likert"}}
    path = write_files(tmp_path / "study", files)
    assert questions(import_path(path, accept=False)) == {"equal-repeats:ratings": "once"}
    kept = import_path(path, answers={"equal-repeats:ratings": "keep"})
    assert [(p["line"], p["code"]) for p in kept.result["problems"]] == [(5, "duplicate")] * 2
    done(import_path(path))
    assert len(ratings()) == 6


def test_queries_in_the_study_file_are_followed(tmp_path):
    query = """
-- table: segments
SELECT * FROM files."segments.csv";
-- table: outputs
SELECT * FROM files."outputs.csv";
-- table: ratings
SELECT _row, segment, system, 'fluency' AS aspect,
    {'rater1': rater1, 'rater2': rater2, 'rater3': nullif(rater3, '')} AS score_by_rater
FROM files."human.csv";
"""
    declared = TEXTS["study.json"] | {"query": query}
    files = TEXTS | {"human.csv": WIDE_RATERS, "study.json": declared}
    done(import_path(write_files(tmp_path / "study", files)))
    assert len(ratings()) == 5
