"""Degenerate data give a typed "undefined, because …" or a finite number, never anything else."""

import json
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from analysis.stats.agreement.agreement_statistics import STATISTICS_OF_AGREEMENT
from analysis.stats.agreement.kappas import cohen_kappa, gwet_ac
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.agreement.naturalness import classifier_agreement, share_preferred
from analysis.stats.agreement.protocol_agreement import STATISTICS as PAIRED
from analysis.stats.agreement.protocol_agreement import binned_against_relative, paired_agreement
from analysis.stats.correlation.metric_correlation import segment_level, system_level
from analysis.stats.correlation.pearson import COEFFICIENTS
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.correlation.top_n import top_and_last_systems
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.systems.rank_ranges import rank_systems

NAN = np.nan
FEW = Bootstrap(resamples=20, seed=3)
AGREEMENT = {
    # Cohen's kappa needs two raters, whatever they rated.
    **{
        name: lambda table, kind=kind: kind.of(table, None, FEW)
        for name, kind in STATISTICS_OF_AGREEMENT.items()
        if not name.startswith("cohen")
    },
    "gwet-ac1 on a given scale": lambda table: gwet_ac(table, categories=[-1, 0, 1, 2, 3, 4, 5]),
    **{
        f"paired {statistic}": lambda table, statistic=statistic: (
            paired_agreement(table, table, statistic, bootstrap=FEW).difference
        )
        for statistic in PAIRED
    },
}
CORRELATION = {
    "tau-like": lambda metric, human: tau_like(metric, human, bootstrap=FEW),
    "tau-like pooled": lambda metric, human: tau_like(
        metric, human, average="pooled", metric_ties="skip", bootstrap=FEW
    ),
    **{
        f"{level.__name__} {coefficient} {options}": partial(
            level, coefficient=coefficient, **options
        )
        for coefficient in COEFFICIENTS
        for level, options in [
            (system_level, {}),
            (segment_level, {"bootstrap": FEW}),
            (segment_level, {"grouping": "segment"}),
            (segment_level, {"grouping": "system"}),
        ]
    },
}


def assert_sound(result: Result) -> None:
    """A number is finite, a gap has a reason, and both survive strict JSON."""
    assert isinstance(result, Estimate | Undefined)
    if isinstance(result, Undefined):
        assert result.reason
    else:
        assert np.isfinite(result.value)
        if result.interval is not None:
            assert np.isfinite([result.interval.low, result.interval.high]).all()
            assert result.interval.low <= result.interval.high
        assert result.p_value is None or 0 <= result.p_value <= 1
    assert "|v:" in result.signature
    json.dumps(result.to_dict(), allow_nan=False)


UNRATED_TWICE = {
    "nothing": np.empty((0, 0)),
    "no units": np.empty((0, 3)),
    "no raters": np.empty((4, 0)),
    "all missing": np.full((3, 3), NAN),
    "one rater": np.array([[1.0], [2.0], [3.0]]),
    "rated once each": np.array([[1.0, NAN], [NAN, 2.0], [3.0, NAN]]),
}


@pytest.mark.parametrize("statistic", AGREEMENT.values(), ids=AGREEMENT.keys())
@pytest.mark.parametrize("table", UNRATED_TWICE.values(), ids=UNRATED_TWICE.keys())
def test_agreement_is_undefined_where_no_unit_was_rated_twice(statistic, table) -> None:
    result = statistic(table)
    assert_sound(result)
    assert isinstance(result, Undefined)


@pytest.mark.parametrize("name", [name for name in AGREEMENT if "given" not in name])
def test_one_category_only_is_undefined_for_all_but_percentages(name) -> None:
    result = AGREEMENT[name](np.full((5, 3), 4.0))
    assert_sound(result)
    assert isinstance(result, Estimate if name == "percent-agreement" else Undefined)


def test_ratio_alpha_of_too_many_distinct_values_says_what_to_do() -> None:
    table = np.random.default_rng(1).random((3000, 2))
    result = krippendorff_alpha(table, "ratio")
    assert isinstance(result, Undefined)
    assert "round the ratings or use the interval level" in result.reason


small_tables = st.tuples(st.integers(0, 5), st.integers(0, 4)).flatmap(
    lambda shape: hnp.arrays(
        np.float64, shape, elements=st.sampled_from([NAN, NAN, -1.0, 0.0, 0.1 + 0.2, 0.3, 1.0, 5.0])
    )
)


@given(small_tables)
@settings(max_examples=80, deadline=None)
def test_agreement_of_any_small_table_is_sound(table) -> None:
    for name, statistic in AGREEMENT.items():
        if "given" not in name:
            assert_sound(statistic(table))
    if table.shape[1] == 2:
        for weights in ("unweighted", "linear", "quadratic"):
            assert_sound(cohen_kappa(table, weights=weights))


@given(small_tables, st.data())
@settings(max_examples=80, deadline=None)
def test_correlation_of_any_small_matrices_is_sound(metric, data) -> None:
    values = st.sampled_from([NAN, 0.0, 1.0, 2.0])
    human = data.draw(hnp.arrays(np.float64, metric.shape, elements=values))
    for statistic in CORRELATION.values():
        assert_sound(statistic(metric, human))
    systems = [f"system {index}" for index in range(metric.shape[1])]
    for subset in top_and_last_systems(metric, human, systems):
        assert subset.size >= 3
        for result in subset.results.values():
            assert_sound(result)
    for row in rank_systems(human, systems):
        assert_sound(row.score)
    judgements = np.sign(human - 1)
    sources = np.zeros(metric.shape[0])
    assert_sound(classifier_agreement(metric, sources, judgements, bootstrap=FEW))
    assert_sound(share_preferred(judgements, bootstrap=FEW))
    for result in binned_against_relative(metric.ravel(), judgements.ravel(), 0.5):
        assert_sound(result)
