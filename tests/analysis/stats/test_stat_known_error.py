"""Shares told by a judge with known errors: textbook, another package's interval, simulation."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from analysis.stats.results import Estimate, Undefined
from analysis.stats.saving.known_error import corrected_share, known_error

MANY = 10**9


def test_the_share_is_that_of_the_textbook() -> None:
    # 23 of 150 cows positive, sensitivity 96 %, specificity 89 %: 5.1 per 100 (manual of epiR).
    found = corrected_share(Estimate(23 / 150, 150), Estimate(0.96, MANY), Estimate(0.89, MANY))
    assert found.value == pytest.approx(0.051, abs=5e-4)


def test_with_exactly_known_errors_the_interval_is_that_of_agresti_and_coull_corrected() -> None:
    s, c = 0.9, 0.85
    for yes in (40, 75, 120):
        found = corrected_share(Estimate(yes / 150, 150), Estimate(s, MANY), Estimate(c, MANY))
        ends = proportion_confint(yes, 150, method="agresti_coull")
        expected = [min(1, max(0, (end + c - 1) / (s + c - 1))) for end in ends]
        assert found.interval is not None
        assert [found.interval.low, found.interval.high] == pytest.approx(expected, abs=1e-6)


@pytest.mark.nightly
@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_the_interval_covers_the_share_95_times_in_100(share: float) -> None:
    generator = np.random.default_rng(8)
    s, c, draws, covered = 0.85, 0.75, 500, 0
    for _ in range(draws):
        # A sample of 120 is rated, whatever the share among the others.
        rated = generator.random(120) < 0.4
        others = generator.random(300) < share
        said, more = (
            np.where(kind, generator.random(kind.size) < s, generator.random(kind.size) > c)
            for kind in (rated, others)
        )
        found = known_error(rated, said, more).corrected
        assert found.interval is not None
        covered += found.interval.low <= share <= found.interval.high
    assert 0.925 <= covered / draws <= 0.985


@pytest.mark.parametrize(
    ("truth", "judged", "further", "words"),
    [
        ([1, 1, 0, 0], [1, 0, 1, 0], [1], "add up to 1 or less"),
        ([1, 1], [1, 1], [1], "every rated output is of the kind"),
        ([0, 0], [0, 1], [1], "no rated output is of the kind"),
        ([1, 0], [1, 0], [], "no output that is not rated"),
    ],
)
def test_a_share_that_cannot_be_corrected_says_why(truth, judged, further, words: str) -> None:
    found = known_error(truth, judged, further).corrected
    assert isinstance(found, Undefined)
    assert words in found.reason


def test_a_share_outside_0_to_1_is_cut_off_and_kept_beside_it() -> None:
    found = corrected_share(Estimate(0.04, 100), Estimate(0.9, 80), Estimate(0.9, 80))
    assert found.value == 0
    assert found.details["before it was cut off"] == pytest.approx(-0.075)
    assert found.interval is not None
    assert found.interval.low == 0 < found.interval.high


def test_every_rated_output_needs_an_answer() -> None:
    with pytest.raises(ValueError, match="needs the judge's answer"):
        known_error([True, False], [True], [])
