"""Designs: who rates what, in which order, by brute-force counts on the lists."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.designs.assignment import (
    DesignError,
    balanced_overlap,
    fixed_batches,
    latin_square,
    shared_queue,
)
from annotation.designs.order import sides, sides_with_controls, spread
from annotation.designs.preview import preview


def crossed(segments: int, systems: int) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(segments), systems), np.tile(np.arange(systems), segments)


def neighbours(segments, order) -> int:
    seen = np.asarray(segments)[order]
    return int((seen[1:] == seen[:-1]).sum())


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=40),
    st.integers(0, 99),
)
def test_the_same_source_comes_twice_in_a_row_only_where_it_cannot_be_avoided(items, seed):
    segments, systems = np.array(items).T
    order = spread(segments, systems, [seed])
    assert sorted(order) == list(range(len(items)))
    most = np.bincount(segments).max()
    unavoidable = max(0, 2 * most - len(items) - 1)
    assert neighbours(segments, order) == unavoidable


@pytest.mark.parametrize("segments", [[0, 0, 0, 1], [0, 0, 1, 1, 2], [0, 0, 0, 0, 1, 2], [0, 0]])
def test_no_order_at_all_has_fewer_equal_neighbours(segments):
    order = spread(segments, np.arange(len(segments)), [5])
    best = min(neighbours(segments, list(each)) for each in permutations(range(len(segments))))
    assert neighbours(segments, order) == best


def test_the_systems_are_spread_evenly_over_the_list():
    segments, systems = crossed(60, 6)
    shown = systems[spread(segments, systems, [3])]
    share = np.arange(1, 361) / 6
    for system in range(6):
        assert np.abs(np.cumsum(shown == system) - share).max() <= 2


def test_a_source_is_met_again_only_after_most_others_were_seen():
    segments, systems = crossed(50, 4)
    seen = segments[spread(segments, systems, [8])]
    distances = [np.diff(np.flatnonzero(seen == segment)).min() for segment in range(50)]
    assert min(distances) > 25


def test_orders_differ_between_annotators_and_repeat_with_the_seed():
    segments, systems = crossed(20, 5)
    first, again, other = (spread(segments, systems, [1, person]) for person in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()


@given(st.integers(0, 60), st.integers(0, 1000))
def test_both_sides_are_used_equally_often_whenever_an_annotator_stops(count, seed):
    swapped = sides(count, [seed])
    assert len(swapped) == count
    running = np.cumsum(np.where(swapped, 1, -1))
    assert (np.abs(running) <= 1).all()


@given(st.lists(st.booleans(), max_size=60), st.integers(0, 1000))
def test_sides_of_items_are_balanced_whatever_controls_stand_between_them(control, seed):
    where = np.array(control, bool)
    swapped = sides_with_controls(where, [seed])
    for among in (swapped[where], swapped[~where]):
        running = np.cumsum(np.where(among, 1, -1))
        assert (np.abs(running) <= 1).all()


def test_sides_cannot_be_foretold_from_their_place():
    firsts = np.array([sides(2, [seed])[0] for seed in range(400)])
    assert 150 < firsts.sum() < 250


def test_every_annotator_of_a_batch_rates_all_outputs_of_its_segments():
    segments, systems = crossed(40, 8)
    plan = fixed_batches(segments, systems, annotators=6, k=2, seed=1)
    shown = preview(plan, 320, 6, 2)
    assert shown.raters_per_item == (2, 2)
    whole = [set(segments[rows]) for rows in plan.lists]
    for rows, seen in zip(plan.lists, whole, strict=True):
        assert len(rows) == 8 * len(seen)
    assert whole[0] == whole[1]
    assert sorted(np.concatenate([segments[rows] for rows in plan.lists[::2]])) == sorted(segments)


def test_fewer_annotators_than_places_take_several_batches_but_no_item_twice():
    segments, systems = crossed(12, 3)
    plan = fixed_batches(segments, systems, annotators=4, k=3, seed=2, sets=4)
    assert preview(plan, 36, 4, 3).raters_per_item == (3, 3)
    assert all(len(set(rows)) == len(rows) == 27 for rows in plan.lists)


@given(st.integers(1, 12), st.integers(1, 4), st.integers(2, 7), st.data())
def test_balanced_overlap_gives_equal_loads_and_k_different_annotators(
    segments, systems, annotators, data
):
    k = data.draw(st.integers(1, annotators))
    plan = balanced_overlap(*crossed(segments, systems), annotators, k, seed=4)
    shown = preview(plan, segments * systems, annotators, k)
    assert shown.raters_per_item == (k, k)
    assert max(shown.load) - min(shown.load) <= 1
    assert all(len(set(rows)) == len(rows) for rows in plan.lists)


def test_balanced_overlap_mixes_the_pairs_of_annotators():
    plan = balanced_overlap(*crossed(100, 5), 10, 3, seed=4)
    least, most = preview(plan, 500, 10, 3).shared_items
    # 500 items with 3 pairs each over 45 pairs of annotators.
    assert least >= 28
    assert most <= 39


def test_a_latin_square_shows_each_segment_once_and_each_system_equally_often():
    segments, systems = crossed(30, 5)
    plan = latin_square(segments, systems, annotators=10, k=2, seed=6)
    assert preview(plan, 150, 10, 2).raters_per_item == (2, 2)
    for rows in plan.lists:
        assert sorted(segments[rows]) == list(range(30))
        assert np.bincount(systems[rows]).tolist() == [6] * 5


def test_a_latin_square_refuses_a_study_with_holes_and_says_how_many_annotators_it_needs():
    segments, systems = crossed(4, 3)
    with pytest.raises(DesignError, match="needs 6 annotators, not 5"):
        latin_square(segments, systems, 5, 2, seed=1)
    with pytest.raises(DesignError, match="every system for every segment"):
        latin_square(segments[1:], systems[1:], 6, 2, seed=1)


@pytest.mark.parametrize("design", [fixed_batches, balanced_overlap, shared_queue])
def test_nobody_rates_an_item_twice_so_too_few_annotators_are_refused(design):
    with pytest.raises(DesignError, match="3 ratings per item need at least 3 annotators, not 2"):
        design(*crossed(4, 2), 2, 3, 1)


def test_batches_that_leave_somebody_without_work_are_refused():
    with pytest.raises(DesignError, match="for 6 annotators, not 7"):
        fixed_batches(*crossed(4, 2), 7, 3, seed=1)
    with pytest.raises(DesignError, match="at most 4 sets"):
        fixed_batches(*crossed(4, 2), 5, 1, seed=1)


def test_the_shared_queue_hands_out_every_item_and_separates_sources():
    segments, systems = crossed(25, 4)
    plan = shared_queue(segments, systems, 5, 2, seed=9)
    assert sorted(plan.queue) == list(range(100))
    assert neighbours(segments, plan.queue) == 0


def test_the_preview_says_which_agreement_can_be_computed():
    one = preview(balanced_overlap(*crossed(6, 2), 4, 1, seed=1), 12, 4, 1)
    assert one.statistics == ()
    assert "no item is rated twice" in one.impossible[0]
    everybody = preview(fixed_batches(*crossed(6, 2), 3, 3, seed=1), 12, 3, 3)
    assert "ICC(2) and ICC(3)" in everybody.statistics
    assert everybody.impossible == ()
    queue = preview(shared_queue(*crossed(6, 2), 4, 2, seed=1), 12, 4, 2)
    assert queue.pairs is None
    assert queue.load == (6, 6, 6, 6)
