"""Identifiers of imported submissions: in the order of their rows, and each import's its own."""

import pytest

from annotation.models import Submission
from tests.fixtures.study_files import RATINGS, TABLES, import_path, write_files


@pytest.mark.django_db
def test_submissions_of_an_import_follow_each_other_so_that_their_index_grows_at_its_end(tmp_path):
    beginnings = []
    for number, (slug, files) in enumerate([("one", TABLES), ("two", TABLES)]):
        job = import_path(write_files(tmp_path / slug, files), slug=slug)
        assert job.state == "done", job.error
        submissions = Submission.objects.filter(item__campaign__study__slug=slug)
        found = [uuid.hex for uuid in submissions.order_by("pk").values_list("uuid", flat=True)]
        assert len(found) == len(set(found)) == len({tuple(row[:3]) for row in RATINGS[1:]})
        assert found == sorted(found)
        beginnings.append({uuid[:16] for uuid in found})
        assert len(beginnings[number]) == 1
    assert not beginnings[0] & beginnings[1]


@pytest.mark.django_db
def test_an_import_that_adds_ratings_gives_identifiers_that_none_had_before(tmp_path):
    assert import_path(write_files(tmp_path / "one", TABLES)).state == "done"
    before = set(Submission.objects.values_list("uuid", flat=True))
    more = [RATINGS[0], [*RATINGS[1][:2], "another rater", *RATINGS[1][3:]]]
    assert import_path(write_files(tmp_path / "two", {"ratings.csv": more})).state == "done"
    after = set(Submission.objects.values_list("uuid", flat=True))
    assert before < after
