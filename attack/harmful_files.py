"""Files that were made to harm whoever reads them."""

import csv
import functools
import gzip
import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from typing import Any
from xml.sax.saxutils import escape

import pyarrow
import pyarrow.parquet

from attack.patience import SECONDS_TO_WAIT
from benchmarks.rating_load import ROOT
from corpus.tabular.files import FORMATS

KINDS = tuple(dict.fromkeys(FORMATS.values()))

SEARCH = """
import os, pathlib, sys
sys.path.insert(0, sys.argv[1])
from corpus.tabular.files import SourceFile
from corpus.tabular.reading import preview
import pyarrow.parquet
whole = sys.stdin.buffer.read()
place = pathlib.Path(sys.argv[2])
nothing = os.open(os.devnull, os.O_WRONLY)
for offset in sorted(range(4, len(whole) - 8), key=lambda offset: abs(offset - 1206)):
    child = os.fork()
    if not child:
        os.dup2(nothing, 2)
        place.write_bytes(whole[:offset] + b"\\x18" + whole[offset + 1:])
        try:
            preview(SourceFile(place, "x", "parquet"))
        finally:
            os._exit(0)
    if os.WIFSIGNALED(os.waitpid(child, 0)[1]):
        print(offset)
        break
"""

_MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"


def parquet_of(columns: dict[str, Any], **options: Any) -> bytes:
    """Columns as a Parquet file."""
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out, **options)
    return out.getvalue()


@functools.cache
def aborting_parquet() -> bytes:
    """A Parquet file with one changed byte, of which Arrow's C++ ends the whole process.

    Raises
    ------
    LookupError
        If this version of Arrow has no such byte.
    """
    with (ROOT / "demo" / "formality-demo" / "metric_scores.csv").open(encoding="utf-8") as file:
        rows = [row for row, _ in zip(csv.DictReader(file), range(59), strict=False)]
    whole = parquet_of({name: [row[name] for row in rows] for name in rows[0]})
    with tempfile.NamedTemporaryFile(suffix=".parquet") as place:
        found = subprocess.run(
            [sys.executable, "-c", SEARCH, str(ROOT), place.name],
            input=whole,
            capture_output=True,
            timeout=SECONDS_TO_WAIT,
            check=True,
        ).stdout
    if not found:
        raise LookupError("a byte of which this version of Arrow ends its process")
    offset = int(found)
    return whole[:offset] + b"\x18" + whole[offset + 1 :]


def repeated_text(rows: int, characters: int) -> bytes:
    """A small Parquet file of which every row has the same long text."""
    text = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * rows, pyarrow.int32()), pyarrow.array(["x" * characters])
    )
    return parquet_of(
        {"segment": pyarrow.array(range(rows)), "source": text},
        compression="zstd",
        use_dictionary=["source"],
        column_encoding={"segment": "DELTA_BINARY_PACKED"},
    )


def workbook(rows: list[list[Any]], name: str) -> bytes:
    """One sheet with these rows, as the least that is a workbook; the format is the name's."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if name.endswith(".ods"):
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", 0)
            archive.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{_MANIFEST}"/>')
            archive.writestr("content.xml", _ods(rows))
        else:
            for part, text in (*_XLSX.items(), ("xl/worksheets/sheet1.xml", _sheet(rows))):
                archive.writestr(part, text)
    return out.getvalue()


def shared_text_workbook(rows: int, characters: int) -> bytes:
    """A small workbook of scores: each row has the same long text, and a score that is none."""
    names = ["segment", "system", "metric", "score", "note"]
    header = "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in names)
    name, text = '<c t="s"><v>1</v></c>', '<c t="s"><v>0</v></c>'
    row = f"<row>{name * 3}{text * 2}</row>"
    sheet = f'<worksheet xmlns="{_MAIN}"><sheetData><row>{header}</row>{row * rows}'
    relation = f'<Relationship Id="r2" Type="{_RELATION}/sharedStrings" Target="texts.xml"/>'
    shared = f"<si><t>{'word ' * (characters // 5)}</t></si><si><t>a</t></si>"
    texts = f'<sst xmlns="{_MAIN}">{shared}</sst>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in _XLSX.items():
            archive.writestr(part, text.replace("</Relationships>", f"{relation}</Relationships>"))
        archive.writestr("xl/texts.xml", texts)
        archive.writestr("xl/worksheets/sheet1.xml", f"{sheet}</sheetData></worksheet>")
    return out.getvalue()


_XML = '<?xml version="1.0" encoding="UTF-8"?>'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_XLSX = {
    "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" '
    f'Type="{_RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_RELATION}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}"><Relationship '
    f'Id="r1" Type="{_RELATION}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
_ODF = "urn:oasis:names:tc:opendocument:xmlns:"


def _element(row: dict[str, Any]) -> str:
    """One record as an element, with an element for each value."""
    names = {name: re.sub(r"\W", "_", name) for name in row}
    values = (f"<{names[n]}>{escape(str(value))}</{names[n]}>" for n, value in row.items())
    return f"<row>{''.join(values)}</row>"


def _sheet(rows: list[list[Any]]) -> str:
    lines = []
    for row in rows:
        cells = "".join(
            f"<c><v>{value}</v></c>"
            if isinstance(value, int | float)
            else f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
            for value in row
        )
        lines.append(f"<row>{cells}</row>")
    return f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _ods(rows: list[list[Any]]) -> str:
    lines = []
    for row in rows:
        cells = "".join(
            f'<table:table-cell office:value-type="float" office:value="{value}"/>'
            if isinstance(value, int | float)
            else f'<table:table-cell office:value-type="string">{_paragraphs(value)}'
            "</table:table-cell>"
            for value in row
        )
        lines.append(f"<table:table-row>{cells}</table:table-row>")
    return (
        f'{_XML}<office:document-content xmlns:office="{_ODF}office:1.0" '
        f'xmlns:table="{_ODF}table:1.0" xmlns:text="{_ODF}text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="Sheet1">{"".join(lines)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )


def _paragraphs(text: str) -> str:
    return "".join(
        f"<text:p>{escape(line).replace(chr(9), '<text:tab/>')}</text:p>"
        for line in text.split("\n")
    )


def written(name: str, rows: list[dict[str, Any]]) -> bytes:
    """Rows in the format that a file's name says."""
    plain = name.removesuffix(".gz").removesuffix(".zip")
    if plain.endswith(".parquet"):
        data = parquet_of({column: [row[column] for row in rows] for column in rows[0]})
    elif plain.endswith((".xlsx", ".ods")):
        data = workbook([list(rows[0]), *(list(row.values()) for row in rows)], plain)
    elif plain.endswith((".xml", ".sgml")):
        data = "\n".join(["<table>", *map(_element, rows), "</table>"]).encode()
    elif plain.endswith(".jsonl"):
        data = "\n".join(json.dumps(row) for row in rows).encode()
    elif plain.endswith(".json"):
        data = json.dumps(rows, indent=1).encode()
    else:
        assert plain.endswith((".csv", ".tsv")), name
        text = io.StringIO()
        table = csv.writer(text, delimiter="\t" if plain.endswith(".tsv") else ",")
        table.writerows([list(rows[0]), *(list(row.values()) for row in rows)])
        data = text.getvalue().encode()
    if name.endswith(".gz"):
        return gzip.compress(data)
    if name.endswith(".zip"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(plain, data)
        return out.getvalue()
    return data
