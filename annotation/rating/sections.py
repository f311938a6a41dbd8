"""Work cut into sections, so that an end is in sight."""

import itertools

MOST = 10
SHORTEST = 5
"""Screens of the shortest section: shorter ones would end before they are noticed."""


def sections(done: int, total: int) -> tuple[int, ...]:
    """Return how much of each section is done, in percent.

    Examples
    --------
    >>> sections(7, 20)
    (100, 40, 0, 0)
    """
    count = max(1, min(MOST, total // SHORTEST))
    ends = [total * number // count for number in range(count + 1)]
    return tuple(
        max(0, min(100, 100 * (done - start) // max(end - start, 1)))
        for start, end in itertools.pairwise(ends)
    )
