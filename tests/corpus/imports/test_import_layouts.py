"""Five layouts that are not Touchstone's own, through guessed and through written mappings."""

import pytest

from tests.fixtures.foreign_layouts import TEXTS, WIDE_RATERS, ratings
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db


def done(job):
    assert job.state == "done", job.error
    assert job.result["unrecognised"] == []
    return job


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
