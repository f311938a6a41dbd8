"""New names for the raters of a publication, which lead neither to a database nor to an order.

Pure: this module imports no Django.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

LONGEST_SEED = 200


def new_seed() -> str:
    """Return a seed that nobody can guess."""
    return secrets.token_hex(16)


class Pseudonyms:
    """One name for each rater within a campaign, or within a set of campaigns.

    Who knows the seed can compute the names from the old ones: it is never published.

    Parameters
    ----------
    seed
        The same seed gives the same names.
    sets
        The set of each campaign that is a task of one, by slug: raters of one pseudonym are one
        person in it, and two persons elsewhere.
    """

    def __init__(self, seed: str, sets: dict[str, str] | None = None) -> None:
        self._key = seed.encode()
        self._sets = sets or {}
        self._taken: dict[str, tuple[str, str]] = {}

    def name(self, campaign: str, pseudonym: str) -> str:
        """Return the new name of a rater.

        Raises
        ------
        ValueError
            If two raters would get one name, which another seed avoids.
        """
        group = f"set {self._sets[campaign]}" if campaign in self._sets else f"campaign {campaign}"
        whose = (group, pseudonym)
        digest = hmac.new(self._key, "\0".join(whose).encode(), hashlib.sha256).hexdigest()
        name = f"r-{digest[:12]}"
        if self._taken.setdefault(name, whose) != whose:
            raise ValueError("two raters would get one pseudonym; choose another seed")
        return name


def is_fresh(names: Iterable[str], old: Iterable[str]) -> bool:
    """Whether no new name is an old one."""
    return not set(names) & set(old)
