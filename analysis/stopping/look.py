"""A look at a campaign's rule: what is settled, in words and a picture, and what comes next."""

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from analysis.charts.chart import Chart, counted
from analysis.charts.lines import narrowing
from analysis.charts.table import Row, number
from analysis.data import matrices
from analysis.stats.sequences.stopping import Comparison, Verdict, judged, sequence_of
from analysis.stopping.sequences import Laid, laid_out
from annotation.designs.stopping import StoppingRule, rule_of
from annotation.models import Campaign
from annotation.queue.rounds import Decision, decide
from annotation.selection.screen_places import has_many
from corpus.jobs.progress import Progress
from corpus.jobs.worker import JobError
from corpus.models import Job, System

TOO_EARLY = 10
"""Segments before which nothing is foreseen."""


@dataclass(frozen=True)
class ComparisonRow:
    """One comparison for a table."""

    name: str
    found: Comparison
    state: str


@dataclass(frozen=True)
class Look:
    """What a look at a rule found.

    Parameters
    ----------
    rule, laid, verdict
    names
        Of the systems, by their places.
    ratings_per_item
    adaptive
        Whether later rounds leave out what is settled.
    in_pairs
        Whether two systems are judged by one rating.
    met_before
        How many segments were complete when the rule was met first; None if it was not yet.
    """

    rule: StoppingRule
    laid: Laid
    verdict: Verdict
    names: list[str]
    ratings_per_item: int
    adaptive: bool
    in_pairs: bool
    met_before: int | None

    @property
    def segments(self) -> int:
        """Segments that entered some comparison."""
        return max((each.n for each in self.verdict.comparisons), default=0)

    @property
    def is_met(self) -> bool:
        """Whether the rule is met, now or at an earlier look."""
        return self.verdict.met or self.met_before is not None

    @property
    def words(self) -> str:
        """The rule in words."""
        names = dict(zip(self.laid.systems, self.names, strict=True))
        return self.rule.in_words(names)

    @property
    def rows(self) -> list[ComparisonRow]:
        """Every comparison: those that need most come first."""
        rows = [
            ComparisonRow(self._name(each), each, self._state(each))
            for each in self.verdict.comparisons
        ]
        most = self.laid.segments + 1
        return sorted(rows, key=lambda row: -(most if row.found.more is None else row.found.more))

    @property
    def shown(self) -> Comparison | None:
        """The comparison of the picture: the one that needs most."""
        return self.rows[0].found if self.rows else None

    @property
    def sentence(self) -> str:
        """What was found, and how much more is needed."""
        if self.is_met:
            after = self.segments if self.met_before is None else self.met_before
            return f"The rule is met: ratings of {counted(after, 'segment')} are enough."
        left, total = sum(self.verdict.open), len(self.verdict.comparisons)
        what = "interval" if self.rule.is_of_widths else "pair"
        verb = "is" if left == 1 else "are"
        kind = "too wide" if self.rule.is_of_widths else "not settled"
        start = f"Not yet, after {counted(self.segments, 'segment')}: "
        if self.rule.goal == "clusters":
            start += f"{counted(self.verdict.clusters, 'cluster')} of {self.rule.clusters} so far"
        else:
            start += f"{left} of {counted(total, what)} {verb} {kind}"
        return f"{start}. {self._ahead()}"

    def decision(self) -> Decision:
        """Return what the queue is to do."""
        if self.verdict.met:
            return Decision(met=True, segments=self.segments)
        systems = self.laid.systems
        pairs = tuple(
            (systems[each.first], systems[each.first if each.second is None else each.second])
            for each, is_open in zip(self.verdict.comparisons, self.verdict.open, strict=True)
            if is_open
        )
        return Decision(met=False, segments=self.segments, pairs=pairs)

    def _ahead(self) -> str:
        """Foresee how many more segments and ratings it takes."""
        if self.segments < TOO_EARLY:
            return "It is too early to say how many more it takes."
        if self.rule.goal == "clusters":
            return ""
        left = [
            each
            for each, is_open in zip(self.verdict.comparisons, self.verdict.open, strict=True)
            if is_open
        ]
        more = [each.more for each in left if each.more is not None]
        if len(more) < len(left):
            which = f"{len(left) - len(more)} of them" if len(left) > 1 else "it"
            return (
                f"As means and spread are now, the {counted(self.laid.segments, 'segment')} of "
                f"this campaign would not be enough for {which}."
            )
        ratings = self._items_ahead(left) * self.ratings_per_item
        return (
            f"As means and spread are now, about {counted(max(more), 'more segment')} "
            f"({counted(ratings, 'rating')}) would do."
        )

    def _items_ahead(self, left: list[Comparison]) -> int:
        """Foresee how many more items are rated until these comparisons need no more."""
        longest, systems = max(each.more or 0 for each in left), len(self.names)
        if not self.adaptive:
            return longest * (comb(systems, 2) if self.in_pairs else systems)
        if self.in_pairs:
            return sum(each.more or 0 for each in left)
        needed = dict.fromkeys(range(systems), 0)
        for each in left:
            for place in {each.first, each.first if each.second is None else each.second}:
                needed[place] = max(needed[place], each.more or 0)
        return sum(needed.values())

    def _name(self, each: Comparison) -> str:
        first = self.names[each.first]
        return first if each.second is None else f"{first} − {self.names[each.second]}"

    def _state(self, each: Comparison) -> str:
        if self.rule.is_of_widths:
            return "narrow enough" if each.narrow else "too wide"
        if each.told_apart:
            return "told apart"
        return "equivalent" if each.equivalent else "open"


