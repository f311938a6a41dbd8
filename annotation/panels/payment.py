"""Who is to be approved and paid: outcome, code, minutes worked, ratings and checks of each."""

import datetime as dt
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotation.controls.results import control_results
from annotation.models import Annotator, Item, Panel, PanelEntry, Submission
from annotation.panels.outcomes import DESCRIBED, Outcome

LONGEST_GAP = dt.timedelta(minutes=5)
"""A longer time between two answers is a break; so much of it counts."""
UNPAID = ("RETURNED", "TIMED OUT", "REJECTED")
SETTLED = (*UNPAID, "APPROVED", "PARTIALLY APPROVED", "SCREENED OUT")
COLUMNS = (
    *("participant", "submission", "study", "annotator", "outcome", "code", "status"),
    *("minutes", "ratings", "checks_failed", "checks_decided", "came_at", "left_at"),
)
Times = dict[int, list[dt.datetime]]


@dataclass(frozen=True)
class Worked:
    """What one person did.

    Parameters
    ----------
    entry
    pseudonym
        Empty for who had no place.
    minutes
        By the times of answers; None before the first.
    ratings
        Texts, or pairs, of systems that they judged; practice and control items do not count.
    checks_failed, checks_decided
        Tests of control items that were not passed, of how many that decide.
    """

    entry: PanelEntry
    pseudonym: str
    minutes: float | None
    ratings: int
    checks_failed: int
    checks_decided: int

    @property
    def outcome(self) -> str:
        """How they left, in words; empty for who is not through."""
        return DESCRIBED[Outcome(self.entry.outcome)].title if self.entry.outcome else ""

    @property
    def is_to_approve(self) -> bool:
        """Whether they finished and the panel has not settled it."""
        finished = self.entry.outcome == Outcome.FINISHED
        return finished and bool(self.entry.identifier) and self.entry.status not in SETTLED


@dataclass(frozen=True)
class Pay:
    """What the reward of those who finished is for an hour, and how many they are."""

    median: float
    lowest: float
    people: int
    minutes: float


def minutes_worked(came: dt.datetime, answers: Sequence[dt.datetime]) -> float | None:
    """Return the minutes from coming to the last answer, without long breaks.

    >>> at = [dt.datetime(2026, 1, 1, 12, minute) for minute in (0, 2, 3, 30)]
    >>> minutes_worked(at[0], at[1:])
    8.0
    """
    if not answers:
        return None
    # Who came before the panel was set up has a later time of coming: then it says nothing.
    times = sorted([*([came] if came <= min(answers) else []), *answers])
    worked = sum((min(b - a, LONGEST_GAP) for a, b in pairwise(times)), dt.timedelta())
    return worked.total_seconds() / 60


def worked_by(panel: Panel) -> list[Worked]:
    """Return what each person of a panel did, by as many queries for many as for few."""
    entries = list(panel.entries.select_related("annotator", "participant"))
    of_annotator = _annotators(panel)
    times: Times = {}
    rated: dict[int, set[int]] = {}
    rows = Submission.objects.filter(annotator__in=list(of_annotator)).values_list(
        "annotator", "item", "item__kind", "created_at"
    )
    for annotator, item, kind, when in rows:
        entry = of_annotator[annotator]
        times.setdefault(entry, []).append(when)
        if kind == Item.Kind.PLAIN:
            rated.setdefault(entry, set()).add(item)
    checks = _checks(panel, of_annotator)
    return [
        Worked(
            entry,
            str(entry.person or ""),
            minutes_worked(entry.came_at, times.get(entry.pk, [])),
            len(rated.get(entry.pk, ())),
            *checks.get(entry.pk, (0, 0)),
        )
        for entry in entries
    ]


def pay_of(panel: Panel, people: Iterable[Worked]) -> Pay | None:
    """Return the hourly pay of those who finished; None without a reward or anybody."""
    minutes = [
        each.minutes
        for each in people
        if each.entry.outcome in (Outcome.FINISHED, Outcome.FAILED_CHECKS)
        and each.entry.status not in UNPAID
        and each.minutes
    ]
    if panel.reward is None or not minutes:
        return None
    hourly = [float(panel.reward) * 60 / each for each in minutes]
    return Pay(statistics.median(hourly), min(hourly), len(hourly), statistics.median(minutes))


def table(people: Iterable[Worked]) -> Iterable[tuple[object, ...]]:
    """Return the list as rows for a file."""
    yield COLUMNS
    for each in people:
        entry = each.entry
        yield (
            entry.identifier, entry.session, entry.panel_study, each.pseudonym, entry.outcome,
            entry.code, entry.status, "" if each.minutes is None else f"{each.minutes:.1f}",
            each.ratings, each.checks_failed, each.checks_decided,
            entry.came_at.isoformat(timespec="seconds"),
            entry.ended_at.isoformat(timespec="seconds") if entry.ended_at else "",
        )  # fmt: skip


def _annotators(panel: Panel) -> dict[int, int]:
    """Return the entry of each annotator: who rates in a set is one in each task."""
    own = "annotator" if panel.set_id is None else "participant__annotators"
    placed = panel.entries.filter(**{f"{own}__isnull": False})
    return dict(placed.order_by().values_list(own, "pk"))


def _checks(panel: Panel, of_annotator: dict[int, int]) -> dict[int, tuple[int, int]]:
    """Return how many tests of control items each person did not pass, of how many."""
    found: dict[int, tuple[int, int]] = {}
    for campaign in panel.campaigns:
        for result in control_results(campaign):
            entry = of_annotator.get(result.annotator.pk)
            decided = [tested.test for _, tested in result.tests if tested.test is not None]
            if entry is not None and decided:
                failed, count = found.get(entry, (0, 0))
                missed = sum(not test.passed for test in decided)
                found[entry] = (failed + missed, count + len(decided))
    return found


def usual_screens(panel: Panel) -> int | None:
    """Return how many screens a person gets in all tasks; None where a queue decides."""
    total = 0.0
    for campaign in panel.campaigns:
        if campaign.design == campaign.Design.QUEUE:
            return None
        counts = Annotator.objects.filter(campaign=campaign, assigned__gt=0)
        assigned = list(counts.values_list("assigned", flat=True))
        total += statistics.median(assigned) if assigned else 0
    return round(total) or None
