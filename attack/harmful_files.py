"""Files that were made to harm whoever reads them."""

import csv
import functools
import gzip
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from typing import Any

import pyarrow
import pyarrow.parquet

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
            timeout=300,
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


def written(name: str, rows: list[dict[str, Any]]) -> bytes:
    """Rows in the format that a file's name says."""
    plain = name.removesuffix(".gz").removesuffix(".zip")
    if plain.endswith(".parquet"):
        data = parquet_of({column: [row[column] for row in rows] for column in rows[0]})
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
