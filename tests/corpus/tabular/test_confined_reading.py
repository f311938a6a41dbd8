"""Files are read in another process, and what comes back is what reading them here gives."""

import os
import signal
from pathlib import Path

import pytest

from corpus.tabular.confined import frames
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.harmful_files import written
from tests.fixtures.tabular_reading import preview, records
from tests.fixtures.tabular_specs import SEGMENTS

MAPPING = Mapping(
    "segments",
    {"segment": "segment", "source": "source", "reference": '= ["ref 1", "ref 2"]'},
    attributes=("domain", "more"),
)
ROWS = [
    {
        "segment": f"s{n}" if n % 700 else "",
        "source": f"naïve 😀 \u2028 {n}\n\t",
        "ref 1": "",
        "ref 2": "x" * (n % 5),
        "domain": str(n),
        "more": "",
    }
    for n in range(2500)
]


@pytest.fixture
def reading():
    with ConfinedReading() as reading:
        yield reading


def source(folder: Path, name: str, rows=ROWS) -> SourceFile:
    (folder / name).write_bytes(written(name, rows))
    kind = name.removesuffix(".gz").rpartition(".")[2]
    return SourceFile(folder / name, name, kind, name.endswith(".gz"))


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "a.csv.gz", "a.jsonl.gz"])
def test_records_and_previews_are_those_of_reading_here(tmp_path, reading, name):
    file = source(tmp_path, name)
    here, there = ProblemLog(3), ProblemLog(3)
    expected = list(records(file, MAPPING, SEGMENTS, here))
    assert list(reading.records(file, MAPPING, SEGMENTS, there)) == expected
    assert there.to_dict() == here.to_dict()
    assert there.count == 4
    assert len(expected) == 2496
    assert reading.preview(file) == preview(file)


def test_typed_values_arrive_as_they_are(tmp_path, reading):
    row = {
        "segment": 1.0,
        "source": "x",
        "ref 1": "a",
        "ref 2": None,
        "domain": {"n": [1, 2.5, None, True]},
        "more": 10**30,
    }
    file = source(tmp_path, "a.jsonl", [row])
    [record] = reading.records(file, MAPPING, SEGMENTS, ProblemLog())
    assert [record] == list(records(file, MAPPING, SEGMENTS, ProblemLog()))
    assert record[1][4:] == (
        ("a",),
        {"domain": {"n": ["1", "2.5", None, "true"]}, "more": str(10**30)},
    )


def test_one_process_reads_all_and_a_new_one_follows_an_answer_left_half_heard(tmp_path, reading):
    file = source(tmp_path, "a.csv")
    reading.preview(file)
    first = reading._process
    left = reading.records(file, MAPPING, SEGMENTS, ProblemLog())
    next(left)
    assert reading._process is first
    assert reading.preview(file) == preview(file)
    assert reading._process is not first
    with pytest.raises(RuntimeError, match="another file"):
        list(left)


def test_a_process_that_is_killed_is_a_problem_and_the_next_file_is_read(tmp_path, reading):
    file = source(tmp_path, "a.csv", ROWS * 40)
    log = ProblemLog()
    rows = reading.records(file, MAPPING, SEGMENTS, log)
    next(rows)
    os.kill(reading._process.number, signal.SIGKILL)
    assert len(list(rows)) < len(ROWS) * 40
    [problem] = log.problems
    assert (problem.file, problem.code) == ("a.csv", "damaged")
    assert reading.preview(file).columns


def test_processes_are_copies_of_one_that_is_started_anew_where_it_ended(tmp_path):
    def nursery_of_a_reading() -> int:
        with ConfinedReading() as reading:
            assert reading.preview(source(tmp_path, "a.csv")).columns
            stat = Path(f"/proc/{reading._process.number}/stat").read_text()
            return int(stat.rpartition(")")[2].split()[1])

    first = nursery_of_a_reading()
    assert nursery_of_a_reading() == first
    os.kill(first, signal.SIGKILL)
    assert nursery_of_a_reading() != first


def test_the_process_knows_no_secrets_of_this_one(tmp_path, reading, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "nobody may know")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:password@host/name")
    reading.preview(source(tmp_path, "a.csv"))
    environment = Path(f"/proc/{reading._process.number}/environ").read_bytes()
    names = {each.partition(b"=")[0] for each in environment.split(b"\0") if each}
    assert names == {b"ARROW_DEFAULT_MEMORY_POOL", b"OMP_NUM_THREADS"}


def test_an_unknown_failure_is_told_in_words_and_logged(tmp_path, reading, caplog):
    file = SourceFile(tmp_path / "absent.csv", "a.csv", "csv")
    with pytest.raises(TableError) as raised:
        reading.preview(file)
    [problem] = raised.value.problems
    assert (problem.file, problem.code) == ("a.csv", "unreadable")
    assert str(tmp_path) not in str(problem)
    assert "FileNotFoundError" in caplog.text


# Frames


def frame_reader(data: bytes) -> frames.FrameReader:
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    return frames.FrameReader(read, 5)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0",
        frames.HEADER.pack(frames.ROWS, 5) + b"[1]",
        frames.HEADER.pack(9, 2) + b"[]",
        frames.HEADER.pack(frames.ANSWER, frames.LONGEST + 1),
        frames.HEADER.pack(frames.ANSWER, 2) + b"[}",
        frames.HEADER.pack(frames.ANSWER, 2) + b"\xff\xfe",
        frames.HEADER.pack(frames.ANSWER, 20_000) + b"[" * 20_000,
    ],
)
def test_what_is_no_frame_is_refused(data):
    with pytest.raises(frames.BrokenFrameError):
        frame_reader(data).read()
