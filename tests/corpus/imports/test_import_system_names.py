"""Settings in the names of systems are pointed out, never guessed."""

import pytest

from corpus.models import System
from tests.fixtures.study_files import SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db
SETTINGS = ["CAAE-rho-0.01", "CAAE-rho-5", "ARAE-lambda-10", "DAR-gamma-1e-3"]


def imported(tmp_path, names, files=None, **options):
    outputs = [["segment_id", "system", "output"], *(["s1", name, "x"] for name in names)]
    files = {"segments.csv": SEGMENTS, "outputs.csv": outputs, **(files or {})}
    job = import_path(write_files(tmp_path / "study", files), **options)
    assert job.state == "done", job.error
    return [note for note in job.result["notes"] if "--system-pattern" in note]


@pytest.mark.parametrize(
    "names",
    [
        ["BART", "T5"],
        ["BART-large-cnn", "T5-base-v2"],
        [*SETTINGS, "HIGH"],
        ["CAAE-rho-0.01"],
        ["run-2019-11", "run-2019-12"],
        ["a-b-c-1", "a-b-c-2"],
    ],
)
def test_other_names_are_left_in_peace(tmp_path, names):
    assert imported(tmp_path, names) == []


def test_a_pattern_or_declared_attributes_leave_nothing_to_point_out(tmp_path):
    pattern = "{model}-{parameter}-{value}"
    assert imported(tmp_path, SETTINGS, system_pattern=pattern) == []
    assert System.objects.get(name="CAAE-rho-5").attributes["parameter"] == "rho"
    declared = {"systems": [{"system": SETTINGS[0], "model": "CAAE"}]}
    assert imported(tmp_path, SETTINGS, {"study.json": declared}, slug="declared") == []
