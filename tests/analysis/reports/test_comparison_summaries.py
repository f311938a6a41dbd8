"""What a summary says of a family of tests: what they detected, and nothing beyond."""

import itertools
import re

import numpy as np
import pytest

from analysis.estimates.comparisons import Compared, family
from analysis.filter.question import Question
from analysis.stats.results import Estimate, Interval
from analysis.verdicts.contest import Contest, contest_sentences
from tests.fixtures.nonempty import at_least_one

ASKED = Question()
NAMES = ("A", "B", "C", "D", "E", "F", "G")


def pairs_of(size, p_values, half_width=0.05):
    """Every two of `size`, whose values fall by 0.1, with these p-values."""
    pairs = []
    for (i, j), p in zip(itertools.combinations(range(size), 2), p_values, strict=True):
        gap = 0.1 * (j - i)
        interval = Interval(gap - half_width, gap + half_width, 0.95, "made up")
        result = Estimate(
            gap, 9, signature="s", p_value=p, interval=interval, details={"draws": 10_000}
        )
        pairs.append(Compared(i, j, {"permutation": result}))
    return pairs


def sentences(size, p_values, question=ASKED, half_width=0.05):
    values = [1 - 0.1 * place for place in range(size)]
    rows, _ = family(pairs_of(size, p_values, half_width), values, question)
    contest = Contest(NAMES[:size], rows, "metrics", "Δr", question)
    return ["".join(p["text"] for p in s["parts"]) for s in contest_sentences(contest)]


def test_two_that_no_test_told_apart_are_not_ranked_and_what_both_exceed_is_said():
    said = sentences(3, [0.6, 0.001, 0.002])
    assert said == [
        "No other was found to exceed A and B, and no difference was detected between A and B "
        "(Δr = 0.100, 95 % CI [0.050, 0.150], adjusted p = .600).",
        "Both exceed C (p ≤ .004, Holm).",
    ]


def test_without_any_difference_the_largest_seen_is_given_and_nobody_is_ahead():
    (said,) = sentences(4, [0.9, 0.8, 0.7, 0.9, 0.8, 0.9])
    assert said.startswith("No difference between any two of the 4 metrics was detected")
    assert "between A and D (Δr = 0.300" in said


def test_equivalent_needs_a_stated_margin():
    p_values = [0.9, 0.9, 0.9]
    assert not any("equivalent" in s for s in sentences(3, p_values))
    wide = sentences(3, p_values, Question(margin=0.2))
    assert wide[-1].startswith("Equivalent within ±0.2, the margin that was stated, are the two ")
    assert "between A and B" in wide[-1]
    assert "between A and C" not in wide[-1]
    narrow = sentences(3, p_values, Question(margin=0.01))
    assert "No two metrics were shown to be equivalent within ±0.01" in narrow[-1]


def test_a_test_that_could_not_have_detected_anything_says_so():
    rows, _ = family(
        [
            Compared(
                i,
                j,
                {
                    "permutation": Estimate(
                        0.1, 4, "systems", "s", p_value=0.125, details={"exact": True, "draws": 16}
                    )
                },
            )
            for i, j in itertools.combinations(range(3), 2)
        ],
        [3, 2, 1],
        Question(),
    )
    first = contest_sentences(Contest(NAMES[:3], rows, "metrics", "Δr"))[0]
    text = first["parts"][0]["text"]
    assert "smallest p that this test can give here is .125, .375 after Holm over 3 pairs" in text


@pytest.mark.parametrize("seed", range(40))
def test_no_sentence_claims_more_than_the_tests_whatever_they_say(seed):
    generator = np.random.default_rng(seed)
    size = int(generator.integers(2, 8))
    count = size * (size - 1) // 2
    p_values = generator.choice([0.0002, 0.01, 0.04, 0.2, 0.9], count)
    rows, _ = family(pairs_of(size, p_values), list(range(size, 0, -1)), Question())
    contest = Contest(NAMES[:size], rows, "metrics", "Δr")
    found = {(NAMES[row.first], NAMES[row.second]): row.detected for row in rows}
    for sentence in at_least_one(contest_sentences(contest)):
        text = "".join(part["text"] for part in sentence["parts"])
        assert "indistinguishable" not in text
        assert "equivalent" not in text
        for one, other in re.findall(r"between (\w) and (\w) \(", text):
            assert not found[one, other]
        if match := re.match(r"(\w) exceeds ", text):
            for lower in re.findall(r"(\w) \(p", text):
                assert found[match[1], lower]
        if match := re.match(r"(\w) is exceeded by ", text):
            for higher in re.findall(r"(\w) \(p", text):
                assert found[higher, match[1]]
        for part in sentence["parts"]:
            if part["anchor"]:
                first, second = map(int, part["anchor"].split("-")[1:])
                assert NAMES[second] in part["text"] or NAMES[first] in part["text"]