def look_at(campaign: Campaign) -> Look | None:
    """Look at a campaign's rule; None where it has none or did not start with one.

    Raises
    ------
    analysis.data.states.NotRead
        As `matrices.load`.
    """
    rule = rule_of(campaign.selection)
    if rule is None or not campaign.stopping:
        return None
    laid = laid_out(campaign, matrices.load(campaign.study), rule)
    names = dict(System.objects.filter(pk__in=laid.systems).values_list("pk", "name"))
    met = campaign.stopping.get("met")
    return Look(
        rule=rule,
        laid=laid,
        verdict=judged(laid.compared, laid.criterion, most=laid.segments),
        names=[names[pk] for pk in laid.systems],
        ratings_per_item=campaign.ratings_per_item,
        adaptive=rule.adaptive and not has_many(campaign),
        in_pairs=campaign.rules.layout.compares == "outputs",
        met_before=int(met["segments"]) if met else None,
    )


def run_look(job: Job, progress: Progress) -> dict[str, Any]:
    """Look at a campaign's rule, and keep what the next round needs."""
    campaign = Campaign.objects.filter(study=job.study, slug=job.parameters["campaign"]).first()
    if campaign is None:
        raise JobError("this campaign no longer exists")
    progress.report("looking at the stopping rule")
    found = look_at(campaign)
    if found is None:
        raise JobError("this campaign has no stopping rule")
    decide(campaign, found.decision())
    return {"met": found.verdict.met, "segments": found.segments}


_MOST_POINTS = 200


def sequence_chart(look: Look) -> Chart:
    """Draw the comparison that needs most segments, with the lines that its rule looks at."""
    row = look.rows[0]
    values = next(
        each.values
        for each in look.laid.compared
        if (each.first, each.second) == (row.found.first, row.found.second)
    )
    criterion = look.laid.criterion
    points: list[Row] = []
    if values.size:
        some = np.unique(np.linspace(0, values.size - 1, _MOST_POINTS).round().astype(int))
        found = sequence_of(values, criterion, look.verdict.alpha_each, some)
        # Wider ones say no more than the scale does, and would dwarf the rest.
        told = (found.high - found.low < np.ptp(criterion.bounds)) | (some == values.size - 1)
        columns = (each[told] for each in (some + 1, found.estimate, found.low, found.high))
        points = [
            {"units": int(n), "estimate": float(at), "low": float(low), "high": float(high)}
            for n, at, low, high in zip(*columns, strict=True)
        ]
    margin, width = look.rule.margin, look.rule.half_width
    lines = [0.0] if not look.rule.is_of_widths else []
    if margin and not look.rule.is_of_widths:
        lines += [-margin, margin]
    if look.rule.is_of_widths and points:
        at = number(points[-1], "estimate") or 0.0
        lines += [at - width, at + width]
    aspect = look.rule.aspect.replace("_", " ")
    what = "Mean" if row.found.second is None else "Difference"
    return narrowing(
        points,
        units="Segments",
        axis=f"{what} on {aspect}",
        lines=lines,
        title=f"{row.name}, with its interval",
        name="stopping-sequence",
    )
