"""Every metric says first what it measures, in words that need no formula."""

import re

import pytest

from metrics.scorers.registry import own_scorers

SPECS = [scorer.spec for scorer in own_scorers()]


@pytest.mark.parametrize("spec", SPECS, ids=[spec.key for spec in SPECS])
def test_a_summary_is_one_or_two_short_sentences_without_symbols(spec):
    sentences = [each for each in re.split(r"(?<=\.)\s+", spec.summary) if each]
    assert 1 <= len(sentences) <= 2
    assert all(len(each.split()) <= 25 for each in sentences)
    assert not re.search(r"[·/=^Σ√()αβγ]|\b[A-Z]\b", spec.summary)
