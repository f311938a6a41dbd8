"""Labelled texts: the same text once, split without leaks, foreign to the study."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.styles.labelled import (
    LabelledTexts,
    TrainingError,
    check_trainable,
    deduplicated,
    held_out_split,
    text_key,
    without,
)
from tests.fixtures.style_texts import reviews


def test_copies_empty_texts_and_contradictions_are_left_out_and_counted() -> None:
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
def test_case_space_and_forms_of_accents_make_no_other_text(one: str, other: str) -> None:
    assert text_key(one) == text_key(other)
    assert text_key(one) != text_key(one + "!")


def test_texts_of_the_study_are_found_however_they_are_tokenised() -> None:
    labelled = LabelledTexts.of(["i like it .", "i do n't .", "bad"], ["a", "b", "b"])
    foreign, common = without(labelled, iter(["I like it.", "Another"]))
    assert (foreign.texts, common) == (("i do n't .", "bad"), 1)
    assert foreign.styles == ("a", "b")


@given(st.lists(st.sampled_from("abcdefgh"), min_size=8), st.integers(0, 5))
def test_copies_of_a_text_are_never_on_both_sides(letters: list[str], seed: int) -> None:
    columns = np.array([float(letter < "d") for letter in letters])
    labelled = LabelledTexts(tuple(letters), columns, ("x", "y"))
    shown, held_out = held_out_split(labelled, 0.3, seed)
    assert not set(shown.texts) & set(held_out.texts)
    assert sorted(shown.texts + held_out.texts) == sorted(letters)


def test_each_style_is_held_out_in_its_share_and_the_seed_decides_which() -> None:
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
def test_what_cannot_be_learned_from_is_refused_in_words(labelled, words) -> None:
    with pytest.raises(TrainingError, match=words):
        check_trainable(labelled)
