"""No bytes whatever make reading fail otherwise than by a problem that says where."""

import gzip
import random
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.tabular.opening.files import SEEKABLE, SourceFile
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.harmful_files import KINDS, written
from tests.fixtures.tabular_reading import records
from tests.fixtures.tabular_specs import OUTPUTS, SPECS

MAPPING = Mapping(
    "outputs",
    {"segment": "segment", "system": "system", "output": "output", "variant": "variant"},
)
TRANSFORMED = Mapping.from_dict(
    {
        "table": "outputs",
        "columns": {
            **{"output": "output", "variant": "variant"},
            "segment": "= joined([CAST(segment AS VARCHAR), CAST(_row AS VARCHAR)])",
            "system": "= choice(CAST(system AS VARCHAR), MAP {'s': 'A'})",
        },
        "where": "TRY_CAST(CAST(variant AS VARCHAR) AS DOUBLE) <= 3",
    }
)
HEADER = b"segment,system,output,variant\n"
OBJECT = b'{"segment": "s", "system": {"a": [1]}, "output": "\\u00e9", "variant": 1}\n'
pieces = st.one_of(
    st.sampled_from(
        [b"s", b",", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"1", b"\xc3"]
    ),
    st.sampled_from([b"{", b"}", b"[", b"]", b":", b'"segment"', b"\\ud800", b"NaN", OBJECT]),
    st.sampled_from([b'"[""s"",1]",', b'["\\\\u0000"]', b"[" * 50, b"null"]),
    st.binary(max_size=4),
)


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from([b"", HEADER, OBJECT, b"\xff\xfe", b"\xef\xbb\xbf"]),
    st.lists(pieces, max_size=25),
    st.sampled_from([*KINDS, "lines"]),
    st.booleans(),
    st.sampled_from([MAPPING, TRANSFORMED]),
)
def test_any_bytes_give_records_or_problems(start, parts, kind, packed, mapping):
    data = start + b"".join(parts)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(gzip.compress(data) if packed else data)
        source = SourceFile(path, "file", kind, packed and kind not in SEEKABLE)
        log = ProblemLog()
        for _, values in records(source, mapping, OUTPUTS, log):
            assert "\0" not in values[2]
            values[2].encode()
        assert all(p.file == "file" and p.message for p in log.problems)
        assert log.count == len(log.problems)
        with suppress(TableError):
            guess_file(source, SPECS)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_parquet_gives_records_or_problems(tmp_path, seed):
    generator = random.Random(seed)
    path = tmp_path / "file.parquet"
    table = {"segment": ["a", "b"], "system": ["A"] * 2, "output": ["x", ""], "variant": [1, 2]}
    pyarrow.parquet.write_table(pyarrow.table(table), path, compression="gzip")
    data = bytearray(path.read_bytes())
    for _ in range(5):
        data[generator.randrange(len(data))] = generator.randrange(256)
    path.write_bytes(data)
    log = ProblemLog()
    found = list(records(SourceFile(path, path.name, "parquet"), MAPPING, OUTPUTS, log))
    assert len(found) + log.count >= 1


def test_a_parquet_text_that_is_no_utf_8_is_a_problem(tmp_path):
    path = tmp_path / "file.parquet"
    texts = pyarrow.array([b"caf\xe9"]).view(pyarrow.string())
    columns = {"segment": ["a"], "system": ["A"], "output": texts, "variant": [1]}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    log = ProblemLog()
    assert list(records(SourceFile(path, path.name, "parquet"), MAPPING, OUTPUTS, log)) == []
    assert [p.code for p in log.problems] == ["damaged"]


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_a_damaged_part_of_a_workbook_gives_records_or_problems(tmp_path, ending):
    rows = [{"segment": f"s{n}", "system": "A", "output": f"text {n}"} for n in range(30)]
    whole = written(f"x.{ending}", rows)
    for seed in range(15):
        generator = random.Random(seed)
        data = bytearray(whole)
        for _ in range(4):
            data[generator.randrange(len(data))] = generator.randrange(256)
        path = tmp_path / f"{seed}.{ending}"
        path.write_bytes(data)
        with suppress(TableError):
            discover(path, tmp_path / str(seed))
        log = ProblemLog()
        list(records(SourceFile(path, path.name, ending), MAPPING, OUTPUTS, log))
        assert all(p.file and p.message for p in log.problems)
