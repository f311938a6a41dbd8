"""What an import passes over on purpose is counted and said in its result."""

import pytest

from annotation.models import Rating
from corpus.models import Output
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping, Wide
from corpus.tabular.problems import ProblemLog
from tests.fixtures.study_files import import_path, write_files
from tests.fixtures.tabular_reading import records
from tests.fixtures.tabular_specs import OUTPUTS, RATINGS

TEXTS = [["id", "sys", "text"], ["s1", "A", "x"], ["s1", "A", "x"], ["s1", "A", "x"]]
WIDE = Mapping(
    "ratings",
    {"segment": "id", "system": "sys"},
    wide=Wide("rater", "score", ("r1", "r2"), skip_empty=True),
    missing=("NA",),
)


def test_repeated_records_and_empty_cells_are_counted_inside_the_confined_process(tmp_path):
    place = tmp_path / "ratings.csv"
    place.write_text("id,sys,r1,r2\ns1,A,,NA\ns2,A,3,4\ns3,A,,5\ns3,A,,5\n")
    source = SourceFile(place, place.name, "csv")
    plain = ProblemLog()
    assert len(list(records(source, WIDE, RATINGS, plain))) == 4
    assert plain.counts == {"empty cells passed over": 4}
    with ConfinedReading() as reading:
        confined = ProblemLog()
        assert len(list(reading.records(source, WIDE, RATINGS, confined))) == 4
    assert confined.counts == plain.counts
    columns = {"segment": "id", "system": "sys", "output": "sys"}
    once = ProblemLog()
    assert len(list(records(source, Mapping("outputs", columns, distinct=True), OUTPUTS, once))) > 0
    assert once.counts == {"records passed over, because an earlier one is the same": 1}


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
