"""Records in blocks: the same ones, and numbers of a wide table sent beside what they share."""

import io

import pyarrow
import pyarrow.parquet
import pytest

from corpus.tabular.confined import frames
from corpus.tabular.confined.child import Child
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.limits import DEFAULT_LIMITS
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.blocks import Block, Records
from corpus.tabular.shaping.mapping import Mapping, Wide
from tests.fixtures.tabular_reading import blocks, records
from tests.fixtures.tabular_specs import METRIC_SCORES

HEADER = ["id", "sys", "bleu", "ter", "wmd"]
USUAL = [[f"s{n}", "BART", str(n), f"{n}.5", f"-{n}e-3"] for n in range(1, 40)]
UNUSUAL = [
    ["a", "BART", "", "2", "3"],
    ["b", "BART", "1", "NA", "3"],
    ["c", "BART", "1_000", "2", "nan"],
    ["", "BART", "1", "2", "3"],
    ["d" * 300, "BART", "1", "2", "1,5"],
    ["e", "BART", "", "", ""],
    ["f", "BART", "1e308", "1e308", "1e308"],
    ["g", "BART", " 1 ", "2", "3"],
]
ROWS = [*USUAL[:10], *UNUSUAL, *USUAL[10:]]


def wide(*, skip_empty, missing=()):
    return Mapping(
        "metric_scores",
        columns={"segment": "id", "system": "sys"},
        wide=Wide("metric", "score", ("bleu", "ter", "wmd"), skip_empty=skip_empty),
        missing=missing,
    )


def csv_of(folder, rows):
    path = folder / "scores.csv"
    path.write_text("\n".join(",".join(f'"{c}"' for c in row) for row in [HEADER, *rows]) + "\n")
    return SourceFile(path, path.name, "csv")


def parquet_of(folder, rows):
    def cell(text):
        try:
            return float(text)
        except ValueError:
            return None

    columns = {name: [row[n] for row in rows] for n, name in enumerate(HEADER)}
    columns |= {name: list(map(cell, columns[name])) for name in ("bleu", "ter")}
    path = folder / "scores.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return SourceFile(path, path.name, "parquet")


@pytest.mark.parametrize("write", [csv_of, parquet_of])
@pytest.mark.parametrize("skip_empty", [True, False])
@pytest.mark.parametrize("missing", [(), ("NA", ""), ("3", "3.0", "nan")])
def test_blocks_hold_the_records_and_tell_the_problems_of_reading_row_by_row(
    tmp_path, write, skip_empty, missing
):
    source, mapping = write(tmp_path, ROWS), wide(skip_empty=skip_empty, missing=missing)
    by_row, in_blocks, confined = ProblemLog(), ProblemLog(), ProblemLog()
    expected = list(records(source, mapping, METRIC_SCORES, by_row))
    assert list(Records(blocks(source, mapping, METRIC_SCORES, in_blocks))) == expected
    with ConfinedReading() as reading:
        assert list(reading.records(source, mapping, METRIC_SCORES, confined)) == expected
        assert (
            reading.usage.rows
            == len(expected)
            == sum(map(len, blocks(source, mapping, METRIC_SCORES, ProblemLog())))
        )
    assert in_blocks.to_dict() == confined.to_dict() == by_row.to_dict()
    assert by_row.count > 2


def test_what_the_numbers_of_a_row_share_is_sent_once(tmp_path):
    rows = [[f"segment-{n:06}", "a system of some name", "1", "2", "3"] for n in range(3000)]
    out = io.BytesIO()
    asked = {"source": csv_of(tmp_path, rows), "mapping": wide(skip_empty=True)}
    asked |= {"spec": METRIC_SCORES, "problems": 1, "most": None, "files": []}
    Child(out, DEFAULT_LIMITS, tmp_path / "work").records(**asked)
    sent = out.getvalue()
    assert sent.count(b"segment-000007") == 1
    # The first pieces are small, so that somebody sees them at once.
    assert sent.count(b'"bleu"') <= 7
    assert len(sent) < 3000 * 65


def test_a_column_of_nothing_takes_no_place_and_is_the_same_again():
    block = Block([2, 3], [["a", "b"], [None, None], ["", ""], [None, ""], [(), ()]])
    sent = block.to_plain()
    assert sent[1][1:4] == ["none", "empty", [None, ""]]
    out = io.BytesIO()
    frames.write_frame(out, frames.ROWS, sent)
    assert len(out.getvalue()) < 90
    assert Block.from_plain(sent, [4]) == block


def test_text_that_wide_rows_share_counts_for_each_of_their_records(tmp_path):
    """Else a short file could make an import write far more than it may hold."""
    row = [["s" * 190, "BART", "1", "2", "3"]]
    [block] = blocks(csv_of(tmp_path, row), wide(skip_empty=True), METRIC_SCORES, ProblemLog())
    assert block.shared_characters == 2 * (190 + 4)
