"""Another package adds a format by an entry point; one that fails does not stop imports."""

import pytest

from corpus.formats import catalogue
from corpus.formats.catalogue import found_as
from corpus.tabular.limits import DEFAULT_LIMITS
from corpus.tabular.opening.loading import Tables
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import TableError
from tests.fixtures.study_files import write_files

MODULE = """
from pathlib import Path

from corpus.formats.queries import QueryFormat

FORMAT = QueryFormat(Path(__file__).with_name("somebodys_lists.sql"))
"""
QUERIES = """-- name: lists
-- title: Lists of somebody
-- recognised: texts = *.list.csv with ID, src | source
-- optional: votes = *.votes.csv like s\\d
-- dialect: votes = {"header": false, "delimiter": ";"}
-- preset: changed-repeats:ratings = first
WITH texts AS (
    SELECT _row, record->>'ID' AS segment, record->>'src' AS source, stem AS system FROM {texts})

-- table: outputs
SELECT segment, system, source || '!' AS output FROM texts;

-- table: segments
SELECT segment, source FROM texts;

-- table: ratings
SELECT votes._row, segment, system, 'ann' AS rater, 'fluency' AS aspect,
       record->>'column 2' AS score
FROM {votes} AS votes JOIN texts ON segment = record->>'column 1';

-- table: notes
SELECT format('{:,} texts were read.', count(*)) FROM texts;
"""
POINTS = """[touchstone.formats]
lists = somebodys_lists:FORMAT
broken = somebodys_broken:FORMAT
ours = corpus.formats.hugging_face:FORMAT
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package that names three formats."""
    folder = tmp_path / "installed"
    folder.mkdir()
    (folder / "somebodys_lists.py").write_text(MODULE)
    (folder / "somebodys_lists.sql").write_text(QUERIES)
    info = folder / "somebodys_lists-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys-lists\nVersion: 1\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(folder)
    catalogue.formats.cache_clear()
    yield
    catalogue.formats.cache_clear()


def test_an_entry_point_adds_a_format_and_a_broken_one_is_passed_over(installed):
    known = catalogue.formats()
    assert known["lists"].title == "Lists of somebody"
    assert list(known)[-1] == "lists"
    assert "broken" not in known
    assert known["comet"] is catalogue.format_named("comet")


def read(folder, work):
    """Return what a format reads in files: rows by table, notes, and what the study would be."""
    work.mkdir()
    tables = Tables(work / "tables", DEFAULT_LIMITS)
    found = discover(folder, work)
    read = found_as(found, "lists", "", work / "format", DEFAULT_LIMITS, tables)
    rows = {}
    for name, mappings in read.mappings.items():
        for mapping in mappings:
            with tables.database.selected(mapping.query, name) as selected:
                rows[mapping.table] = sorted(row for rows in selected.pieces() for row in rows)
    return rows, read, tables.presets


def test_files_of_two_kinds_are_read_by_queries_over_all_of_them(installed, tmp_path):
    files = {
        "A.list.csv": "ID,src\ns1,Hi\n",
        "B.list.csv": "ID,source,src\ns2,no,Ho\n",
        "x.votes.csv": "s1;4\ns2;5\n",
    }
    rows, read_as, presets = read(write_files(tmp_path / "files", files), tmp_path / "work")
    assert rows["outputs"] == [("s1", "A.list", "Hi!"), ("s2", "B.list", "Ho!")]
    assert rows["ratings"] == [
        (1, "s1", "A.list", "ann", "fluency", "4"),
        (2, "s2", "B.list", "ann", "fluency", "5"),
    ]
    assert read_as.format.notes == ("2 texts were read.",)
    assert presets == {"changed-repeats:ratings": "first"}


def test_what_finds_nothing_is_left_out_and_nothing_at_all_is_refused(installed, tmp_path):
    files = {"A.list.csv": "ID,src\ns1,Hi\n"}
    rows, *_ = read(write_files(tmp_path / "files", files), tmp_path / "work")
    assert set(rows) == {"segments", "outputs"}
    with pytest.raises(TableError, match="nothing that can be stored"):
        read(write_files(tmp_path / "none", {"a.csv": "a\n1\n"}), tmp_path / "other")
