"""Tables without header, with other separators, comments or short rows are read as they are."""

import pytest

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.separated import SHORT as FILLED_UP
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import records, table
from tests.fixtures.tabular_specs import OUTPUTS


def saved(folder, text, name="outputs.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return SourceFile(path, name, name.rpartition(".")[2])


def rows(source, **said):
    """Return columns, lines and rows; every row is one of the file."""
    return table(source, **said)[:2]


def read(source, mapping, spec=OUTPUTS):
    """Return the values of the first three fields, with line, and the problems."""
    log = ProblemLog()
    return [values[:3] for _, values in records(source, mapping, spec, log)], log


def outputs_of(segment, system, output, **written):
    columns = {"segment": segment, "system": system, "output": output}
    return Mapping("outputs", columns, **written)


@pytest.mark.parametrize("separator", [" ", "|", "\t", ";", ":", "~"])
def test_any_character_separates(tmp_path, separator):
    source = saved(tmp_path, f"a{separator}{separator}b\n1{separator}2{separator}3\n")
    assert rows(source, delimiter=separator, header=False) == (
        ("column 1", "column 2", "column 3"),
        [(1, ["a", "", "b"]), (2, ["1", "2", "3"])],
    )


def test_runs_of_white_space_separate(tmp_path):
    text = '  sys   score \t note\nA\t 1.5  "two  words"\r\n\nB  2   "said ""no"""\n"C\n D" 3 x\n'
    source = saved(tmp_path, text)
    assert rows(source, delimiter="whitespace") == (
        ("sys", "score", "note"),
        [
            (2, ["A", "1.5", "two  words"]),
            (4, ["B", "2", 'said "no"']),
            (5, ["C\n D", "3", "x"]),
        ],
    )


def test_comments_are_passed_over_at_the_beginning_of_a_line_only(tmp_path):
    text = '# made by hand, in 2020\nid,sys,text\n#s0,A,-\ns1,A,"x\n# y"\n#\ns2,A,#1\n #3,A,z\n'
    source = saved(tmp_path, text)
    columns, found, log = table(source, comment="#")
    assert columns == ("id", "sys", "text")
    assert found == [
        (4, ["s1", "A", "x\n# y"]),
        (7, ["s2", "A", "#1"]),
        (8, [" #3", "A", "z"]),
    ]
    assert (log.counted(), log.problems) == (["3 comment lines passed over"], ())


SHORT = "segment,system,output,score,note\ns1,A,x,1\ns2,A,y\ns3,A\ns4,A,,2,n\n"


def test_a_short_row_lacks_what_nobody_needs(tmp_path):
    source = saved(tmp_path, SHORT)
    found, log = read(source, outputs_of("segment", "system", "output"))
    assert found == [("s1", "A", "x"), ("s2", "A", "y"), ("s4", "A", "")]
    assert log.counted() == [f"3 {FILLED_UP}"]
    # An empty output is an output, but one that is not there is none.
    assert [(p.line, p.column) for p in log.problems] == [(4, "output")]


def test_a_text_cut_in_two_by_a_carriage_return_is_no_short_row(tmp_path):
    source = saved(tmp_path, "segment,system,output,note\ns1,A,one\rs2,A,two,\n")
    _, log = read(source, outputs_of("segment", "system", "output"))
    assert [(p.line, p.code) for p in log.problems] == [(2, "fields")]
