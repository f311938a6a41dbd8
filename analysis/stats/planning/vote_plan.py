"""How many votes between two systems a test of their shares needs."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

MOST_VOTES = 1_000_000


@dataclass(frozen=True)
class VotePlan:
    """The fewest decided votes that detect a share of wins, and the power that they have."""

    share: float
    votes: int
    power: float


def votes_for_share(share: float, *, power: float = 0.8, level: float = 0.05) -> VotePlan:
    """Return the fewest votes without ties from which on a sign test has a power.

    The exact two-sided test of equal shares; its power does not grow steadily with the votes, so
    the number is the first after which it never falls below `power` again.

    Parameters
    ----------
    share
        Of the decided votes that the better system wins, above 0.5.
    power, level
        Of the test.

    Raises
    ------
    ValueError
        If the share is not above one half, or so close to it that a million votes do not suffice.

    Examples
    --------
    >>> votes_for_share(0.75).votes
    35
    """
    if not 0.5 < share <= 1:
        raise ValueError(f"share={share}: it must lie above 0.5 and not above 1")
    # Three times what the normal approximation asks for, within which the power settles.
    most = int(3 * 2 / (share - 0.5) ** 2) + 60
    if most > MOST_VOTES:
        raise ValueError(f"share={share}: more than {MOST_VOTES:,} votes would be needed")
    votes = np.arange(1, most + 1)
    # The most wins of the worse system with which equality is still refused; -1 where never.
    limit = binom.ppf(level / 2, votes, 0.5).astype(int)
    limit -= binom.cdf(limit, votes, 0.5) > level / 2
    detected = binom.cdf(limit, votes, 1 - share) + binom.cdf(limit, votes, share)
    first = int(np.flatnonzero(detected < power)[-1]) + 1
    return VotePlan(share, int(votes[first]), float(detected[first]))
