"""A part of a cell that counts, taken by the literal texts around it."""

from pathlib import Path

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from corpus.tabular import database
from corpus.tabular.shaping.taking import fault_of_taking, taken
from tests.fixtures.mapped_tables import places, read, saved

CONNECTION = duckdb.connect()
CONNECTION.execute(Path(database.__file__).with_name("macros.sql").read_text(encoding="utf-8"))
COLUMNS = {"segment": "id", "system": "sys", "score": "answers"}
HEADER = ["id", "sys", "answers"]


def scores(folder, pattern, cells, **more):
    mapping = {"table": "ratings", "columns": COLUMNS, "take": {"score": pattern}} | more
    rows = [HEADER, *([str(n), "A", cell] for n, cell in enumerate(cells))]
    found, log = read(saved(folder, "r.csv", rows), mapping)
    return [record.get("score") for record in found], log


def test_a_number_is_taken_out_of_named_answers(tmp_path):
    cells = ["grammaticality=4;fluency=3", "fluency=2;grammaticality=5"]
    patterns = ["grammaticality={};", "grammaticality={}"]
    assert scores(tmp_path, patterns, cells)[0] == [4, 5]
    assert scores(tmp_path, ["fluency={};", "fluency={}"], cells)[0] == [3, 2]
    assert scores(tmp_path, "{}/5", ["4/5", "2.5/5"])[0] == [4, 2.5]
    assert scores(tmp_path, "= {} (", ["sure = 3 (of 4)"])[0] == [3]


def test_a_cell_that_does_not_match_is_a_problem_unless_it_is_missing(tmp_path):
    cells = ["4/5", "NA", "", "4 of 5"]
    found, log = scores(tmp_path, "{}/5", cells, missing=["NA", ""])
    assert found == [4, None, None]
    assert places(log) == [(5, "answers", "4 of 5", "pattern")]
    assert log.problems[0].expected == "a text like '{}/5'"


def test_a_beginning_that_occurs_twice_is_refused(tmp_path):
    found, log = scores(tmp_path, "grammar={}", ["grammar=4", "my_grammar=3;grammar=4"])
    assert found == [4]
    assert [p.expected for p in log.problems] == ["'grammar=' once"]


def test_parts_are_taken_before_their_meaning_is_looked_up(tmp_path):
    values = {"values": {"score": {"good": "2", "none given": "0"}}}
    found, log = scores(tmp_path, "Answer: {}.", ["Answer: good.", "none given"], **values)
    assert found == [2, 0]
    assert log.problems == ()


ends = st.text(alphabet="ab", max_size=3)


@given(ends, ends, st.text(alphabet="abc", max_size=12))
def test_the_part_is_what_a_search_for_both_ends_finds(before, after, text):
    pattern = before + "{}" + after
    starts = [n for n in range(len(text) + 1) if text.startswith(before, n)] if before else [0]
    rest = text[starts[0] + len(before) :] if starts else ""
    fits = len(starts) == 1 and (after in rest)
    expected = (rest.split(after)[0] if after else rest) if fits else None
    part = taken("cell", (pattern,), ())
    fault = fault_of_taking("c", "cell", (pattern,), ())
    query = f"SELECT CASE WHEN {fault} IS NULL THEN {part} END FROM (SELECT ? AS cell)"
    assert CONNECTION.execute(query, [text]).fetchone() == (expected if text else "",)
