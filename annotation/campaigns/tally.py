"""What was answered in a campaign, counted once: a look reads only what came since the last one.

Answers are append-only, so that a count of those up to one of them stays true. It is forgotten
where answers are deleted, which gives the study another revision.
"""

import datetime as dt
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Case, When
from django.utils import timezone
from numpy.typing import NDArray

from annotation.models import Campaign, Item

MOST_REASONS = 20
WANTED_AT_MOST = Case(
    When(wanted=0, position__gt=0, then="campaign__ratings_per_item"), default="wanted"
)
"""Ratings that an item is asked for if its campaign goes on to the last round of its queue."""
SETTLED_AFTER = dt.timedelta(minutes=1)
"""How long after an answer nothing with a lower number is stored any more."""
CAMPAIGNS_KEPT = 8
_ROWS_AT_ONCE = 20_000
_ROWS_READ = 500
"""So few that Python does not look for garbage among rows that are gone the next moment."""
_WITHDRAWN = """EXISTS (SELECT 1 FROM annotation_withdrawal w WHERE w.annotator_id = s.annotator_id
    AND (w.since IS NULL OR w.since <= {answer}.created_at)
    AND (w.until IS NULL OR w.until >= {answer}.created_at))"""
_OF_ITEM = "e.item_id = s.item_id AND e.annotator_id = s.annotator_id AND e.revision < s.revision"
# Corrections do not count again; one of withdrawn work may be the first that counts.
_COUNTS = f"""NOT {_WITHDRAWN.format(answer="s")} AND (s.revision = 1 OR NOT EXISTS (
    SELECT 1 FROM annotation_submission e
    WHERE {_OF_ITEM} AND NOT {_WITHDRAWN.format(answer="e")}))"""  # noqa: S608  (constants)
_FACTS = (
    *("s.revision = 1", "s.surplus", "s.reason <> ''", _COUNTS),
    "s.item_id NOT IN (SELECT i.id FROM annotation_item i WHERE i.campaign_id = %s AND NOT i.lead)",
    "s.created_at < %s",
)
_CODED = " + ".join(
    f"CASE WHEN {fact} THEN {1 << bit} ELSE 0 END" for bit, fact in enumerate(_FACTS)
)
# Few columns and no join: this is read to Python for every answer. The plus lets answers be read
# in their order; by annotator they would have to be sorted.
_ANSWERS = f"""
SELECT s.id, s.item_id, s.active_seconds, s.annotator_id * {1 << len(_FACTS)} + {_CODED}
FROM annotation_submission s
WHERE +s.annotator_id IN (SELECT a.id FROM annotation_annotator a WHERE a.campaign_id = %s)
  AND s.id > %s
ORDER BY s.id
"""  # noqa: S608  (a constant)
Table = NDArray[np.float64]
"""Rows of whole numbers, below 2**53, and seconds; NaN where a row has none."""
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
        How many ratings of each are asked for, at most where the campaign may stop early.
    done
        How many are there that count: no extra and no withdrawn ones.
    surplus, cannot, pages
        Extra answers, refusals and answered item pages, by annotator.
    seconds
        Active seconds of first answers to screens, by annotator. Here and above no practice and
        control items are counted.
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
    pages: Counter[int] = field(default_factory=Counter)
    seconds: dict[int, Seconds] = field(default_factory=dict)
    reasons: deque[int] = field(default_factory=lambda: deque(maxlen=MOST_REASONS))

    def add(self, answers: Table) -> None:
        """Count answers that come after those counted."""
        if not len(answers):
            return
        keys, item, coded = answers[:, [0, 1, 3]].T.astype(np.int64)
        annotator, seconds = coded >> len(_FACTS), answers[:, 2]
        facts = (coded >> bit & 1 == 1 for bit in range(len(_FACTS)))
        first, surplus, told, counts, lead, _ = facts
        self.last = int(keys[-1])
        place = np.searchsorted(self.items, item)
        # Those of practice and control items are not among them.
        plain = np.searchsorted(self.items, item, "right") > place
        first, told = first & plain, told & plain
        self.done += np.bincount(place[plain & counts & ~surplus], minlength=self.done.size)
        self.surplus.update(annotator[first & surplus].tolist())
        self.cannot.update(annotator[first & told].tolist())
        self.pages.update(annotator[first & lead].tolist())
        self.reasons.extend(keys[told].tolist())
        timed = first & lead & ~np.isnan(seconds)
        for person in np.unique(annotator[timed]).tolist():
            self.seconds.setdefault(person, []).append(seconds[timed & (annotator == person)])

    def with_answers(self, answers: Table) -> "Tally":
        """Return a copy that counts some more answers."""
        more = Tally(
            *(self.items, self.sides, self.wanted, self.done.copy(), self.last),
            *(self.surplus.copy(), self.cannot.copy(), self.pages.copy()),
            {person: list(parts) for person, parts in self.seconds.items()},
            self.reasons.copy(),
        )
        more.add(answers)
        return more

    def by_system(self) -> Iterator[tuple[int, int, int]]:
        """Yield the key of each system with the ratings of its texts: there, and asked for."""
        systems = np.unique(self.sides)
        of_side = np.searchsorted(systems, self.sides)
        done, wanted = (
            np.sum([np.bincount(side, counts, systems.size) for side in of_side], axis=0)
            for counts in (self.done, self.wanted)
        )
        for row in zip(systems.tolist(), done, wanted, strict=True):
            if row[0]:
                yield row[0], int(row[1]), int(row[2])


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
        unsettled: list[Table] = [_table(())]
        for answers in _answers(campaign, known.last):
            old = 0 if len(unsettled) > 1 else _first_new(answers)
            known.add(answers[:old])
            if old < len(answers):
                unsettled.append(answers[old:])
        while len(_known) >= CAMPAIGNS_KEPT:
            _known.pop(next(iter(_known)))
        _known[key] = (campaign.study.revision, known)
        return known.with_answers(np.concatenate(unsettled))


def _nothing_yet(campaign: Campaign) -> Tally:
    rows = Item.objects.filter(campaign=campaign, kind=Item.Kind.PLAIN).order_by("pk")
    systems = ("first__system", "second__system")
    found = rows.values_list("pk", *systems, WANTED_AT_MOST).iterator(_ROWS_READ)
    table = np.nan_to_num(_table(chain.from_iterable(found))).astype(np.int64).T
    return Tally(table[0], table[1:3], table[3], np.zeros(table.shape[1], np.int64))


def _answers(campaign: Campaign, after: int) -> Iterator[Table]:
    since = connection.ops.adapt_datetimefield_value(timezone.now() - SETTLED_AFTER)
    with connection.cursor() as cursor:
        cursor.execute(_ANSWERS, [campaign.pk, since, campaign.pk, after])
        numbers = chain.from_iterable(cursor)
        while len(some := _table(islice(numbers, 4 * _ROWS_AT_ONCE))):
            yield some


def _table(numbers: Iterable[Any]) -> Table:
    """Lay numbers out in rows of four."""
    return np.fromiter(numbers, np.float64).reshape(-1, 4)


def _first_new(answers: Table) -> int:
    """Return the place of the first answer before which one may still be stored."""
    new = np.flatnonzero(answers[:, -1].astype(np.int64) & _SETTLED == 0)
    return int(new[0]) if new.size else len(answers)
