"""Files that were made to harm whoever reads them."""

import csv
import functools
import gzip
import io
import json
import subprocess
import sys
import zipfile
from typing import Any

import pyarrow
import pyarrow.parquet
from conftest import ROOT, missing
from study_files import text_of

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


def parquet_of(columns: dict[str, list[Any]], **options: Any) -> bytes:
    """Columns as a Parquet file."""
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out, **options)
    return out.getvalue()


@functools.cache
def aborting_parquet() -> bytes:
    """A Parquet file with one changed byte, of which Arrow's C++ ends the whole process."""
    with (ROOT / "demo" / "formality-demo" / "metric_scores.csv").open(encoding="utf-8") as file:
        rows = [row for row, _ in zip(csv.DictReader(file), range(59), strict=False)]
    whole = parquet_of({name: [row[name] for row in rows] for name in rows[0]})
    place = f"/tmp/touchstone-{sys.version_info.minor}-search.parquet"
    found = subprocess.run(
        [sys.executable, "-c", SEARCH, str(ROOT), place],
        input=whole,
        capture_output=True,
        timeout=300,
        check=True,
    ).stdout
    if not found:
        missing("a byte of which this version of Arrow ends its process")
    offset = int(found)
    return whole[:offset] + b"\x18" + whole[offset + 1 :]


def repeated_text(rows: int, characters: int) -> bytes:
    """A small Parquet file of which every row has the same long text."""
    text = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * rows, pyarrow.int32()), pyarrow.array(["x" * characters])
    )
    keys = [f"s{n}" for n in range(rows)]
    return parquet_of({"segment": keys, "source": text}, compression="zstd")


def written(name: str, rows: list[dict[str, Any]]) -> bytes:
    """Rows in the format that a file's name says."""
    plain = name.removesuffix(".gz").removesuffix(".zip")
    if plain.endswith(".parquet"):
        data = parquet_of({column: [row[column] for row in rows] for column in rows[0]})
    elif plain.endswith(".jsonl"):
        data = "\n".join(json.dumps(row) for row in rows).encode()
    else:
        data = text_of([list(rows[0]), *(list(row.values()) for row in rows)])
        data = data.replace(b",", b"\t") if plain.endswith(".tsv") else data
    if name.endswith(".gz"):
        return gzip.compress(data)
    if name.endswith(".zip"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(plain, data)
        return out.getvalue()
    return data
