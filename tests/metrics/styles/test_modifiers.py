"""Adjectives and adverbs as style words, found by a tagger."""

from hypothesis import given
from hypothesis import strategies as st

from metrics.styles.lexicon_training import modifiers


def words(*texts, **settings):
    return [each.word for each in modifiers(texts, **settings)]


def test_adjectives_and_adverbs_are_found_and_nothing_else():
    text = "The waiter was incredibly rude, and the quickly served soup was never hot!"
    assert sorted(words(text)) == ["hot", "incredibly", "never", "quickly", "rude"]


def test_a_word_counts_by_most_of_its_places():
    running = ["They run fast.", "It was a fast car.", "He does fast for the fast."]
    [fast] = [each for each in modifiers(running) if each.word == "fast"]
    assert (fast.places, 2 * fast.modifying > fast.places) == (4, True)
    lighting = ["Turn on the light.", "The light is on.", "It is a light bag."]
    assert "light" not in words(*lighting)


def test_words_of_too_few_texts_are_left_out_and_each_text_counts_once():
    texts = ["A good soup.", "A good soup.", "A good, bad bread."]
    assert words(*texts, fewest=2) == ["good"]
    assert next(iter(modifiers(texts))).places == 2


@given(st.lists(st.text(max_size=60), max_size=4))
def test_whatever_stands_in_a_text_each_modifier_is_one_of_its_words(texts):
    for each in modifiers(texts):
        assert 0 < each.modifying <= each.places
