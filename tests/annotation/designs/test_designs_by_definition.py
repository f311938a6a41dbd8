"""Designs beside their definitions, written down as plainly as they are said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.designs.assignment import balanced_overlap
from annotation.designs.preview import preview


def overlap_by_definition(items: int, annotators: int, k: int, seed: int) -> list[set[int]]:
    """Sort all annotators anew for each rating: by load, then meetings, then chance."""
    random = np.random.default_rng([seed, 1])
    load = np.zeros(annotators, int)
    met = np.zeros((annotators, annotators), int)
    lists: list[set[int]] = [set() for _ in range(annotators)]
    for row in random.permutation(items):
        team: list[int] = []
        for _ in range(k):
            keys = (random.random(annotators), met[team].sum(axis=0), load)
            team.append(next(each for each in np.lexsort(keys) if each not in team))
        for person in team:
            load[person] += 1
            met[person, team] += 1
            lists[person].add(int(row))
    return lists


@given(st.integers(0, 60), st.integers(1, 9), st.data())
def test_an_item_goes_to_who_has_least_to_do_and_met_each_other_least(items, annotators, data):
    k = data.draw(st.integers(1, annotators))
    seed = data.draw(st.integers(0, 99))
    rows = np.arange(items)
    plan = balanced_overlap(rows, rows % 3, annotators, k, seed)
    expected = overlap_by_definition(items, annotators, k, seed)
    assert [set(dealt.tolist()) for dealt in plan.dealt] == expected


@pytest.mark.parametrize("items", [40_001, 20_000])
def test_pairs_are_counted_exactly_however_many_items_there_are(items):
    rows = np.arange(items)
    plan = balanced_overlap(rows, rows % 3, 4, 2, seed=2)
    found = preview(plan, items, 4, 2)
    assert found.pairs is not None
    lists = [set(dealt.tolist()) for dealt in plan.dealt]
    assert found.pairs.tolist() == [[len(one & other) for other in lists] for one in lists]
