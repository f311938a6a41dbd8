"""A text file is a table if its lines look like rows, and lines of text if they do not."""

import gzip
from dataclasses import replace

import pytest

from corpus.tabular.limits import DEFAULT_LIMITS
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.sources import discover
from corpus.tabular.opening.text_files import table_format
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import preview, records
from tests.fixtures.tabular_specs import METRIC_SCORES


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("s1\tA\tIt depends.\ns2\tA\tNo.\n", "tsv"),
        ("# scores\nsystem score\nA  0.5\nB  1e-3\n", "csv"),
        ("A 0.5\nB 0.25", "csv"),
        ("It depends.\nNo idea.\n", None),
        ("two words\nthree words here\n", None),
        ("one\ttab\nnone\n", None),
        ("1\n2\n", None),
        ("only one line\t2\n", None),
        ("", None),
    ],
)
def test_lines_that_are_alike_are_rows(tmp_path, text, kind):
    (tmp_path / "a.txt").write_text(text)
    source = SourceFile(tmp_path / "a.txt", "a.txt", "lines")
    assert table_format(source, DEFAULT_LIMITS) == kind
    (tmp_path / "a.txt").write_bytes(gzip.compress(text.encode()))
    assert table_format(replace(source, gzipped=True), DEFAULT_LIMITS) == kind


def test_scores_between_spaces_are_read_by_a_mapping(tmp_path):
    for folder in ("study", "work"):
        (tmp_path / folder).mkdir()
    (tmp_path / "study" / "bleu.txt").write_text("s1 A   0.5\ns1 BART 0.25\n")
    (tmp_path / "study" / "notes.txt").write_text("some words\nand some more of them\n")
    found = discover(tmp_path / "study", tmp_path / "work", layout="tables")
    (source,) = found.files
    assert [name for name, _ in found.unrecognised] == ["notes.txt"]
    dialect = preview(source).dialect
    assert (dialect.header, dialect.delimiter) == (False, "whitespace")
    columns = {"segment": "column 1", "system": "column 2", "score": "column 3"}
    mapping = Mapping("metric_scores", columns | {"metric": "= 'bleu'"}, dialect=dialect)
    log = ProblemLog()
    assert len(list(records(source, mapping, METRIC_SCORES, log))) == 2
    assert not log
