"""What must not change agreement, and what must change it as theory says."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.arrays import slots_in_file_order, units_by_raters


def test_slots_are_filled_in_the_order_of_the_file() -> None:
    units, values = [1, 0, 1, 0, 1], [5.0, 1.0, np.nan, 2.0, 6.0]
    table = slots_in_file_order(units, values)
    assert table.tolist() == [[1.0, 2.0], [5.0, 6.0]]


def test_columns_of_raters_keep_who_rated_what() -> None:
    table = units_by_raters([0, 1, 1], [1, 0, 1], [3.0, 4.0, 5.0])
    np.testing.assert_array_equal(table, [[np.nan, 3.0], [4.0, 5.0]])
    with pytest.raises(ValueError, match="twice"):
        units_by_raters([0, 0], [1, 1], [3.0, 4.0])
