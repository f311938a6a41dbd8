"""Sheets of Excel and OpenDocument workbooks are tables, and places in them are cells."""

import datetime as dt
import io
import random
import re
import zipfile
from contextlib import suppress

import odf.opendocument
import odf.table
import odf.text
import openpyxl
import pytest
from openpyxl.comments import Comment

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.sheet_tables import WITHOUT_VALUE
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.harmful_files import workbook
from tests.fixtures.tabular_reading import preview, records, table
from tests.fixtures.tabular_specs import OUTPUTS, SPECS

HEADER = ["segment", "system", "output"]
MAPPING = Mapping("outputs", {name: name for name in HEADER})


def saved(folder, data, name="outputs.xlsx"):
    (folder / name).write_bytes(data)
    return SourceFile(folder / name, name, name.rpartition(".")[2])


def excel(*sheets, change=None):
    """Return what openpyxl writes of sheets, each a name and rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    if change:
        change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def opendocument(*sheets):
    """Return what odfpy writes of sheets; a cell is a text, a number, or a made one."""
    book = odf.opendocument.OpenDocumentSpreadsheet()
    for name, rows in sheets:
        table = odf.table.Table(name=name)
        for row in rows:
            line = odf.table.TableRow()
            for value in row:
                line.addElement(cell(value))
            table.addElement(line)
        book.spreadsheet.addElement(table)
    out = io.BytesIO()
    book.write(out)
    return out.getvalue()


def cell(value, **attributes):
    if not isinstance(value, str | int | float):
        return value
    if isinstance(value, str):
        made = odf.table.TableCell(valuetype="string", **attributes)
        for line in value.split("\n"):
            made.addElement(odf.text.P(text=line))
        return made
    return odf.table.TableCell(valuetype="float", value=value, **attributes)


def changed(data, part, *changes, more=()):
    """Return a workbook in one part of which something is replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", 8) as new:
        assert part in old.namelist()
        for name in old.namelist():
            text = old.read(name)
            if name == part:
                for before, after in changes:
                    assert re.search(before, text)
                    text = re.sub(before, after, text)
            new.writestr(name, text)
        for name in more:
            new.writestr(name, more[name])
    return out.getvalue()


def test_cells_of_excel_come_as_they_are_stored(tmp_path):
    def dates(book):
        book.active["B6"].number_format = "[h]:mm:ss"
        book.active["B8"].number_format = "0.00"
        book.active["A1"].comment = Comment("a note", "me")

    values = [
        ["id", "value"],
        [1, " =a\n \t"],
        [2, 0.1],
        [3, 1 / 3],
        [4, dt.date(2021, 3, 4)],
        [5, 1.5],
        [6, dt.datetime(2021, 3, 4, 10, 20, 30)],
        [7, 3.0],
        [8, True],
        [9, dt.time(10, 20)],
        [10, 12345678901],
        [11, None],
        [12, "ä\u2028🎈"],
    ]
    columns, found, log = table(saved(tmp_path, excel(("Data", values), change=dates)))
    assert columns == ("id", "value")
    assert [row[1] for _, row in found] == [
        " =a\n \t",
        "0.1",
        repr(1 / 3),
        "2021-03-04",
        "36:00:00",
        "2021-03-04T10:20:30",
        "3",
        "true",
        "10:20:00",
        "12345678901",
        "",
        "ä\u2028🎈",
    ]
    assert [line for line, _ in found] == list(range(2, 14))
    assert not log


def test_texts_that_cells_share_come_without_how_they_are_pronounced(tmp_path):
    data = changed(
        workbook([["word"], ["one"], ["two"]], "a.xlsx"),
        "xl/worksheets/sheet1.xml",
        (b'<c t="inlineStr"><is><t[^>]*>one</t></is></c>', b'<c r="A2" t="s"><v>1</v></c>'),
        (b'<c t="inlineStr"><is><t[^>]*>two</t></is></c>', b'<c r="A3" t="s"><v>0</v></c>'),
        more={
            "xl/sharedStrings.xml": '<sst xmlns="m"><si><t>a_x005F_x000D__x0009_b</t></si><si>'
            '<r><t>課</t></r><r><t xml:space="preserve"> x</t></r>'
            '<rPh sb="0" eb="1"><t>ka</t></rPh></si></sst>'
        },
    )
    related = b'<Relationship Id="r2" Type="x/sharedStrings" Target="/xl/sharedStrings.xml"/></Rel'
    data = changed(data, "xl/_rels/workbook.xml.rels", (b"</Rel", related))
    source = saved(tmp_path, data)
    assert [row for _, row in table(source)[1]] == [["課 x"], ["a_x000D_\tb"]]


def test_errors_and_formulas_without_value_are_absent(tmp_path):
    data = [
        [*HEADER, "note"],
        ["s1", "A", "x", "#N/A"],
        ["s2", "A", "#REF!", ""],
        ["s3", "A", "=1+1"],
    ]
    source = saved(tmp_path, excel(("A", data)))
    log = ProblemLog()
    assert [values[0] for _, values in records(source, MAPPING, OUTPUTS, log)] == ["s1"]
    assert [(p.line, p.column, p.code) for p in log.problems] == [
        (3, "output", "no-value"),
        (4, "output", "no-value"),
    ]
    assert log.counted() == [f"3 {WITHOUT_VALUE}"]


