"""Filters of an import by length and changed words, and punctuation attached to words."""

import doctest
from difflib import SequenceMatcher

import numpy as np
import pytest
from nltk.tokenize.treebank import TreebankWordDetokenizer, TreebankWordTokenizer

from corpus.imports import filtering, options
from corpus.imports.filtering import changed_words
from corpus.imports.options import with_attached_punctuation
from corpus.models import Output, Segment
from tests.fixtures.study_files import import_path, write_files

LENGTHS = {"formal": [2, 3, 5, 8, 13, 21, 34, 55], "informal": [1, 1, 2, 30]}
HEADER = ["segment", "source", "source_style", "target_style", "reference", "reference_2"]
WRITTEN = {
    # Of each reference: what was changed, counted by hand.
    "same": ("a b c d", "a b c d", ""),
    "one": ("a b c d", "a b x d", ""),
    "cut": ("a b c d", "a", ""),
    "moved": ("a b c d", "d a b c", ""),
    "second": ("a b c d", "a b c d", "w x y z"),
    "none": ("a b c d", "", ""),
}


@pytest.fixture
def lengths(tmp_path):
    rows = [
        [f"{style}{place}", " ".join(["w"] * length), style, "other", "", ""]
        for style, all_lengths in LENGTHS.items()
        for place, length in enumerate(all_lengths)
    ]
    outputs = [["segment", "system", "output"], *([row[0], "A", "w"] for row in rows)]
    ratings = [
        ["segment", "system", "rater", "aspect", "score"],
        *([row[0], "A", "r", "style", "1"] for row in rows),
    ]
    files = {"segments.csv": [HEADER, *rows], "outputs.csv": outputs, "ratings.csv": ratings}
    return write_files(tmp_path / "lengths", files)


@pytest.fixture
def pairs(tmp_path):
    rows = [[key, source, "", "", *references] for key, (source, *references) in WRITTEN.items()]
    outputs = [["segment", "system", "output"], ["same", "A", "q"], ["one", "A", "a b c d"]]
    files = {"segments.csv": [HEADER, *rows], "outputs.csv": outputs}
    return write_files(tmp_path / "pairs", files)


def keys():
    return set(Segment.objects.values_list("key", flat=True))


@pytest.mark.django_db
@pytest.mark.parametrize(("low", "high"), [(10, 90), (50, None)])
def test_segments_between_percentiles_of_their_direction_stay(lengths, low, high):
    bounds = {"min_length_percentile": low} | ({"max_length_percentile": high} if high else {})
    job = import_path(lengths, **bounds)
    assert job.state == "done", job.error
    expected = set()
    for style, all_lengths in LENGTHS.items():
        least, most = np.quantile(all_lengths, [low / 100, (high or 100) / 100])
        expected |= {f"{style}{place}" for place, n in enumerate(all_lengths) if least <= n <= most}
    assert keys() == expected
    systems = Output.objects.filter(system__name="A")
    assert set(systems.values_list("segment__key", flat=True)) == expected
    assert list(Output.objects.values_list("ordinal", flat=True)) == list(range(2 * len(expected)))
    left = sum(map(len, LENGTHS.values())) - len(expected)
    assert f"{left} of 12 segments were left out: {left} by length." in job.result["notes"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"max_changed_words": 0}, {"same", "none"}),
        ({"max_changed_words": 2}, {"same", "one", "moved", "none"}),
        # Three of the five words of both texts went; of "one", two of eight changed.
        ({"max_changed_share": 0.25}, {"same", "one", "moved", "none"}),
        ({"max_changed_share": 0.6}, {"same", "one", "moved", "cut", "none"}),
    ],
)
def test_segments_with_few_changed_words_in_every_reference_stay(pairs, bounds, expected):
    job = import_path(pairs, **bounds)
    assert job.state == "done", job.error
    assert keys() == expected
    assert "1 segments have no reference: their changed words are unknown." in job.result["notes"]


@pytest.mark.django_db
def test_filters_come_before_the_sample_and_are_the_same_the_second_time(lengths):
    chosen = {"max_length_percentile": 60, "sample": 2}
    import_path(lengths, **chosen)
    before = keys()
    assert len(before) == 4
    assert not before & {"formal7", "formal6", "informal3"}
    assert import_path(lengths, **chosen).result["changed"] is False
    assert keys() == before


@pytest.mark.django_db
def test_changed_words_without_anything_to_compare_with_are_refused(lengths):
    job = import_path(lengths, max_changed_words=3)
    assert job.state == "failed"
    assert "no source of this import has a reference to compare it with" in job.error


@pytest.mark.parametrize("module", [filtering, options])
def test_examples_in_the_documentation_are_true(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize(
    "text",
    [
        "The food was good, but the service wasn't.",
        "Really?! I can't believe it's over; we'll see (maybe).",
        "Well, they're late: don't wait!",
        "Nothing to attach here",
    ],
)
def test_tokenised_texts_come_back_as_the_detokeniser_of_nltk_writes_them(text):
    tokens = TreebankWordTokenizer().tokenize(text)
    attached = with_attached_punctuation(" ".join(tokens))
    assert attached == TreebankWordDetokenizer().detokenize(tokens) == text
    assert with_attached_punctuation(text) == text


def test_changed_words_are_those_outside_the_longest_blocks_of_difflib():
    """On texts of one common block, where the greedy blocks of difflib are a longest sequence."""
    generator = np.random.default_rng(3)
    for _ in range(50):
        common = [f"c{n}" for n in range(generator.integers(1, 6))]
        first = [*(f"f{n}" for n in range(generator.integers(0, 4))), *common]
        second = [*common, *(f"s{n}" for n in range(generator.integers(0, 4)))]
        blocks = SequenceMatcher(None, first, second, autojunk=False)
        words, share = changed_words(first, second)
        assert words == len(first) + len(second) - 2 * len(common)
        assert share == pytest.approx(1 - blocks.ratio())
