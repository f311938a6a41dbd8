"""A study archive says on which side texts were shown, and how long raters took."""

import csv
import io

import pytest

from analysis.data import matrices
from annotation.queue.handing_out import next_assignments
from corpus.exports.bundle import write_bundle
from tests.corpus.exports.test_export_bundle import members
from tests.fixtures.campaigns import make_campaign, make_study, send
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db
COLUMNS = ("segment", "system", "against", "rater", "aspect", "judgement", "side", "seconds")


@pytest.fixture(autouse=True)
def _forget():
    matrices.forget()
    yield
    matrices.forget()


def ratings_of(study, tmp_path):
    write_bundle(study, tmp_path / f"{study.slug}.zip")
    content = members(tmp_path / f"{study.slug}.zip")["ratings.csv"].decode()
    return list(csv.DictReader(io.StringIO(content, newline="")))


def imported(tmp_path, *rows, columns=COLUMNS, slug="small"):
    tables = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS, "ratings.csv": [columns, *rows]}
    return import_path(write_files(tmp_path / "files", tables), slug=slug)


def faults(job):
    assert job.state == "failed"
    return [(p["line"], p["column"]) for p in job.result["problems"]]


def test_the_side_in_the_archive_is_that_on_which_the_system_was_shown(tmp_path):
    study = make_study(8, 2)
    _, [annotator] = make_campaign(study, "output_against_output", annotators=1)
    shown_on_a = {}
    while screen := next_assignments(annotator):
        item = screen[0].item
        on_a = item.second if screen[0].swapped else item.first
        shown_on_a[item.first.segment.key] = on_a.system.name
        send(annotator, screen[0], {"overall": "a"}, active_seconds=2.5)
    rows = ratings_of(study, tmp_path)
    assert {row["side"] for row in rows} == {"a", "b"}
    for row in rows:
        on_a = row["system"] if row["side"] == "a" else row["against"]
        assert on_a == shown_on_a[row["segment"]] == row["judgement"]
        assert row["seconds"] == "2.5"


@pytest.mark.parametrize(("against", "side"), [("T5", "b"), ("(source)", "a"), ("T5", "")])
def test_a_side_in_a_table_is_read_and_written_again(against, side, tmp_path):
    job = imported(tmp_path, ["s1", "BART", against, "r1", "overall", "tie", side, "3.25"])
    assert job.state == "done", job.error
    judged = matrices.load(job.study).judgements
    data = matrices.load(job.study)
    first = data.column_of_output[judged.first[0]]
    is_first = first >= 0 and data.systems[first].name == "BART"
    assert judged.side[0] == (-1 if not side else int((side == "b") == is_first))
    [row] = ratings_of(job.study, tmp_path)
    assert row["seconds"] == "3.25"
    if side:
        on_a = row["system"] if row["side"] == "a" else row["against"]
        assert (on_a == "BART") == (side == "a")
    else:
        assert "side" not in row


def test_what_is_no_side_and_no_time_is_refused_where_it_is(tmp_path):
    job = imported(
        tmp_path,
        ["s1", "BART", "T5", "r1", "overall", "T5", "above", ""],
        ["s2", "BART", "T5", "r1", "overall", "T5", "a", "-1"],
    )
    assert faults(job) == [(2, "side"), (3, "seconds")]


def test_two_sides_or_times_of_one_judgement_are_refused(tmp_path):
    job = imported(
        tmp_path,
        ["s1", "BART", "T5", "r1", "overall", "T5", "a", "4"],
        ["s1", "BART", "T5", "r1", "fluency", "T5", "b", "5"],
        ["s2", "BART", "T5", "r1", "overall", "T5", "a", "4"],
        ["s2", "BART", "T5", "r1", "fluency", "T5", "", ""],
    )
    assert faults(job) == [(3, "side"), (3, "seconds")]


def test_judgements_imported_into_a_live_campaign_have_no_side_that_nobody_stated(tmp_path):
    job = imported(tmp_path, ["s1", "BART", "T5", "r1", "overall", "T5", "", ""])
    job.study.campaigns.update(origin="live")
    matrices.forget()
    assert matrices.load(job.study).judgements.side.tolist() == [-1]
