"""Masking of style words: what is a word, what stays, what is found."""

import dataclasses
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.texts.masking import (
    PLACEHOLDER,
    PlaceholderError,
    check_placeholder,
    mask,
    mask_spans,
    masker,
    places,
)

WORDS = ("so", "late", "don't", "a", "lot", "well-known", "ÜBER", "नमस्ते", "(sic)", "!", ":)", "é")
texts = st.lists(
    st.sampled_from(
        (*WORDS, "the", "sober", " ", "  ", "\n", ",", "'", "-", "x", "so-", PLACEHOLDER)
    )
).map("".join)
entries = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join))


@pytest.mark.parametrize(
    ("text", "words", "masked"),
    [
        ("So LATE, so what?", ["so", "late"], "[STYLE] [STYLE], [STYLE] what?"),
        ("sober, also", ["so"], "sober, also"),
        ("thanks a  lot\nreally", ["a lot", "thanks", "a"], "[STYLE] [STYLE]\nreally"),
        ("a lot of a", ["a lot of", "a lot", "a"], "[STYLE] [STYLE]"),
        ("I don’t, dont don't", ["don't"], "I [STYLE], dont [STYLE]"),
        ("don't 't", ["don", "'t"], "don't [STYLE]"),
        ("well-known and well", ["well"], "well-known and [STYLE]"),
        ("well‑known", ["well-known"], "[STYLE]"),
        ("it 's it's", ["'s"], "it [STYLE] it's"),
        ("great!!! :)", ["!", ":)"], "great[STYLE][STYLE][STYLE] [STYLE]"),
        ("STRASSE straße", ["Straße"], "[STYLE] [STYLE]"),
        ("cafe\u0301 café", ["café"], "[STYLE] [STYLE]"),
        ("नमस्ते नमस", ["नमस"], "नमस्ते [STYLE]"),
        ("I ❤️ it", ["❤"], "I [STYLE] it"),
        ("snake_case", ["case"], "snake_[STYLE]"),
        ("  keep\tall\r\n this ", ["all"], "  keep\t[STYLE]\r\n this "),
        ("", ["all"], ""),
    ],
)
def test_whole_words_are_masked_whatever_their_case_and_the_rest_is_kept(text, words, masked):
    assert mask(text, words).text == masked


def test_a_placeholder_that_looks_like_a_word_is_refused():
    for wrong in ("", "STYLE", "-", "[x", " [x]", "[a\nb]", f"[{'x' * 40}]", "'x'"):
        with pytest.raises(PlaceholderError, match="placeholder"):
            check_placeholder(wrong)
    assert mask("so late", ["so", "style"], placeholder="<style>").text == "<style> late"
    assert mask("<style> so", ["style", "so"], placeholder="<style>").text == "<style> <style>"


@given(texts, entries)
def test_everything_outside_the_spans_is_unchanged(text, words):
    found = mask(text, words)
    ends = [0, *(end for _, end in found.spans)]
    starts = [*(start for start, _ in found.spans), len(text)]
    kept = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    assert found.text == PLACEHOLDER.join(kept)


@given(texts, entries)
def test_masking_a_masked_text_changes_nothing(text, words):
    masked = mask(text, words).text
    assert mask(masked, words).text == masked


@given(texts, entries)
def test_the_spans_are_those_that_brute_force_finds(text, words):
    assert mask(text, words).spans == tuple(spans_by_trying(text, words))


def spans_by_trying(text, words):
    """Try every stretch of the text that begins and ends at the edge of a word."""
    wanted = {written_alike(word) for word in words}
    edges = [place for place in range(len(text) + 1) if not inside_a_word(text, place)]
    kept = [match.span() for match in re.finditer(re.escape(PLACEHOLDER), text)]
    start = 0
    while start < len(text):
        fitting = [
            end
            for end in edges
            if start in edges
            and end > start
            and not text[start].isspace()
            and not text[end - 1].isspace()
            and not any(start < last and first < end for first, last in kept)
            and written_alike(text[start:end]) in wanted
        ]
        if fitting:
            yield start, max(fitting)
        start = max(fitting, default=start + 1)


def inside_a_word(text, place):
    """Whether a word goes on from one side of a place to the other."""

    def is_letter(at):
        return 0 <= at < len(text) and (
            text[at].isalnum() or unicodedata.category(text[at]).startswith("M")
        )

    if not 0 < place < len(text):
        return False
    if is_letter(place - 1) and is_letter(place):
        return True
    joined_before = text[place - 1] in "'-" and is_letter(place - 2) and is_letter(place)
    joined_after = text[place] in "'-" and is_letter(place - 1) and is_letter(place + 1)
    return joined_before or joined_after


def written_alike(text):
    return " ".join(unicodedata.normalize("NFC", text.casefold()).split())


class Counting(dict):
    """A dictionary that counts how often it is asked."""

    asked = 0

    def get(self, key, default=None):
        self.asked += 1
        return super().get(key, default)


def test_the_work_of_a_text_does_not_grow_with_the_lexicon():
    text = "one two three four five six seven, word17 and word17 extra"
    asked = []
    for size in (100, 10_000):
        words = {f"word{number} extra" if number % 2 else f"word{number}": 1.0
                 for number in range(size)}  # fmt: skip
        prepared = masker(words)
        counting = dataclasses.replace(prepared, lengths=Counting(prepared.lengths))
        assert counting(text).text.endswith("word17 and [STYLE]")
        asked.append(counting.lengths.asked)
    assert asked == [11, 11]
    assert max(len(lengths) for lengths in prepared.lengths.values()) == 1


# Given places


@pytest.mark.parametrize(
    ("text", "spans", "masked", "removed"),
    [
        ("so good food", [(3, 7)], "so [STYLE] food", "so food"),
        ("so good food", [(0, 2)], "[STYLE] good food", "good food"),
        ("so good food", [(8, 12)], "so good [STYLE]", "so good"),
        ("so good, food", [(3, 7)], "so [STYLE], food", "so , food"),
        ("so\u2003good\nfood", [(3, 7)], "so\u2003[STYLE]\nfood", "so\u2003food"),
        ("so good food", [(0, 2), (3, 7)], "[STYLE] [STYLE] food", "food"),
        ("unfriendly", [(0, 2), (8, 10)], "[STYLE]friend[STYLE]", "friend"),
        (" so  ", [], " so  ", " so  "),
        ("", [], "", ""),
    ],
)
def test_given_places_are_masked_or_removed_with_the_space_they_leave(text, spans, masked, removed):
    assert mask_spans(text, spans).text == masked
    assert mask_spans(text, spans, placeholder="").text == removed


@given(texts, entries)
def test_a_lexicon_masks_like_its_places(text, words):
    found = mask(text, words)
    assert mask_spans(text, found.spans) == found


@given(texts)
def test_words_and_signs_cover_all_but_white_space(text):
    covered = {i for start, end in places(text) for i in range(start, end)}
    assert covered == {i for i, sign in enumerate(text) if not sign.isspace()}
