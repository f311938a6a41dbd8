"""Whatever csv writes comes back identical, with the place where every field begins."""

import csv
import io
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus.tabular.field_scan import scan_record
from corpus.tabular.files import SourceFile
from corpus.tabular.locating import Place, locate
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import ProblemLog
from corpus.tabular.readers import Dialect
from corpus.tabular.reading import open_reader
from corpus.tabular.records import records
from tests.fixtures.tabular_specs import OUTPUTS, RATINGS

MAPPING = Mapping("outputs", {"segment": "segment", "system": "system", "output": "output"})
texts = st.text(
    st.one_of(
        st.sampled_from(',;\t"\r\n\x0b\x0c\x1c\x85\u2028\u2029 =aé🎈'),
        st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    ),
    max_size=12,
)


def written(rows, **dialect):
    """Return a CSV file's text, quoting what newer versions of csv quote too."""
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL, **dialect).writerows(rows)
    return out.getvalue()


def saved(folder, data, name="outputs.csv"):
    path = Path(folder) / name
    path.write_bytes(data)
    ending = name.removesuffix(".gz").rpartition(".")[2]
    return SourceFile(path, name, ending, name.endswith(".gz"))


def places_by_brute_force(text, delimiter):
    """Return the place of each field of each record, character by character."""
    records_found, fields, quoted, line, column, index = [], [(1, 1)], False, 1, 1, 0
    while index < len(text):
        character = text[index]
        is_break = character in "\r\n" and text[index : index + 2] != "\r\n"
        if character == '"':
            quoted = not quoted
        line, column = (line + 1, 1) if is_break else (line, column + 1)
        if not quoted and character == delimiter:
            fields.append((line, column))
        if not quoted and is_break:
            records_found.append(fields)
            fields = [(line, column)]
        index += 1
    return records_found


@settings(deadline=None, max_examples=300)
@given(
    rows=st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=6),
    delimiter=st.sampled_from(",;\t"),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@example([('a"b', "\r", "\n\r\r\n")], ",", "\r", "utf-16")
@example([("", "", "")], ",", "\n", "utf-8")
def test_any_table_comes_back_with_the_place_of_every_field(rows, delimiter, line_end, encoding):
    text = written([("a", "b", "c"), *rows], delimiter=delimiter, lineterminator=line_end)
    expected = places_by_brute_force(text, delimiter)[1:]
    with TemporaryDirectory() as folder:
        source = saved(folder, text.encode(encoding))
        log = ProblemLog()
        read, places = [], []
        with open_reader(source, log, dialect=Dialect(delimiter=delimiter)) as reader:
            for line, row in reader:
                read.append(tuple(row))
                places.append([tuple(reader.spot(index)) for index in range(3)])
                assert line == places[-1][0][0]
    assert log.problems == ()
    assert read == rows
    assert places == expected


@settings(deadline=None, max_examples=200)
@given(st.lists(texts, min_size=2, max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_a_scan_finds_the_fields_that_csv_finds(row, line_end):
    text = written([row], lineterminator=line_end)
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", text)
    scan = scan_record(lines, ",", '"')
    assert len(scan.starts) == len(row)
    assert scan.broken is None
    flat = "".join(lines)
    before = [sum(map(len, lines[:n])) for n in range(len(lines))]
    for (number, position), length, value in zip(scan.starts, scan.lengths, row, strict=True):
        begin = before[number] + position - 1
        raw = flat[begin : begin + length].removesuffix(line_end)
        assert raw == '"' + value.replace('"', '""') + '"'


def test_locate_gives_line_and_character_inside_quotes_of_several_lines(tmp_path):
    text = 'segment,system,output\ns1,A,"one\ntwo"\ns2,"B\nb","x\ny, z"\ns3,C,last\n'
    source = saved(tmp_path, text.encode())
    lines = [line for line, _ in records(source, MAPPING, OUTPUTS, ProblemLog())]
    assert lines == [2, 4, 7]
    wanted = [(4, "output"), (4, "system"), (7, "segment"), (2, "output")]
    assert locate(source, MAPPING, OUTPUTS, wanted) == {
        (4, "output"): Place(5, 4, "output", "x\ny, z"),
        (4, "system"): Place(4, 4, "system", "B\nb"),
        (7, "segment"): Place(7, 1, "segment", "s3"),
        (2, "output"): Place(2, 6, "output", "one\ntwo"),
    }


def test_locate_finds_the_cell_of_a_label_where_raters_are_columns(tmp_path):
    source = saved(tmp_path, b"segment,system,rater1,rater2\ns1,A,3,44\n", "ratings.csv")
    mapping = Mapping.from_dict(
        {
            "table": "ratings",
            "columns": {"segment": "segment", "system": "system"},
            "wide": {"name": "rater", "value": "score", "columns": ["rater1", "rater2"]},
        }
    )
    wanted = [(2, "score", "rater2"), (2, "rater", "rater2"), (2, "score")]
    assert locate(source, mapping, RATINGS, wanted) == {
        (2, "score", "rater2"): Place(2, 8, "rater2", "44"),
        (2, "rater", "rater2"): Place(2, 8, "rater2", "44"),
        (2, "score"): Place(2, 6, "rater1", "3"),
    }


def test_a_constant_has_no_place(tmp_path):
    source = saved(tmp_path, b"id,text\ns1,x\n")
    mapping = Mapping("outputs", {"segment": "id", "output": "text"}, {"system": "A"})
    assert locate(source, mapping, OUTPUTS, [(2, "system")]) == {}


def test_a_bad_score_is_placed_after_quotes_of_several_lines(tmp_path):
    text = 'segment,system,aspect,comment,score\ns1,A,style,"two\nlines, ""quoted""",101x\n'
    source = saved(tmp_path, text.encode(), "ratings.csv")
    names = ("segment", "system", "aspect", "comment", "score")
    log = ProblemLog()
    assert list(records(source, Mapping("ratings", {n: n for n in names}), RATINGS, log)) == []
    (problem,) = log.problems
    assert (problem.line, problem.position, problem.column) == (3, 20, "score")
    assert str(problem).startswith("ratings.csv:3:20 score: found '101x', expected a finite number")
