"""The demo's programmed systems do what their descriptions say."""

from collections import Counter

import pytest

from demo.systems import (
    FORMAL_TEMPLATES,
    INFORMAL_TEMPLATES,
    apply_rules,
    fill_template,
    scramble,
    topic_of,
)


@pytest.mark.parametrize(
    ("source", "target", "output"),
    [
        ("yo i can't come tmrw lol", "formal", "I cannot come tomorrow."),
        ("u ok??", "formal", "You all right?"),
        ("Unfortunately, I have not eaten.", "informal", "sadly, i've not eaten"),
        ("It is not far. I cannot wait.", "informal", "it isn't far. i can't wait"),
        ("the bus", "formal", "The bus."),
    ],
)
def test_rules_replace_listed_words_and_mend_start_and_end(source, target, output):
    assert apply_rules(source, target) == output


def test_rules_leave_parts_of_words_alone():
    assert apply_rules("us kids dock", "formal") == "Us kids dock."


def test_the_topic_is_the_longest_word_after_a_determiner():
    assert topic_of("Honestly, the bus and my umbrella vanished") == "umbrella"
    assert topic_of("we got thrashed") == "thrashed"


def test_templates_are_stock_sentences_of_the_target_style_sometimes_off_topic():
    sources = [f"the {word} is here" for word in ("bus", "dog", "tap", "pie")] * 50
    outputs = [fill_template(sources, index, "formal", seed=1) for index in range(200)]
    possible = {
        text.format(topic="the " + t)
        for text in FORMAL_TEMPLATES
        for t in ("bus", "dog", "tap", "pie")
    }
    assert set(outputs) == possible
    right = sum(source[:7] in output for source, output in zip(sources, outputs, strict=True))
    assert 0.65 < right / 200 < 0.9
    informal = fill_template(sources, 0, "informal", seed=1)
    assert any(informal.startswith(text.split("{")[0]) for text in INFORMAL_TEMPLATES)


def test_scrambling_keeps_the_first_words_in_another_order():
    source = "one two three four five six seven eight nine ten"
    outputs = {scramble(source, index, seed=1) for index in range(20)}
    assert len(outputs) == 20
    for output in outputs:
        assert Counter(output.split()) == Counter(source.split()[:7])
    assert scramble("alone", 0, seed=1) == "alone"
