"""What an import passes over on purpose is counted and said in its result."""

import pytest

from annotation.models import Rating
from corpus.models import Output
from corpus.tabular.shaping.mapping import Mapping, Wide
from tests.fixtures.study_files import import_path, write_files

TEXTS = [["id", "sys", "text"], ["s1", "A", "x"], ["s1", "A", "x"], ["s1", "A", "x"]]
WIDE = Mapping(
    "ratings",
    {"segment": "id", "system": "sys"},
    wide=Wide("rater", "score", ("r1", "r2"), skip_empty=True),
    missing=("NA",),
)


@pytest.mark.django_db
def test_the_result_of_an_import_says_how_many_of_each_file_and_table(tmp_path):
    rated = [["id", "sys", "r1", "r2"], ["s1", "A", "4", ""]]
    files = {"texts.csv": TEXTS, "rated.csv": rated}
    both = [
        {"table": "segments", "columns": {"segment": "id", "source": "id"}, "distinct": True},
        {
            "table": "outputs",
            "columns": {"segment": "id", "system": "sys", "output": "text"},
            "distinct": True,
        },
    ]
    ratings = WIDE.to_dict() | {"constants": {"aspect": "fluency"}}
    job = import_path(
        write_files(tmp_path / "study", files),
        mappings={"texts.csv": both, "rated.csv": [ratings]},
    )
    assert job.state == "done", job.error
    assert Output.objects.filter(system__kind="system").count() == 1
    assert Rating.objects.count() == 1
    repeated = "2 records passed over, because an earlier one is the same."
    said = [note for note in job.result["notes"] if "passed over" in note]
    assert said == [
        f"texts.csv (segments): {repeated}",
        f"texts.csv (outputs): {repeated}",
        "rated.csv: 1 empty cell passed over.",
    ]
