"""From attributions of word pieces to masked words: merging, shares, choice and masking."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.attribution.attribution import PIECE, Attribution, Unit, units
from metrics.attribution.masking import REPORT_2022, MaskingRule, mask_by_attribution, select

# The food was unbelievably good , 😋😋 !
TEXT = "The food was  unbelievably good, 😋😋 !"
PIECES = [
    ("", 0.4),
    ("The", -0.2),
    ("food", 0.1),
    ("was", 0.0),
    ("un", -1.0),
    ("bel", 0.6),
    ("ievably", 0.9),
    ("good", 2.0),
    (",", 0.1),
    ("😋😋", -0.6),
    ("!", 0.5),
    ("", -0.4),
]


def attributed(text, pieces, logits=(0.0, 1.0)):
    """Pieces stand one after the other; an empty one is a special token."""
    rows, place = [], 0
    for piece, value in pieces:
        if not piece:
            rows.append((0, 0, True, value))
            continue
        place = text.index(piece, place)
        rows.append((place, place + len(piece), False, value))
        place += len(piece)
    return Attribution(0, np.array(rows, PIECE), np.array(logits), 0.0)


@pytest.fixture
def attribution():
    return attributed(TEXT, PIECES)


def words_of(text, chosen):
    return [text[unit.start : unit.end] for unit in chosen]


def shares(*values):
    return [Unit(2 * i, 2 * i + 1, value, value) for i, value in enumerate(values)]


# Merging


def test_pieces_of_a_word_are_summed_with_their_signs_and_special_tokens_left_out(attribution):
    found = units(TEXT, attribution)
    assert words_of(TEXT, found) == [
        "The", "food", "was", "unbelievably", "good", ",", "😋😋", "!",
    ]  # fmt: skip
    assert [unit.value for unit in found] == pytest.approx([-0.2, 0.1, 0, 0.5, 2, 0.1, -0.6, 0.5])
    assert [unit.share for unit in found] == pytest.approx(
        [0.05, 0.025, 0, 0.125, 0.5, 0.025, 0.15, 0.125]
    )


def test_single_pieces_and_special_tokens_by_option(attribution):
    pieces = units(TEXT, attribution, merge_words=False)
    assert words_of(TEXT, pieces)[3:6] == ["un", "bel", "ievably"]
    assert pieces[3].share == pytest.approx(1 / 6)
    with_special = units(TEXT, attribution, merge_words=False, rank_special=True)
    assert [unit.is_special for unit in with_special] == [False] * 10 + [True] * 2
    assert with_special[3].share == pytest.approx(1 / 6.8)
    assert sum(unit.share for unit in with_special) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "pieces", "words"),
    [
        ("it's", ["it", "'", "s"], ["it's"]),
        ("do n't", ["do", "n", "'", "t"], ["do", "n't"]),
        ("two words", ["two words"], ["two words"]),
        ("שלום עולם", ["של", "ום", "עולם"], ["שלום", "עולם"]),
        ("e\u0301te\u0301", ["e\u0301", "te\u0301"], ["e\u0301te\u0301"]),
        ("a  b", ["a", "  ", "b"], ["a", "b"]),
        ("a ", ["a", " "], ["a"]),
        ("  ", ["  "], []),
        ("", [], []),
        ("👩‍👩‍👧 ok", ["👩‍", "👩‍", "👧", "ok"], ["👩‍👩‍👧", "ok"]),
    ],
)
def test_words_are_whole_whatever_the_pieces(text, pieces, words):
    found = units(text, attributed(text, [(piece, 1.0) for piece in pieces]))
    assert words_of(text, found) == words
    if words:
        assert sum(unit.value for unit in found) == pytest.approx(len(pieces))


# Choice


@pytest.mark.parametrize(
    ("threshold", "at_least_one", "chosen"),
    [
        (0.1, False, []),
        (0.1, True, [1]),
        (0.39, False, []),
        (0.4, False, [1]),
        (0.6, False, [1]),
        (0.7, False, [1, 0]),
        (0.9, False, [1, 0, 2]),
        (1.0, False, [1, 0, 2, 3]),
        (1.0, True, [1, 0, 2, 3]),
    ],
)
def test_words_are_chosen_in_falling_order_within_the_threshold(threshold, at_least_one, chosen):
    found = select(shares(0.3, 0.4, 0.2, 0.1), threshold, at_least_one=at_least_one)
    assert [unit.start // 2 for unit in found] == chosen


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_share(threshold):
    with pytest.raises(ValueError, match="expected a share from 0 to 1"):
        select([], threshold)


values = st.lists(st.floats(-5, 5), min_size=1, max_size=12)


@given(values, st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_a_larger_threshold_masks_the_same_words_and_perhaps_more(some, first, second, at_least):
    total = sum(abs(value) for value in some) or 1.0
    found = [Unit(i, i + 1, value, abs(value) / total) for i, value in enumerate(some)]
    low, high = sorted((first, second))
    few = select(found, low, at_least_one=at_least)
    many = select(found, high, at_least_one=at_least)
    assert many[: len(few)] == few
    if not at_least:
        assert sum(unit.share for unit in many) <= high + 1e-8
    strongest = [unit.share for unit in many]
    assert strongest == sorted(strongest, reverse=True)
    left = [unit.share for unit in found if unit not in many]
    assert not left or not many or max(left) <= min(strongest)
    if left and max(left) > 0:
        assert sum(strongest) + max(left) > high


@given(st.lists(st.sampled_from(["un", "good", " ", "  ", "😋", "!", "é", "'", "שלום"])), st.data())
def test_every_piece_counts_once_whatever_the_text(parts, data):
    text = "".join(parts)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pieces = [(start, end, False, data.draw(st.floats(-2, 2))) for start, end in pairwise(cuts)]
    found = Attribution(0, np.array(pieces, PIECE), np.array([0.0, 0.0]), 0.0)
    merged = units(text, found)
    if text.strip():
        assert sum(unit.value for unit in merged) == pytest.approx(
            sum(value for *_, value in pieces), abs=1e-9
        )
    for before, after in pairwise(merged):
        assert before.end <= after.start
    for unit in merged:
        assert text[unit.start : unit.end].strip() == text[unit.start : unit.end] != ""


# Masking


def test_the_rule_of_2022_masks_pieces_and_at_least_one(attribution):
    masked = mask_by_attribution(TEXT, attribution, MaskingRule(0.1, **REPORT_2022))
    assert masked.text == TEXT.replace("good", "[PAD]")
    more = mask_by_attribution(TEXT, attribution, MaskingRule(0.58, **REPORT_2022))
    assert more.text == "The food was  [PAD]bel[PAD] [PAD], 😋😋 !"


def test_of_several_styles_the_source_style_may_be_the_one_that_must_be_there():
    # Columns have probabilities of .090, .245 and .665.
    found = attributed("so good", [("so", 1.0), ("good", 3.0)], logits=(0.0, 1.0, 2.0))
    of_source = {"probability_of": "source-style"}
    for column, probability in ((1, 0.2447), (2, 0.6652)):
        for least, text in ((probability - 0.001, "so [PAD]"), (probability + 0.001, "so good")):
            rule = MaskingRule(0.8, least_probability=least, **of_source)
            assert mask_by_attribution("so good", found, rule, column).text == text
    # All other styles together are likelier than the source style alone.
    others = MaskingRule(0.8, least_probability=0.9)
    assert mask_by_attribution("so good", found, others, 2).text == "so [PAD]"
    with pytest.raises(ValueError, match="column of the source style is not given"):
        mask_by_attribution("so good", found, MaskingRule(0.8, least_probability=0.1, **of_source))


def test_a_text_masked_to_nothing_is_said_so():
    found = attributed("good!", [("good", 3.0), ("!", 1.0)])
    for placeholder in ("[PAD]", ""):
        assert mask_by_attribution("good!", found, MaskingRule(0.8, placeholder)).is_emptied
        kept = MaskingRule(0.5, placeholder, at_least_one=False)
        assert not mask_by_attribution("good!", found, kept).is_emptied
