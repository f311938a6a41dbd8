"""What was answered in a campaign, counted once: a look reads only what came since the last one.

Answers are append-only, so that a count of those up to one of them stays true. It is forgotten
where answers are deleted, which gives the study another revision.
"""

import datetime as dt
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray

from annotation.models import Campaign, Item

MOST_REASONS = 20
SETTLED_AFTER = dt.timedelta(minutes=1)
"""How long after an answer nothing with a lower number is stored any more."""
CAMPAIGNS_KEPT = 8
_ROWS_AT_ONCE = 20_000
_FACTS = (
    *("s.revision = 1", "s.surplus", "s.reason <> ''", "i.kind = 'plain'", "i.lead"),
    "s.created_at < %s",
)
_CODED = " + ".join(
    f"CASE WHEN {fact} THEN {1 << bit} ELSE 0 END" for bit, fact in enumerate(_FACTS)
)
# The plus lets them be read in their order; by annotator they would have to be sorted.
_ANSWERS = f"""
SELECT s.id, s.annotator_id, s.item_id, s.active_seconds,
       {_CODED}
FROM annotation_submission s JOIN annotation_item i ON i.id = s.item_id
WHERE +s.annotator_id IN (SELECT a.id FROM annotation_annotator a WHERE a.campaign_id = %s)
  AND s.id > %s
ORDER BY s.id
"""  # noqa: S608  (a constant)
_BITS = 4
_SETTLED = 1 << _FACTS.index("s.created_at < %s")
Seconds = list[NDArray[np.float64]]


@dataclass
class Tally:
    """Counts of the answers up to one of them.

    Parameters
    ----------
    items
        The keys of the items whose ratings count, in order.
    sides
        For each of them the systems of its first and second text; 0 where there is none.
    wanted
        How many ratings of each are asked for.
    done
        How many are there, extra ones aside.
    surplus, cannot
        Extra answers and refusals, by annotator.
    seconds
        Active seconds of first answers to screens, by annotator.
    reasons
        The last answers that say why something cannot be judged.
    """

    items: NDArray[np.int64]
    sides: NDArray[np.int64]
    wanted: NDArray[np.int64]
    done: NDArray[np.int64]
    last: int = 0
    surplus: Counter[int] = field(default_factory=Counter)
    cannot: Counter[int] = field(default_factory=Counter)
    seconds: dict[int, Seconds] = field(default_factory=dict)
    reasons: deque[int] = field(default_factory=lambda: deque(maxlen=MOST_REASONS))

    def add(self, answers: Sequence[tuple[Any, ...]]) -> None:
        """Count answers that come after those counted."""
        if not answers:
            return
        *whole, seconds = (
            np.array([row[place] for row in answers], kind)
            for place, kind in ((0, int), (1, int), (2, int), (_BITS, int), (3, float))
        )
        keys, annotator, item, bits = whole
        first, surplus, told, plain, lead, _ = (
            bits >> place & 1 == 1 for place in range(len(_FACTS))
        )
        self.last = int(keys[-1])
        counted = np.searchsorted(self.items, item[first & plain & ~surplus])
        np.add.at(self.done, counted, 1)
        self.surplus.update(annotator[first & surplus].tolist())
        self.cannot.update(annotator[first & told].tolist())
        self.reasons.extend(keys[told].tolist())
        timed = first & lead & ~np.isnan(seconds)
        for person in np.unique(annotator[timed]).tolist():
            self.seconds.setdefault(person, []).append(seconds[timed & (annotator == person)])

    def with_answers(self, answers: Sequence[tuple[Any, ...]]) -> "Tally":
        """Return a copy that counts some more answers."""
        more = Tally(
            *(self.items, self.sides, self.wanted, self.done.copy(), self.last),
            *(self.surplus.copy(), self.cannot.copy()),
            {person: list(parts) for person, parts in self.seconds.items()},
            self.reasons.copy(),
        )
        more.add(answers)
        return more

    def by_system(self) -> Iterator[tuple[int, int, int]]:
        """Yield the key of each system with the ratings of its texts: there, and asked for."""
        for system in np.unique(self.sides[self.sides > 0]).tolist():
            times = (self.sides == system).sum(axis=0)
            yield system, int(times @ self.done), int(times @ self.wanted)


_known: dict[tuple[int, dt.datetime], tuple[int, Tally]] = {}
_turn = threading.Lock()


def tally(campaign: Campaign) -> Tally:
    """Return the counts of a campaign that was started, up to now."""
    # Two who look at once must not count the same answers twice.
    with _turn:
        # A number may come again after a backup was restored; a time does not.
        key = (campaign.pk, campaign.created_at)
        revision, known = _known.pop(key, (-1, None))
        if known is None or revision != campaign.study.revision:
            known = _nothing_yet(campaign)
        unsettled: list[tuple[Any, ...]] = []
        for answers in _answers(campaign, known.last):
            old = [] if unsettled else answers[: _first_new(answers)]
            known.add(old)
            unsettled += answers[len(old) :]
        while len(_known) >= CAMPAIGNS_KEPT:
            _known.pop(next(iter(_known)))
        _known[key] = (campaign.study.revision, known)
        return known.with_answers(unsettled)


def _nothing_yet(campaign: Campaign) -> Tally:
    rows = Item.objects.filter(campaign=campaign, kind=Item.Kind.PLAIN).order_by("pk")
    systems = ("first__system", "second__system")
    numbers = (
        number or 0
        for row in rows.values_list("pk", *systems, "wanted").iterator(_ROWS_AT_ONCE)
        for number in row
    )
    table = np.fromiter(numbers, np.int64).reshape(-1, 4).T
    return Tally(table[0], table[1:3], table[3], np.zeros(table.shape[1], np.int64))


def _answers(campaign: Campaign, after: int) -> Iterator[list[tuple[Any, ...]]]:
    since = connection.ops.adapt_datetimefield_value(timezone.now() - SETTLED_AFTER)
    with connection.cursor() as cursor:
        cursor.execute(_ANSWERS, [since, campaign.pk, after])
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            yield rows


def _first_new(answers: Sequence[tuple[Any, ...]]) -> int:
    """Return the place of the first answer before which one may still be stored."""
    return next(
        (place for place, row in enumerate(answers) if not row[_BITS] & _SETTLED), len(answers)
    )
