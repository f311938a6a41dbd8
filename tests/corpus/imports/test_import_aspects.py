"""Names of aspects at import: as what each is read is noted."""

import pytest

from tests.fixtures.study_files import RATINGS, SCORES, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


def renamed(rows, place, names):
    head, *rest = rows
    return [
        head,
        *([*row[:place], names.get(row[place], row[place]), *row[place + 1 :]] for row in rest),
    ]


OTHERS = renamed(RATINGS, 3, {"style": "style_strength", "content": "humour"})
SCORED = [[*SCORES[0], "aspect"], *([*row, "meaning"] for row in SCORES[1:])]
FILES = TABLES | {"ratings.csv": OTHERS, "metric_scores.csv": SCORED}
WHERE = "Change it in the study under Aspects, or in study.json (aspects)."


def aspect_notes(job):
    assert job.state == "done", job.error
    return [note for note in job.result["notes"] if "aspect" in note]


def test_synonyms_and_unknown_names_are_noted_once_each(tmp_path):
    job = import_path(write_files(tmp_path / "1", FILES))
    assert aspect_notes(job) == [
        f"humour is an aspect without a family: no metric is known to measure it. {WHERE}",
        f"style_strength is read as the aspect Style. {WHERE}",
        f"meaning is read as the aspect Content. {WHERE}",
    ]
