"""Answers that contradict what is on the screen: which, and how the page asks about them."""

import pytest

from annotation.models import Rating, Submission
from annotation.protocols.catalogue import LIVE, protocol
from annotation.protocols.contradictions import contradictions
from corpus.models import Output
from tests.fixtures.accessibility import assert_usable
from tests.fixtures.rating_browser import current, next_screen

BROWSER = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def found(key, source, *items, **config):
    """The conditions of what would contradict itself."""
    rules = protocol(key)
    return [each.conditions for each in contradictions(rules, config, source, items)]


@pytest.mark.parametrize("key", LIVE)
def test_different_texts_contradict_no_answer(key):
    items = [("one", "two")] if protocol(key).layout.compares else [("one",), ("two",)]
    assert found(key, "source", *items) == []


def test_one_of_two_equal_texts_is_no_better_where_a_tie_can_be_said():
    same = ("Caf\u00e9", "Cafe\u0301 ")
    for key, aspect in (
        ("relative_naturalness", "naturalness"),
        ("output_against_output", "overall"),
    ):
        assert found(key, "", same, tie=True) == [((f"answer-0-{aspect}", "not", "tie"),)]
        assert found(key, "", same) == []


def test_equal_outputs_on_one_screen_get_equal_answers():
    assert found("absolute_naturalness", "", ("one",), ("two",), ("one",), table=True) == [
        (("answer-0-naturalness", "unlike", "answer-2-naturalness"),)
    ]
    assert len(found("likert", "source", ("one",), ("one",), table=True)) == 4
    assert found("ranking", "source", ("one",), ("one",), tie=True) == [
        (("answer-0-overall", "unlike", "answer-1-overall"),)
    ]


def test_an_order_without_ties_leaves_no_choice():
    assert found("ranking", "source", ("one",), ("one",)) == []


def test_the_same_text_is_not_best_and_worst_unless_there_is_no_other():
    assert found("best_worst", "", ("one",), ("two",), ("one",)) == [
        (("answer-0-best", "is", "a"), ("answer-0-worst", "is", "c")),
        (("answer-0-best", "is", "c"), ("answer-0-worst", "is", "a")),
    ]
    assert found("best_worst", "", ("one",), ("one",)) == []


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("style_transfer_intensity", ("answer-0-style", "above", "1")),
        ("content_preservation", ("answer-0-content", "below", "5")),
        ("likert", ("answer-0-content", "below", "5")),
        ("direct_assessment", ("answer-0-content", "below", "100")),
    ],
)
def test_an_output_that_is_its_source_keeps_its_content_and_its_style(key, expected):
    assert found(key, "as it was", ("as it was",), masked=False) == [(expected,)]
    aspect = expected[0].split("-")[2]
    # Where the source is not seen, where masks hide words, or where the campaign asks otherwise.
    assert found(key, "", ("as it was",), masked=False) == []
    own = {"questions": {aspect: "How well does it read aloud?"}}
    assert found(key, "as it was", ("as it was",), masked=False, **own) == []
    # As the form stores a question that nobody changed.
    rules = protocol(key)
    as_it_is = {
        "questions": {aspect: rules.aspects[aspect]},
        "labels": {aspect: {f"{answer:g}": words for answer, words in rules.labels}},
    }
    assert found(key, "as it was", ("as it was",), masked=False, **as_it_is) == [(expected,)]
    labels = {"labels": {aspect: {"1": "the most"}}}
    assert found(key, "as it was", ("as it was",), masked=False, **labels) == []


def test_the_words_name_the_outputs_by_their_letters():
    [doubt] = contradictions(protocol("ranking"), {"tie": True}, "", [("x",), ("one",), ("one",)])
    assert doubt.words.startswith("Outputs B and C are the same")


@pytest.fixture
def copied(monkeypatch):
    """Let every output be its source."""
    create = Output.objects.bulk_create

    def alike(outputs, **options):
        for each in outputs:
            each.text = f"the source of segment {each.segment.key}"
        return create(outputs, **options)

    monkeypatch.setattr(Output.objects, "bulk_create", alike)


class TestInTheBrowser:
    """A page asks once, and stores what is meant."""

    pytestmark = BROWSER

    def test_answers_that_contradict_are_asked_about_once_and_saved_all_the_same(
        self, copied, open_campaign
    ):
        page, _ = open_campaign("likert")
        before = current(page)
        for key in (*"1215", "Enter"):
            page.keyboard.press(key)
        notice = page.locator("[data-contradictions]")
        notice.wait_for()
        assert "The output is the source itself: it says all of it." in notice.inner_text()
        assert page.evaluate("document.activeElement.dataset.contradictions !== undefined")
        assert not Submission.objects.exists()
        assert_usable(page)
        # Enter once more, pressed too fast, saves nothing.
        page.keyboard.press("Enter")
        assert not Submission.objects.exists()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        next_screen(page, before)
        assert Rating.objects.get(aspect="content").value == 2
        assert Submission.objects.get().warned is True

    def test_answers_that_were_changed_are_saved_without_a_question(self, copied, open_campaign):
        page, _ = open_campaign("relative_naturalness", {"tie": True})
        before = current(page)
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        page.get_by_text("Texts A and B are the same").wait_for()
        page.keyboard.press("t")
        page.keyboard.press("Enter")
        second = next_screen(page, before)
        assert Rating.objects.get().choice == "tie"
        assert Submission.objects.get().warned is False
        page.keyboard.press("t")
        page.keyboard.press("Enter")
        next_screen(page, second)
        assert Submission.objects.count() == 2
