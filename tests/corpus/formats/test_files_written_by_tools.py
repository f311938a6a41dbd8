"""Files that annotation tools and metrics wrote themselves are read by name, to the last row."""

import shutil
from pathlib import Path

import pyarrow as pa
import pytest

from corpus.models import Output, Study
from tests.fixtures.mt_metrics_eval_tree import scores_of
from tests.fixtures.stored_rows import outputs, rated
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db

WRITTEN = Path(__file__).parent / "written_by"
OUTPUTS = {("s1", "A", "Good day."), ("s1", "B", "Hello,\nyou."), ("s2", "A", 'Café "☕"')}


def taken(path: str, title: str):
    """Import what a tool wrote, which must be taken for what it is; return the job's result."""
    job = import_path(WRITTEN / path)
    assert job.state == "done", job.result
    assert job.result["read_as"] == title
    return job.result


@pytest.mark.parametrize("layout", ["saved", "saved_splits", "pushed"])
def test_a_dataset_of_hugging_face(layout):
    taken(f"datasets-5.2.0/{layout}", "Hugging Face dataset folder")
    assert outputs() == {
        ("s1", "A", "Good day."),
        ("s1", "B", 'A "good" day.'),
        ("s2", "A", "The window, please!"),
        ("s2", "B", "Café ☕"),
    }
    assert rated() == {
        ("s1", "A", "r1", "fluency", 4.0),
        ("s1", "B", "r1", "fluency", 2.5),
        ("s2", "B", "r2", "fluency", 1.0),
    }
    assert Study.objects.get().title == ("Made-up ratings" if layout == "pushed" else "")


def saved_dataset(tmp_path: Path) -> tuple[Path, Path]:
    """Return a copy of a saved dataset, and its Arrow file."""
    folder = Path(shutil.copytree(WRITTEN / "datasets-5.2.0/saved", tmp_path / "saved"))
    return folder, folder / "data-00000-of-00001.arrow"


def test_an_arrow_file_that_unpacks_to_far_more_is_refused(tmp_path):
    folder, file = saved_dataset(tmp_path)
    table = pa.table({"output": ["x" * 1_000_000] * 5})
    packed = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(str(file), table.schema, options=packed) as stream:
        stream.write_table(table, max_chunksize=1)
    [problem] = import_path(folder).result["problems"]
    assert (problem["file"], problem["code"]) == (file.name, "expansion")


def test_label_studio():
    notes = taken("label-studio-1.23.2/ratings.json", "Label Studio (JSON)")["notes"]
    assert outputs() == OUTPUTS
    assert rated() == {
        ("s1", "A", "1", "fluency", 5.0),
        ("s1", "A", "1", "adequacy", 90.0),
        ("s1", "A", "2", "fluency", 4.0),
        ("s1", "B", "1", "fluency", 2.0),
    }
    assert "1 annotations that were skipped were left out." in notes


@pytest.mark.parametrize("whole", [True, False])
def test_potato(whole):
    path = "project" if whole else "annotations.jsonl"
    result = taken(f"potato-2.12.1/{path}", "Potato annotations")
    answers = [
        ("s1", "A", "anna", "fluency", 5.0),
        ("s1", "A", "anna", "adequacy", 90.0),
        ("s1", "B", "anna", "fluency", 2.0),
        ("s1", "B", "anna", "adequacy", 40.0),
        ("s1", "A", "bert", "fluency", 4.0),
        ("s1", "A", "bert", "adequacy", 85.0),
        ("s2", "A", "bert", "fluency", 1.0),
    ]
    if whole:
        assert outputs() == OUTPUTS
        assert rated() == set(answers)
        assert any("repeats user_state.json" in note for note in result["notes"])
    else:
        assert rated() == {(f"{s}-{y}", "annotated", *said) for s, y, *said in answers}
        assert any("does not store the texts" in note for note in result["notes"])


@pytest.mark.parametrize("name", ["annotations.json", "made_up.jsonl"])
def test_pearmut(name):
    notes = taken(f"pearmut-1.1.6/{name}", "Pearmut annotations (JSON)")["notes"]
    errors = {row for row in rated() if row[3] != "overall"}
    assert {row for row in errors if row[4]} == {
        *(("s1", "B", rater, "errors_minor", -1.0) for rater in ("anna", "bert")),
        ("s2", "B", "bert", "errors_minor", -1.0),
    }
    assert len(errors) == 2 * 6
    assert rated() - errors == {
        ("s1", "A", "anna", "overall", 90.0),
        ("s1", "B", "anna", "overall", 40.0),
        ("s1", "A", "bert", "overall", 80.0),
        ("s1", "B", "bert", "overall", 35.0),
        ("s2", "A", "bert", "overall", 0.0),
        ("s2", "B", "bert", "overall", 70.5),
    }
    assert outputs() == OUTPUTS | {("s2", "B", "Yes.")}
    assert Output.objects.get(system__kind="reference").text == "Good day."
    assert "2 answers that were reset or given again later were left out." in notes
    assert any(note.startswith("The aspects errors_major and errors_minor") for note in notes)


def test_argilla():
    anna, bert = (f"00000000-0000-0000-0000-00000000000{n}" for n in (1, 2))
    notes = taken("argilla-2.8.0/records.json", "Argilla records (JSON)")["notes"]
    assert outputs() == {*OUTPUTS - {("s2", "A", 'Café "☕"')}, ("s2", "A", "Yes.")}
    assert rated() == {
        ("s1", "A", anna, "fluency", 5.0),
        ("s1", "A", bert, "fluency", 4.0),
        ("s1", "B", anna, "fluency", 2.0),
        ("s1", "B", bert, "fluency", 1.0),
    }
    assert any("1 suggestions" in note for note in notes)


def test_doccano_with_a_file_for_each_annotator():
    taken("doccano-1.8.4/each", "doccano (JSON Lines)")
    assert outputs() == OUTPUTS
    assert rated() == {
        ("s1", "A", "anna", "fluency", 5.0),
        ("s1", "B", "anna", "fluency", 2.0),
        ("s1", "A", "bert", "fluency", 4.0),
        ("s2", "A", "bert", "fluency", 1.0),
    }


def test_doccano_whose_annotators_work_together():
    taken("doccano-1.8.4/together", "doccano (JSON Lines)")
    assert outputs() == OUTPUTS
    assert {(s, y, v) for s, y, _, _, v in rated()} == {
        ("s1", "A", 5.0),
        ("s1", "A", 4.0),
        ("s1", "B", 2.0),
        ("s2", "A", 1.0),
    }


def test_comet():
    result = taken("unbabel-comet-2.2.7/scores.json", "COMET scores (JSON)")
    run = Study.objects.get().runs.get()
    expected = {("A", "1"): 0.875, ("A", "2"): 1.0, ("B", "1"): 0.25, ("B", "2"): 0.0625}
    assert scores_of(run) == expected
    assert ("2", "B", 'Café "☕"') in outputs()
    assert any("error spans are passed over" in note for note in result["notes"])