def test_merged_cells_are_those_that_they_show(tmp_path):
    """Names over two rows, and a key down a column."""
    rows = [
        ["segment", "BART", "", "T5", ""],
        ["", "style", "content", "style", "content"],
        ["s1", 4, 5, 3, 2],
        ["", 1, 2, 3, 4],
    ]

    def merge(book):
        for cells in ("A1:A2", "B1:C1", "D1:E1", "A3:A4"):
            book.active.merge_cells(cells)

    assert table(saved(tmp_path, excel(("A", rows), change=merge)))[:2] == (
        ("segment", "BART / style", "BART / content", "T5 / style", "T5 / content"),
        [(3, ["s1", "4", "5", "3", "2"]), (4, ["s1", "1", "2", "3", "4"])],
    )


def test_each_sheet_with_something_in_it_is_a_table(tmp_path):
    rows = [HEADER, ["s1", "A", "x"]]
    for name, data in (
        ("two.xlsx", excel(("One", rows), ("Empty", []), ("Two", rows))),
        ("two.ods", opendocument(("One", rows), ("Empty", []), ("Two", rows))),
    ):
        (tmp_path / "work").mkdir(exist_ok=True)
        saved(tmp_path, data, name)
        found = discover(tmp_path / name, tmp_path / "work").files
        assert [source.name for source in found] == [f"{name}/One", f"{name}/Two"]
        for source in found:
            assert table(source)[:2] == (tuple(HEADER), [(2, rows[1])])
        assert guess_file(found[0], SPECS).mappings[0].table == "outputs"


def test_cells_of_opendocument_come_as_they_are_stored(tmp_path):
    spaced = odf.table.TableCell(valuetype="string")
    line = odf.text.P(text="a")
    line.addElement(odf.text.S(c=3))
    line.addElement(odf.text.Span(text="b"))
    line.addElement(odf.text.LineBreak())
    spaced.addElement(line)
    rows = [
        ["id", "value"],
        [1, "two\nlines"],
        [2, 0.1],
        [3, odf.table.TableCell(valuetype="date", datevalue="2021-03-04T00:00:00")],
        [4, odf.table.TableCell(valuetype="boolean", booleanvalue="true")],
        [5, spaced],
        [odf.table.TableCell(valuetype="float", value=6, numbercolumnsrepeated=2)],
    ]
    source = saved(tmp_path, opendocument(("A", rows)), "a.ods")
    assert [row for _, row in table(source)[1]] == [
        ["1", "two\nlines"], ["2", "0.1"], ["3", "2021-03-04"], ["4", "true"], ["5", "a   b"],
        ["6", "6"],
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods"])
def test_bombs_inside_a_workbook_are_refused(tmp_path, name):
    part = "xl/worksheets/sheet1.xml" if name == "a.xlsx" else "content.xml"
    plain = workbook([HEADER, ["s1", "A", "x"]], name)
    source = saved(tmp_path, changed(plain, part, (b"s1", b"x" * 5_000_000)), name)
    log = ProblemLog()
    assert list(records(source, MAPPING, OUTPUTS, log)) == []
    assert [p.code for p in log.problems] == ["expansion"]


def test_what_is_no_workbook_is_damaged(tmp_path):
    (tmp_path / "work").mkdir()
    whole = workbook([HEADER, ["s1", "A", "x"]], "a.xlsx")
    old = b"\xd0\xcf\x11\xe0" * 200
    for data in (b"", b"PK\3\4", old, whole[1:], whole[:-9]):
        saved(tmp_path, data)
        (source,) = discover(tmp_path / "outputs.xlsx", tmp_path / "work").files
        with pytest.raises(TableError) as caught:
            preview(source)
        assert caught.value.problems[0].code == "damaged"
        assert "Errno" not in str(caught.value)


def test_rows_without_end_at_the_end_of_a_sheet_cost_nothing(tmp_path):
    data = workbook([HEADER, ["s1", "A", "x"]], "a.ods")
    empty = (b"</table:table>", b'<table:table-row table:number-rows-repeated="1048574">'
             b'<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
             b"</table:table>")  # fmt: skip
    source = saved(tmp_path, changed(data, "content.xml", empty), "a.ods")
    assert table(source)[1] == [(2, ["s1", "A", "x"])]


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods", "excel.xlsx"])
def test_no_changed_byte_of_a_part_gives_another_error(tmp_path, name):
    chance = random.Random(name)
    rows = [HEADER, ["s1", "A", 1.5], ["s2", "A", "x"]]
    plain = excel(("A", rows)) if name == "excel.xlsx" else workbook(rows, name)
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    for _ in range(12):
        changed_part = chance.choice(list(parts))
        data = bytearray(parts[changed_part])
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.choice(b'<>"/&= 0x\xff;s1')
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for part, content in parts.items():
                archive.writestr(part, bytes(data) if part == changed_part else content)
        log = ProblemLog()
        source = saved(tmp_path, out.getvalue(), name)
        for _, values in records(source, MAPPING, OUTPUTS, log):
            values[2].encode()
        assert all(p.message for p in log.problems)
        with suppress(TableError):
            guess_file(source, SPECS)
