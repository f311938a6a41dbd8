"""Tables without header, with other separators, comments or short rows are read as they are."""

import json

import pytest

from corpus.tabular.delimited import SHORT as FILLED_UP
from corpus.tabular.files import SourceFile
from corpus.tabular.locating import locate
from corpus.tabular.mapping import Mapping, Wide
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.readers import Dialect
from corpus.tabular.reading import open_reader
from corpus.tabular.records import records
from tests.fixtures.tabular_specs import OUTPUTS, RATINGS, SEGMENTS


def saved(folder, text, name="outputs.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return SourceFile(path, name, name.rpartition(".")[2])


def rows(source, **dialect):
    """Return columns, lines and rows; every row is one of the file, and no problem is found."""
    log = ProblemLog()
    with open_reader(source, log, dialect=Dialect(**dialect)) as reader:
        found = [(line, list(row)) for line, row in reader]
    assert log.problems == ()
    return tuple(reader.columns), found


def read(source, mapping, spec=OUTPUTS):
    """Return the values of the first three fields, with line, and the problems."""
    log = ProblemLog()
    return [(line, *values[:3]) for line, values in records(source, mapping, spec, log)], log


def outputs_of(segment, system, output, **written):
    columns = {"segment": segment, "system": system, "output": output}
    return Mapping("outputs", columns, **written)


def test_a_file_without_header_names_its_columns_by_number(tmp_path):
    source = saved(tmp_path, '\ns1,A,"x\ny"\ns2,A,\n')
    assert rows(source, header=False) == (
        ("column 1", "column 2", "column 3"),
        [(2, ["s1", "A", "x\ny"]), (4, ["s2", "A", ""])],
    )


def test_names_of_columns_may_come_with_the_mapping(tmp_path):
    source = saved(tmp_path, "s1,A,x\ns2,A,\n")
    mapping = outputs_of("id", "who", "text", header=("id", "who", "text"))
    found, log = read(source, mapping)
    assert found == [(1, "s1", "A", "x"), (2, "s2", "A", "")]
    assert not log
    assert locate(source, mapping, OUTPUTS, [(1, "output")])[1, "output"].position == 6


@pytest.mark.parametrize("names", [("a", "b", "a"), ("a" * 2000,)])
def test_names_that_no_table_may_have_are_refused(tmp_path, names):
    with pytest.raises(TableError) as caught:
        rows(saved(tmp_path, "1,2,3\n"), header=names)
    assert caught.value.problems[0].code in ("duplicate-column", "columns")


def test_a_row_longer_than_the_first_of_a_file_without_header_is_refused(tmp_path):
    _, log = read(
        saved(tmp_path, "s1,A,x\ns2,A,y,z\n"),
        outputs_of("column 1", "column 2", "column 3", header=False),
    )
    assert [(p.line, p.position, p.code) for p in log.problems] == [(2, 8, "fields")]


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


def test_a_place_between_runs_of_white_space_is_that_of_the_file(tmp_path):
    source = saved(tmp_path, "seg  sys   score rater\ns1   A    x  r\n")
    columns = {"segment": "seg", "system": "sys", "score": "score", "rater": "rater"}
    mapping = Mapping("ratings", columns, delimiter="whitespace")
    _, log = read(source, mapping, RATINGS)
    assert [(p.line, p.position, p.column, p.found) for p in log.problems] == [
        (2, 11, "score", "x")
    ]


def test_quotes_may_be_characters_between_runs_of_white_space(tmp_path):
    source = saved(tmp_path, 'A "1\nB 2"\n')
    found = rows(source, delimiter="whitespace", quote="", header=False)[1]
    assert found == [(1, ["A", '"1']), (2, ["B", '2"'])]


def test_comments_are_passed_over_at_the_beginning_of_a_line_only(tmp_path):
    text = '# made by hand, in 2020\nid,sys,text\n#s0,A,-\ns1,A,"x\n# y"\n#\ns2,A,#1\n #3,A,z\n'
    source = saved(tmp_path, text)
    log = ProblemLog()
    with open_reader(source, log, dialect=Dialect(comment="#")) as reader:
        found = list(reader)
    assert tuple(reader.columns) == ("id", "sys", "text")
    assert found == [
        (4, ["s1", "A", "x\n# y"]),
        (7, ["s2", "A", "#1"]),
        (8, [" #3", "A", "z"]),
    ]
    assert (log.counted(), log.problems) == (["3 comment lines passed over"], ())


def test_lines_are_no_comments_unless_the_mapping_says_so(tmp_path):
    source = saved(tmp_path, "id,sys,text\n#1,A,x\n")
    found, log = read(source, outputs_of("id", "sys", "text"))
    assert found == [(2, "#1", "A", "x")]
    assert not log


SHORT = "segment,system,output,score,note\ns1,A,x,1\ns2,A,y\ns3,A\ns4,A,,2,n\n"


def test_a_short_row_lacks_what_nobody_needs(tmp_path):
    source = saved(tmp_path, SHORT)
    found, log = read(source, outputs_of("segment", "system", "output"))
    assert found == [(2, "s1", "A", "x"), (3, "s2", "A", "y"), (5, "s4", "A", "")]
    assert log.counted() == [f"2 {FILLED_UP}"]
    # An empty output is an output, but one that is not there is none.
    assert [(p.line, p.column, p.position, p.code) for p in log.problems] == [
        (4, "output", 5, "fields")
    ]


def test_an_attribute_that_a_short_row_lacks_is_empty(tmp_path):
    mapping = Mapping(
        "segments", {"segment": "id", "source": "text"}, attributes=("topic",), missing=("NA",)
    )
    log = ProblemLog()
    source = saved(tmp_path, "id,text,topic\ns1,a,x\ns2,b\n")
    assert [values[-1] for _, values in records(source, mapping, SEGMENTS, log)] == [
        {"topic": "x"},
        {"topic": ""},
    ]
    assert not log


@pytest.mark.parametrize(("skips", "codes"), [(True, []), (False, ["fields"])])
def test_spread_columns_may_be_lacking_where_an_empty_cell_is_no_record(tmp_path, skips, codes):
    source = saved(tmp_path, "segment,A,B\ns1,x,y\ns2,z\n")
    wide = Wide("system", "output", ("A", "B"), None, skips)
    found, log = read(source, Mapping("outputs", {"segment": "segment"}, wide=wide))
    assert [values[:3] for values in found][:2] == [(2, "s1", "A"), (2, "s1", "B")]
    assert len(found) == 2 + skips
    assert [p.code for p in log.problems] == codes


def test_a_number_that_a_short_row_lacks_is_named_at_its_end(tmp_path):
    source = saved(tmp_path, "segment,system,rater,score\ns1,A,r\n")
    columns = {name: name for name in ("segment", "system", "rater", "score")}
    _, log = read(source, Mapping("ratings", columns), RATINGS)
    assert [(p.line, p.column, p.position) for p in log.problems] == [(2, "score", 7)]


def test_a_text_cut_in_two_by_a_carriage_return_is_no_short_row(tmp_path):
    source = saved(tmp_path, "segment,system,output,note\ns1,A,one\rs2,A,two,\n")
    _, log = read(source, outputs_of("segment", "system", "output"))
    assert [(p.line, p.code) for p in log.problems] == [(2, "fields")]


def test_the_keys_of_a_mapping_survive_json():
    for mapping in (
        Mapping("outputs", header=("a", "b"), comment="#"),
        Mapping("outputs", header=False, delimiter="whitespace"),
    ):
        assert Mapping.from_dict(json.loads(json.dumps(mapping.to_dict()))) == mapping
    assert "header" not in Mapping("outputs").to_dict()
    with pytest.raises(TableError) as caught:
        Mapping.from_dict({"table": "outputs", "header": "a,b", "comment": 3})
    assert {p.column for p in caught.value.problems} == {"header", "comment"}
