"""How fast an outputs table is read, beside csv.DictReader and pandas.

Run with ``python -m benchmarks.reading [ROWS]`` from the repository's root.
"""

import csv
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pandas

from corpus.tabular.fields import Field, TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.limits import DEFAULT_LIMITS
from corpus.tabular.loading import Tables
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import ProblemLog
from corpus.tabular.records import blocks

TEXT = "It depends on when you are ready, she said; nobody knows for sure."
OUTPUTS = TableSpec(
    "outputs",
    "Outputs",
    (
        Field("segment", "key", required=True),
        Field("system", "key", required=True),
        Field("output", required=True),
    ),
)
SCORES = TableSpec("scores", "Scores", (*OUTPUTS.fields[:2], Field("score", "number", True)))


def write(path: Path, last: str, values: list[str], rows: int) -> None:
    """Write a table of ten systems."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["segment", "system", last])
        writer.writerows(
            (f"s{n // 10:06d}", f"system{n % 10}", values[n % len(values)]) for n in range(rows)
        )


def read_records(path: Path, spec: TableSpec) -> int:
    """Read with the import's own reader."""
    mapping = Mapping(spec.name, {name: name for name in spec.names})
    source = SourceFile(path, path.name, "csv")
    with tempfile.TemporaryDirectory() as folder:
        found = blocks(
            Tables(Path(folder), DEFAULT_LIMITS),
            source,
            mapping,
            spec,
            ProblemLog(),
            DEFAULT_LIMITS,
        )
        return sum(map(len, found))


def read_dictionaries(path: Path) -> int:
    """Read with csv.DictReader, which checks nothing."""
    with path.open(newline="", encoding="utf-8") as stream:
        return sum(1 for _ in csv.DictReader(stream))


def read_frame(path: Path) -> int:
    """Read with pandas, all at once, texts kept."""
    return len(pandas.read_csv(path, keep_default_na=False))


def measure(name: str, read: Callable[[], int], rows: int) -> None:
    """Print the best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        assert read() == rows
        times.append(time.perf_counter() - start)
    print(f"{name:<32}{rows / min(times):>14,.0f} rows/s")


def main(rows: int) -> None:
    """Write two tables and read each with three readers."""
    with tempfile.TemporaryDirectory() as folder:
        for spec, last, values in (
            (OUTPUTS, "output", [TEXT, "ok", f'"{TEXT}"\n{TEXT}']),
            (SCORES, "score", ["0.123456", "97", "-3.5"]),
        ):
            path = Path(folder) / f"{spec.name}.csv"
            write(path, last, values, rows)
            measure(f"{spec.name}: records()", lambda p=path, s=spec: read_records(p, s), rows)
            measure(f"{spec.name}: csv.DictReader", lambda p=path: read_dictionaries(p), rows)
            measure(f"{spec.name}: pandas", lambda p=path: read_frame(p), rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
