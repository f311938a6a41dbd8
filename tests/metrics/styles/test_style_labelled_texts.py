"""Labelled texts: read from files, left out, held out; and modifiers of English texts."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.tabular.problems import TableError
from metrics.styles.corpus_file import CorpusColumns, read_corpus
from metrics.styles.labelled import (
    LabelledTexts,
    TrainingError,
    check_trainable,
    deduplicated,
    held_out_split,
    text_key,
    without,
)
from metrics.styles.lexicon_training import modifiers
from tests.fixtures.style_texts import reviews


def test_copies_empty_texts_and_contradictions_are_left_out_and_counted():
    labelled = LabelledTexts.of(
        ["Good .", "good.", " ", "bad", "odd", "ODD", "fine"],
        ["pos", "pos", "neg", "neg", "neg", "pos", "pos"],
    )
    once, left_out = deduplicated(labelled)
    assert once.texts == ("Good .", "bad", "fine")
    assert [once.label(row) for row in range(3)] == ["pos", "neg", "pos"]
    assert (left_out.repeated, left_out.empty, left_out.contradictory) == (1, 1, 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Great food .", "great  food."), ("caf\u00e9", "cafe\u0301"), ("STRASSE", "straße")],
)
def test_case_space_and_forms_of_accents_make_no_other_text(one, other):
    assert text_key(one) == text_key(other)
    assert text_key(one) != text_key(one + "!")


def test_texts_of_the_study_are_found_however_they_are_tokenised():
    labelled = LabelledTexts.of(["i like it .", "i do n't .", "bad"], ["a", "b", "b"])
    foreign, common = without(labelled, iter(["I like it.", "Another"]))
    assert (foreign.texts, common) == (("i do n't .", "bad"), 1)
    assert foreign.styles == ("a", "b")


@given(st.lists(st.sampled_from("abcdefgh"), min_size=8), st.integers(0, 5))
def test_copies_of_a_text_are_never_on_both_sides(letters, seed):
    columns = np.array([float(letter < "d") for letter in letters])
    labelled = LabelledTexts(tuple(letters), columns, ("x", "y"))
    shown, held_out = held_out_split(labelled, 0.3, seed)
    assert not set(shown.texts) & set(held_out.texts)
    assert sorted(shown.texts + held_out.texts) == sorted(letters)


def test_each_style_is_held_out_in_its_share_and_the_seed_decides_which():
    labelled = reviews(400)
    shown, held_out = held_out_split(labelled, 0.25, seed=7)
    assert np.bincount(held_out.columns).tolist() == [50, 50]
    assert len(shown) == 300
    again = held_out_split(labelled, 0.25, seed=7)[1]
    assert again.sha256 == held_out.sha256 != held_out_split(labelled, 0.25, seed=8)[1].sha256


@pytest.mark.parametrize(
    ("labelled", "words"),
    [
        (LabelledTexts.of(["a"] * 20, ["x"] * 17 + ["y"] * 3), "3 texts of style 'y'"),
        (LabelledTexts.graded(["a"] * 20, [2.0] * 20, "x"), "all grades are the same"),
        (LabelledTexts.graded(["a"] * 3, [1, 2, 3], "x"), "3 graded texts"),
        (LabelledTexts.graded(["a"] * 20, [np.nan] * 20, "x"), "not a finite number"),
    ],
)
def test_what_cannot_be_learned_from_is_refused_in_words(labelled, words):
    with pytest.raises(TrainingError, match=words):
        check_trainable(labelled)


ROWS = [("good , really", "pos"), ('he said "no"', "neg"), ("NA", "pos"), ("fine", "None")]
CSV = 'text,style\n"good , really",pos\n"he said ""no""",neg\nNA,pos\nfine,None\n'


def as_json_lines(rows):
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
def test_every_format_gives_the_same_texts(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    found, unlabelled = read_corpus(tmp_path / name, CorpusColumns())
    assert found.texts == ("good , really", 'he said "no"', "NA")
    assert [found.label(row) for row in range(3)] == ["pos", "neg", "pos"]
    assert unlabelled == 1


def test_grades_are_numbers_and_rows_without_one_are_counted(tmp_path):
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
def test_what_is_wrong_is_said_with_its_place(tmp_path, content, columns, words):
    (tmp_path / "corpus.csv").write_text(content)
    with pytest.raises(TableError) as refused:
        read_corpus(tmp_path / "corpus.csv", columns)
    assert words in str(refused.value)


def words(*texts, **settings):
    return [each.word for each in modifiers(texts, **settings)]


def test_adjectives_and_adverbs_are_found_and_nothing_else():
    text = "The waiter was incredibly rude, and the quickly served soup was never hot!"
    assert sorted(words(text)) == ["hot", "incredibly", "never", "quickly", "rude"]
