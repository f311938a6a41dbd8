"""Broken files are refused with file, line, what was found and what to do."""

import csv
import gzip
import tracemalloc

import pytest

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import Dialect, SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import preview, records
from tests.fixtures.tabular_specs import OUTPUTS, RATINGS, field_values

MAPPING = Mapping("outputs", {"segment": "segment", "system": "system", "output": "output"})
HEADER = b"segment,system,output\n"


def read(folder, data, name="outputs.csv", mapping=MAPPING, spec=OUTPUTS, **options):
    """Return the records of a file and its problems."""
    path = folder / name
    path.write_bytes(data)
    ending = name.removesuffix(".gz").rpartition(".")[2]
    source = SourceFile(path, name, ending, name.endswith(".gz"))
    log = ProblemLog()
    return list(records(source, mapping, spec, log, **options)), log.problems


def only(problems):
    (problem,) = problems
    return problem


def place(problem):
    return problem.line, problem.column, problem.code


def test_a_byte_that_is_no_utf_8_is_named_with_its_line(tmp_path):
    data = HEADER + "s1,A,äö\n".encode() + b's2,A,"two\ncaf\xe9"\n'
    found, problems = read(tmp_path, data)
    problem = only(problems)
    assert found == []
    assert place(problem) == (4, None, "encoding")
    assert problem.found == "byte 0xe9"
    assert "--encoding windows-1252" in problem.message


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("café €", "windows-1252"),
        ("это зависит от того как посмотреть на это и кто смотрит", "windows-1251"),
        ("caf\xe9", "utf-16-le"),
    ],
)
def test_encodings_that_nobody_named_are_found(tmp_path, text, encoding):
    data = (HEADER.decode() + f"s1,A,{text}\n" * 3).encode(encoding)
    found, problems = read(tmp_path, data)
    assert [values[2] for _, values in found] == [text] * 3
    assert problems == ()


def test_the_encoding_can_be_named(tmp_path):
    mapping = Mapping("outputs", MAPPING.columns, dialect=Dialect("windows-1252"))
    found, problems = read(tmp_path, HEADER + b"s1,A,caf\xe9 \x80\n", mapping=mapping)
    assert [values[2] for _, values in found] == ["café €"]
    assert problems == ()


def test_a_bad_byte_far_into_a_large_file_is_placed(tmp_path):
    rows = [b"s%d,A,text %d" % (n, n) for n in range(60_000)]
    rows[50_000] = "s50000,A,äöü".encode() + b"\xff"
    found, problems = read(tmp_path, HEADER + b"\n".join(rows))
    assert found == []
    assert place(only(problems)) == (50_002, None, "encoding")


def test_a_nul_character_is_named_with_its_line(tmp_path):
    _, problems = read(tmp_path, HEADER + b's1,A,ok\ns2,"A\n","x\0y"\ns3,A,ok\n')
    assert place(only(problems)) == (4, None, "nul")


def test_a_quote_that_is_never_closed_is_shown_where_its_row_begins(tmp_path):
    for row in (b's2,"A\nB","open ""x""\ns3,A,x\n', b's2,"A\nB","open'):
        found, problems = read(tmp_path, HEADER + b"s1,A,fine\n" + row)
        problem = only(problems)
        assert found == []
        assert place(problem) == (3, None, "open-quote")
        assert "is not closed" in problem.message
        assert "Nothing after this place was checked" in problem.message


def test_text_after_a_closing_quote_is_shown_and_later_rows_are_checked(tmp_path):
    data = HEADER + b's1,"A"b,x\ns2,A,fine\ns3,"A","say "hi"."\ns4,A,""""x"\ns5,A,fine\n'
    _, problems = read(tmp_path, data)
    assert [place(p) for p in problems] == [(n, None, "quote") for n in (2, 4, 5)]


def test_rows_with_too_many_fields_and_cut_ones_are_all_named(tmp_path):
    data = HEADER + b's1,A,a, b\n\ns2,A,\n"s\n3",A,"x",y,z\ns4,A,fine\r\nlone\rs5,A,x\n'
    found, problems = read(tmp_path, data)
    assert found == []
    assert [place(p) for p in problems] == [(n, None, "fields") for n in (2, 5, 8)]
    assert problems[0].found == "4 fields"
    assert problems[0].expected == "3 fields"
    assert "carriage return" in problems[2].message.lower()


