"""What must not change agreement, and what must change it as theory says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from analysis.stats.agreement.cohen import cohen_kappa
from analysis.stats.agreement.fleiss import fleiss_kappa
from analysis.stats.agreement.gwet import gwet_ac
from analysis.stats.agreement.intraclass import FORMS, intraclass_correlation
from analysis.stats.agreement.krippendorff_alpha import SCALES, krippendorff_alpha
from analysis.stats.agreement.rater_pairs import (
    pearson_double_entry,
    pearson_file_order,
    percent_agreement,
)
from analysis.stats.arrays import slots_in_file_order, units_by_raters
from analysis.stats.results import Estimate, Result
from tests.fixtures.nonempty import at_least_one

SLOTS = [
    fleiss_kappa,
    gwet_ac,
    lambda table: gwet_ac(table, weights="quadratic"),
    percent_agreement,
    lambda table: pearson_double_entry(table, bootstrap=None),
    lambda table: intraclass_correlation(table, "ICC(1,1)", columns="slots"),
    *[
        lambda table, scale=scale: krippendorff_alpha(table, scale, bootstrap=None)
        for scale in SCALES
    ],
]
IN_ORDER = [
    pearson_file_order,
    *[
        lambda table, form=form: intraclass_correlation(table, form, columns="raters")
        for form in FORMS
    ],
]


@st.composite
def tables(draw: st.DrawFn, gaps: bool = True, raters: int | None = None) -> np.ndarray:
    shape = (draw(st.integers(2, 12)), raters or draw(st.integers(2, 5)))
    values = draw(hnp.arrays(np.float64, shape, elements=st.integers(1, 5).map(float)))
    if gaps:
        values[draw(hnp.arrays(np.bool_, shape))] = np.nan
    return values


def same(first: Result, second: Result) -> bool:
    if isinstance(first, Estimate) and isinstance(second, Estimate):
        return first.value == pytest.approx(second.value, abs=1e-9)
    return type(first) is type(second)


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_permuting_items_changes_no_agreement(table, random) -> None:
    rows = list(range(table.shape[0]))
    random.shuffle(rows)
    for statistic in SLOTS:
        assert same(statistic(table), statistic(table[rows]))


@given(tables(gaps=False), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_permuting_items_changes_no_statistic_of_crossed_raters(table, random) -> None:
    rows = list(range(table.shape[0]))
    random.shuffle(rows)
    for statistic in IN_ORDER:
        assert same(statistic(table), statistic(table[rows]))


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_relabelling_raters_unit_by_unit_changes_no_statistic_of_slots(table, random) -> None:
    shuffled = table.copy()
    for row in shuffled:
        order = list(range(row.size))
        random.shuffle(order)
        row[:] = row[order]
    for statistic in SLOTS:
        assert same(statistic(table), statistic(shuffled))


@given(tables(gaps=False), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_relabelling_crossed_raters_changes_no_intraclass_correlation(table, random) -> None:
    columns = list(range(table.shape[1]))
    random.shuffle(columns)
    for form in FORMS:
        before = intraclass_correlation(table, form, columns="raters")
        after = intraclass_correlation(table[:, columns], form, columns="raters")
        assert same(before, after)


@given(tables(), st.permutations([1.0, 2.0, 3.0, 4.0, 5.0]))
@settings(max_examples=60, deadline=None)
def test_relabelling_categories_changes_no_nominal_agreement(table, names) -> None:
    position = np.nan_to_num(table, nan=1).astype(int) - 1
    relabelled = np.where(np.isnan(table), np.nan, np.array(names)[position])
    for statistic in (
        fleiss_kappa,
        gwet_ac,
        percent_agreement,
        lambda values: krippendorff_alpha(values, "nominal", bootstrap=None),
    ):
        assert same(statistic(table), statistic(relabelled))


@given(tables(raters=2))
@settings(max_examples=60, deadline=None)
def test_cohen_kappa_is_the_same_from_either_rater(table) -> None:
    for weights in ("unweighted", "linear", "quadratic"):
        first = cohen_kappa(table, weights=weights)
        assert same(first, cohen_kappa(table[:, ::-1], weights=weights))


@given(tables(), st.floats(0.1, 50), st.floats(-100, 100))
@settings(max_examples=60, deadline=None)
def test_an_affine_change_of_the_scale_leaves_interval_statistics(table, factor, shift) -> None:
    changed = factor * table + shift
    for statistic in (
        lambda values: krippendorff_alpha(values, "interval", bootstrap=None),
        lambda values: krippendorff_alpha(values, "ordinal", bootstrap=None),
        lambda values: intraclass_correlation(values, "ICC(1,1)", columns="slots"),
        lambda values: pearson_double_entry(values, bootstrap=None),
        lambda values: gwet_ac(values, weights="linear"),
    ):
        assert same(statistic(table), statistic(changed))


@given(tables())
@settings(max_examples=40, deadline=None)
def test_a_stretched_scale_leaves_ratio_alpha_and_a_shift_does_not(table) -> None:
    before = krippendorff_alpha(table, "ratio", bootstrap=None)
    assert same(before, krippendorff_alpha(3 * table, "ratio", bootstrap=None))
    assume(isinstance(before, Estimate) and before.details["values"] > 0)
    assume(before.value < 0.99 and np.unique(table[np.isfinite(table)]).size > 2)
    after = krippendorff_alpha(table + 1000, "ratio", bootstrap=None)
    interval = krippendorff_alpha(table, "interval", bootstrap=None)
    assert isinstance(after, Estimate)
    assert isinstance(interval, Estimate)
    # Far from zero the denominators become alike: ratio alpha turns into interval alpha.
    assert after.value == pytest.approx(interval.value, abs=0.02)


@given(tables())
@settings(max_examples=60, deadline=None)
def test_perfect_agreement_is_one_everywhere(table) -> None:
    first = np.where(np.isnan(table[:, :1]), 1.0, table[:, :1])
    assume(np.unique(first).size > 1)
    perfect = np.broadcast_to(first, table.shape)
    for statistic in SLOTS:
        result = statistic(perfect)
        assert isinstance(result, Estimate)
        assert result.value == pytest.approx(1.0)


def test_ratings_that_carry_no_information_give_no_agreement_beyond_chance() -> None:
    noise = np.random.default_rng(7).integers(1, 6, (20_000, 3)).astype(float)
    for statistic in at_least_one(set(SLOTS) - {percent_agreement}):
        result = statistic(noise)
        assert isinstance(result, Estimate)
        assert abs(result.value) < 0.015


def test_intraclass_correlation_recovers_the_variances_that_were_put_in() -> None:
    rng = np.random.default_rng(8)
    units, raters = rng.normal(0, 2, (4000, 1)), rng.normal(0, 1, (1, 5))
    table = units + raters + rng.normal(0, 1.5, (4000, 5))
    true, offsets = units.var(ddof=1), raters.var(ddof=1)
    absolute = intraclass_correlation(table, "ICC(2,1)", columns="raters")
    consistent = intraclass_correlation(table, "ICC(3,1)", columns="raters")
    assert isinstance(absolute, Estimate)
    assert isinstance(consistent, Estimate)
    assert absolute.value == pytest.approx(true / (true + offsets + 2.25), abs=0.02)
    assert consistent.value == pytest.approx(true / (true + 2.25), abs=0.02)


def test_slots_are_filled_in_the_order_of_the_file() -> None:
    units, values = [1, 0, 1, 0, 1], [5.0, 1.0, np.nan, 2.0, 6.0]
    table = slots_in_file_order(units, values)
    assert table.tolist() == [[1.0, 2.0], [5.0, 6.0]]


def test_columns_of_raters_keep_who_rated_what() -> None:
    table = units_by_raters([0, 1, 1], [1, 0, 1], [3.0, 4.0, 5.0])
    np.testing.assert_array_equal(table, [[np.nan, 3.0], [4.0, 5.0]])
    with pytest.raises(ValueError, match="twice"):
        units_by_raters([0, 0], [1, 1], [3.0, 4.0])
