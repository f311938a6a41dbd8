"""Limits on how often something may be done, counted in the database for all processes."""

import datetime as dt
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from corpus.models import RateLimit

SECONDS_KEPT = 24 * 3600


@dataclass(frozen=True)
class Steady:
    """So many at once, then one in so many seconds.

    >>> limit = Steady(at_once=3, seconds_each=120)
    >>> [round(limit.wait(before, elapsed)) for before, elapsed in ((2, 0), (3, 0), (3, 90))]
    [0, 120, 30]
    """

    at_once: int
    seconds_each: float

    def level(self, before: float, elapsed: float) -> float:
        """One is forgotten in so many seconds."""
        return max(0.0, before - elapsed / self.seconds_each)

    def wait(self, before: float, elapsed: float) -> float:
        """Wait until there is room for one."""
        return max(0.0, (self.level(before, elapsed) + 1 - self.at_once) * self.seconds_each)


def take(*turns: tuple[Steady, str]) -> float:
    """Take a turn of every limit for somebody, or of none.

    Parameters
    ----------
    *turns
        Each limit with a word for what it bounds and for whom.

    Returns
    -------
    float
        0, or the seconds until all of them have one.
    """
    limits = {_key(words): limit for limit, words in turns}
    now = timezone.now()
    with transaction.atomic():
        RateLimit.objects.bulk_create(
            [RateLimit(key=key, at=now) for key in sorted(limits)], ignore_conflicts=True
        )
        rows = list(RateLimit.objects.select_for_update().filter(key__in=limits).order_by("key"))
        seconds = [max(0.0, (now - row.at).total_seconds()) for row in rows]
        waits = [
            limits[row.key].wait(row.level, elapsed)
            for row, elapsed in zip(rows, seconds, strict=True)
        ]
        if any(waits):
            return max(waits)
        for row, elapsed in zip(rows, seconds, strict=True):
            row.level, row.at = limits[row.key].level(row.level, elapsed) + 1, now
            row.save(update_fields=["level", "at"])
        _remove_old(now)
    return 0.0


def give_back(*words: str) -> None:
    """Give back a turn that was rightly taken."""
    keys = [_key(each) for each in words]
    RateLimit.objects.filter(key__in=keys).update(level=F("level") - 1)


def in_words(seconds: float) -> str:
    """Say how long a wait is, a little too long rather than too short.

    >>> in_words(0.2), in_words(59), in_words(61)
    ('1 second', '59 seconds', '2 minutes')
    """
    count = -int(-seconds // 1)
    if count >= 60:
        count = -(-count // 60)
        return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count}
    return ngettext("%(count)s second", "%(count)s seconds", count) % {"count": count}


def _key(words: str) -> str:
    """Return what is stored: names that were typed may be passwords typed in the wrong place."""
    return salted_hmac("corpus.access.rate_limits", words, algorithm="sha256").hexdigest()


def _remove_old(now: dt.datetime) -> None:
    """Remove what does not count any more, but for rows that another request holds."""
    skip = connection.features.has_select_for_update_skip_locked
    old = RateLimit.objects.filter(at__lt=now - dt.timedelta(seconds=SECONDS_KEPT))
    held = old.select_for_update(skip_locked=skip).values_list("pk", flat=True)
    RateLimit.objects.filter(pk__in=list(held[:100])).delete()