def test_a_column_named_twice_gets_a_number(tmp_path):
    data = b"\xef\xbb\xbfsegment,system,output,System\ns1,A,x,B\n"
    assert read(tmp_path, data) == ([(1, ("s1", "A", "x", None))], ())
    assert preview(SourceFile(tmp_path / "outputs.csv", "o.csv", "csv")).columns[3] == "System (2)"


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n\r\n\n", "\ufeff".encode("utf-16-le")])
def test_an_empty_file_is_refused(tmp_path, data):
    found, problems = read(tmp_path, data)
    assert found == []
    assert only(problems).code == "empty-file"


@pytest.mark.parametrize(
    "row",
    [
        b's1,A,"' + b"x" * 5_000_000 + b'"\n',
        b"s1,A," + b"x" * 5_000_000 + b"\n",
        b's1,A,"' + b"x\n" * 2_500_000 + b'"\n',
    ],
    ids=["quoted", "bare", "many lines"],
)
def test_megabytes_in_one_field_fail_in_bounded_memory(tmp_path, row):
    data = HEADER + row + b"s2,A,x\n"
    del row
    path = tmp_path / "outputs.csv"
    path.write_bytes(data)
    del data
    source, log = SourceFile(path, "outputs.csv", "csv"), ProblemLog()
    limits = Limits(field_characters=1 << 17, record_characters=1 << 18)
    tracemalloc.start()
    try:
        found = list(records(source, MAPPING, OUTPUTS, log, limits=limits))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == []
    assert place(only(log.problems)) == (2, None, "field-size")
    assert "262144 characters" in only(log.problems).found
    assert peak < 50_000_000


def test_a_field_over_the_limit_is_a_problem_of_its_row(tmp_path):
    limits = Limits(field_characters=10)
    data = HEADER + b's1,A,0123456789\ns2,A,0123456789a\ns3,A,"01234\n67890"\ns4,A,x\n'
    found, problems = read(tmp_path, data, limits=limits)
    assert found == []
    assert [place(p) for p in problems] == [(n, "output", "field-size") for n in (3, 4)]


def test_a_workbook_named_csv_is_explained(tmp_path):
    _, problems = read(tmp_path, b"PK\x03\x04" + b"\0" * 50)
    assert "Name the workbook .xlsx" in only(problems).message


def test_a_gzip_bomb_is_stopped_while_it_unpacks(tmp_path):
    packed = gzip.compress(HEADER + b"s1,A,x\n" * 2_000_000)
    _, problems = read(tmp_path, packed, "outputs.csv.gz")
    assert only(problems).code == "expansion"
    assert only(problems).file == "outputs.csv.gz"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_encoding_and_delimiter_are_found_out(tmp_path, encoding, delimiter):
    path = tmp_path / "outputs.csv"
    text = f"segment{delimiter}system{delimiter}output\r\ns1{delimiter}Ä{delimiter}x\r\n"
    path.write_bytes(text.encode(encoding))
    shown = preview(SourceFile(path, path.name, "csv"))
    assert shown.columns == ("segment", "system", "output")
    assert shown.rows == (("s1", "Ä", "x"),)
    assert (shown.dialect.encoding, shown.dialect.delimiter) == (encoding, delimiter)
    assert shown.lines == (2,)


def test_numbers_are_finite_numbers_or_problems(tmp_path):
    cells = ["1", " 2.5 ", "-3e1", "NaN", "inf", "", "1,5", "1_0", "x", "1e999", "NA"]
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["segment", "system", "aspect", "score"])
        writer.writerows(["s", "A", "style", cell] for cell in cells)
    source, log = SourceFile(path, path.name, "csv"), ProblemLog()
    mapping = Mapping("ratings", {n: n for n in ("segment", "system", "aspect", "score")})
    found = field_values(RATINGS, records(source, mapping, RATINGS, log), "score")
    assert found == [(1.0,), (2.5,), (-30.0,)]
    assert [p.line for p in log.problems] == list(range(5, 13))
    assert {p.column for p in log.problems} == {"score"}
    by_found = {p.found: p.message for p in log.problems}
    assert "missing" in by_found["NaN"]
    assert "missing" in by_found["nothing"]
    assert "decimals with a point" in by_found["1,5"]
