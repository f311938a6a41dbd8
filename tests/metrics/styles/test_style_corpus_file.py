"""Labelled texts from files: formats, columns, rows without a label, exact places of errors."""

import gzip
import json
from pathlib import Path

import pytest

from corpus.tabular.problems import TableError
from metrics.styles.corpus_file import CorpusColumns, read_corpus

ROWS = [("good , really", "pos"), ('he said "no"', "neg"), ("NA", "pos"), ("fine", "None")]
CSV = 'text,style\n"good , really",pos\n"he said ""no""",neg\nNA,pos\nfine,None\n'


def as_json_lines(rows: list[tuple[str, str]]) -> bytes:
    return "".join(json.dumps({"text": t, "style": s}) + "\n" for t, s in rows).encode()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.csv", CSV.encode()),
        ("corpus.csv", b"\xef\xbb\xbf" + CSV.replace("\n", "\r\n").encode()),
        ("corpus.csv.gz", gzip.compress(CSV.encode())),
        ("corpus.tsv", "".join("\t".join(row) + "\n" for row in [("text", "style")]).encode()
         + b'good , really\tpos\n"he said ""no"""\tneg\nNA\tpos\nfine\tNone\n'),
        ("corpus.jsonl", as_json_lines(ROWS)),
    ],
    ids=["csv", "with byte order mark", "gzip", "tsv", "json lines"],
)  # fmt: skip
def test_every_format_gives_the_same_texts(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    found, unlabelled = read_corpus(tmp_path / name, CorpusColumns())
    assert found.texts == ("good , really", 'he said "no"', "NA")
    assert [found.label(row) for row in range(3)] == ["pos", "neg", "pos"]
    assert unlabelled == 1


def test_grades_are_numbers_and_rows_without_one_are_counted(tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text("sentence,mean\none,-1.5\ntwo,2\nthree,None\nfour,\n")
    columns = CorpusColumns("sentence", "mean", "formal")
    found, unlabelled = read_corpus(tmp_path / "grades.csv", columns)
    assert (found.targets.tolist(), found.styles, unlabelled) == ([-1.5, 2.0], ("formal",), 2)


@pytest.mark.parametrize(
    ("content", "columns", "words"),
    [
        ("text,mood\na,b\n", CorpusColumns(), "corpus.csv:1 style: found 'text, mood'"),
        ("text,style\na\n", CorpusColumns(), "corpus.csv:2 style: found 'nothing'"),
        ("text,style\na,x\n", CorpusColumns(graded="formal"), "corpus.csv:2 style: found 'x'"),
        ("", CorpusColumns(), "found 'an empty file'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, content, columns, words) -> None:
    (tmp_path / "corpus.csv").write_text(content)
    with pytest.raises(TableError) as refused:
        read_corpus(tmp_path / "corpus.csv", columns)
    assert words in str(refused.value)


def test_a_folder_with_two_tables_is_refused(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(CSV)
    with pytest.raises(TableError, match=r"found 'a\.csv, b\.csv', expected one CSV"):
        read_corpus(tmp_path, CorpusColumns())
