"""Rules of formality: what they change, in which direction, and what they leave alone."""

import pytest

from metrics.writers.formality import FormalityRules
from metrics.writers.writer import Source, WriterError


def rewritten(text, direction=("informal", "formal"), **parameters):
    return FormalityRules(parameters).write([Source("s", text, *direction)])[0].text


@pytest.mark.parametrize(
    ("text", "formal"),
    [
        ("omg i cant believe it!!! lol :)", "I cannot believe it."),
        ("it's soooo good,u can try it", "It is so good, you can try it."),
        ("I DON'T KNOW WHAT TO DO", "I do not know what to do."),
        ("hi guys, im here... r u?", "Hello people, I am here. Are you?"),
        ("We’re late; they'll be mad", "We are late; they will be mad."),
        ("r u sure ?!?!", "Are you sure?"),
        ("Gonna go , thx", "Going to go, thanks."),
        ("goood idea", "Good idea."),
    ],
)
def test_informal_texts_become_formal(text, formal):
    assert rewritten(text) == formal
    # A second time changes nothing.
    assert rewritten(formal) == formal


@pytest.mark.parametrize(
    "text",
    [
        "He said that he'd gone.",
        "John's book is the best.",
        "They ain't here.",
        "The BBC and NASA agree.",
        "We were well.",
        "It costs 3.50 dollars.",
    ],
)
def test_what_depends_on_context_stays_as_it_is(text):
    assert rewritten(text) == text


@pytest.mark.parametrize(
    ("text", "informal"),
    [
        ("I do not know.", "i don't know"),
        ("They are late. We are going to wait.", "they're late. we're gonna wait"),
        ("Thank you; please come.", "thank u; pls come"),
    ],
)
def test_formal_texts_become_informal(text, informal):
    assert rewritten(text, ("formal", "informal")) == informal


def test_other_directions_are_refused():
    with pytest.raises(WriterError, match="the directions chosen are positive → negative"):
        FormalityRules().check({("positive", "negative")})
    (written,) = FormalityRules().write([Source("s", "text", "positive", "negative")])
    assert written == ("", "there are no rules for positive → negative")
