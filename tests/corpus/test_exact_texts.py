"""Texts are stored as they were written: any characters but NUL, in every format."""

import csv
import io
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.models import Output
from tests.fixtures.imported_files import import_accepting

pytestmark = pytest.mark.django_db
NAMES = ("segment", "source", "system", "output")
Row = dict[str, str]
CHARACTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
TEXTS = st.lists(
    st.text(CHARACTERS)
    | st.text(st.sampled_from("\"',;|\t\r\n\\ #=a1.\u2028\u00a0\ufeff\u3042\U0001f600"))
    | st.from_regex(r"\A[ -]?[0-9]{1,4}([.,:/-][0-9]{1,2}){0,2}%?\Z"),
    min_size=1,
    max_size=20,
)
WORDS = [
    *("", " ", "NA", "N/A", "NaN", "null", "None", "nil", "-", "?", "\\N", "true", "FALSE", "#N/A"),
    *("=1+1", "+49", "-1", "@x", "'quoted'", '"quoted"', '""', '"', "a,b", "a;b", "a\tb", "a|b"),
    *("007", "1.0", "1e5", "1,5", "1.234,5", "50 %", "4/5", "inf", "0x1F", "2021-03-04", "10:20"),
    *(" before", "after ", "two\nlines", "two\r\nlines", "two\rlines", "\n", "\r\n", "a\\nb", "\\"),
    *("# no comment", "// no comment", "{}", "[1, 2]", '{"a": 1}', "<b>x</b>", "a &amp; b", "$1"),
    *(
        "e\u0301",
        "\u00e9",
        "\u2028",
        "\u0085",
        "\x0b\x0c",
        "\x1c",
        "\x7f",
        "\u200f\u05d0",
        "\ufeff",
    ),
    *("\U0001f468\u200d\U0001f469", "\ufdd0", "\U0010ffff", "segment", "source,output", "'' OR 1"),
]
"""What readers like to take for something else than a text."""


def _delimited(delimiter: str) -> Callable[[list[Row], Path], None]:
    def write(rows: list[Row], path: Path) -> None:
        buffer = io.StringIO(newline="")
        writer = csv.DictWriter(buffer, NAMES, delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        path.write_bytes(buffer.getvalue().encode())

    return write


def _json(rows: list[Row], path: Path) -> None:
    path.write_text(json.dumps(rows), encoding="utf-8")


def _json_lines(rows: list[Row], path: Path) -> None:
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    path.write_bytes("".join(lines).encode())


def _parquet(rows: list[Row], path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


def _workbook(rows: list[Row], path: Path) -> None:
    book = openpyxl.Workbook()
    for line, row in enumerate([dict(zip(NAMES, NAMES, strict=True)), *rows], 1):
        for column, text in enumerate(row.values(), 1):
            cell = book.active.cell(line, column)
            # Set so that neither a formula nor an error is made of it.
            cell._value, cell.data_type = text, "s"
    book.save(path)


def _held_by_workbooks(text: str) -> str:
    """Take out what XML cannot hold, and what means a character by its number in a workbook."""
    text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\r\ufffe\uffff]", "", text)
    return re.sub(r"_x(?=[0-9A-Fa-f]{4}_)", "", text)


WRITERS: dict[str, Callable[[list[Row], Path], None]] = {
    "commas.csv": _delimited(","),
    "semicolons.csv": _delimited(";"),
    "tabs.tsv": _delimited("\t"),
    "array.json": _json,
    "lines.jsonl": _json_lines,
    "columns.parquet": _parquet,
    "sheet.xlsx": _workbook,
}


def _check(texts: list[str], file: str, folder: Path, slug: str) -> None:
    """Write texts as sources and outputs, import them, and compare what is stored."""
    if file.endswith(".xlsx"):
        texts = [_held_by_workbooks(text) for text in texts]
    rows = [
        {"segment": f"s{n}", "source": text, "system": "A", "output": texts[-n]}
        for n, text in enumerate(texts, 1)
    ]
    folder.mkdir()
    WRITERS[file](rows, folder / file)
    import_accepting(folder, slug=slug)
    stored = Output.objects.filter(study__slug=slug).order_by("segment__ordinal")
    for name, kind in (("source", "source"), ("output", "system")):
        found = stored.filter(system__kind=kind).values_list("segment__key", "text")
        assert list(found) == [(row["segment"], row[name]) for row in rows]


@pytest.mark.parametrize("file", WRITERS)
def test_texts_that_look_like_something_else_are_texts(file, tmp_path):
    _check(WORDS, file, tmp_path / "upload", "small")


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    [
        file if file == "commas.csv" else pytest.param(file, marks=pytest.mark.nightly)
        for file in WRITERS
    ],
)
def test_any_text_is_stored_as_it_was_written(file, tmp_path):
    """Any character but NUL, which no database holds, and halves of surrogate pairs."""
    numbers = itertools.count()

    @settings(max_examples=8, database=None)
    @given(TEXTS)
    def check(texts: list[str]) -> None:
        slug = f"small-{next(numbers)}"
        _check(texts, file, tmp_path / slug, slug)

    check()
