"""The ratings of a campaign as sequences of segments, in the order that its rule looks at."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import cast

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.study_data import SHARE_OF_FIRST, StudyData
from analysis.stats.sequences.confidence_sequences import FIRST_LOOK, Method
from analysis.stats.sequences.stopping import Compared, Criterion
from annotation.campaigns.tally import tally
from annotation.designs.segments import segments_in_order
from annotation.designs.stopping import StoppingRule
from annotation.models import Campaign, Item
from annotation.protocols.questions import Scale
from corpus.models import System

_ROWS_AT_ONCE = 500
ABSENT, PENDING, DONE = 0, 1, 2
"""Not asked for (yet), asked for and not complete, and complete."""


@dataclass(frozen=True)
class Laid:
    """Every comparison of a rule with its values so far.

    Parameters
    ----------
    compared
        By the places of systems in `systems`.
    criterion
    systems
        Primary keys of the systems that are rated, in the study's order.
    segments
        How many there are.
    waiting
        Segments that are complete but stand behind one that is not.
    """

    compared: list[Compared]
    criterion: Criterion
    systems: list[int]
    segments: int
    waiting: int


@dataclass(frozen=True)
class _Cells:
    """Segments in their order × what is rated: a system, or a pair of systems."""

    state: NDArray[np.int8]
    value: Floats

    def sequence(self, columns: Sequence[int]) -> tuple[NDArray[np.intp], Floats]:
        """Return the segments whose columns are complete, up to the first that lacks ratings.

        Segments of which a column was not asked for, or could not be judged, are passed over.
        """
        state, value = self.state[:, columns], self.value[:, columns]
        asked = (state != ABSENT).all(axis=1)
        lacking = np.flatnonzero(asked & (state == PENDING).any(axis=1))
        asked[lacking[0] if lacking.size else len(asked) :] = False
        rows = np.flatnonzero(asked & np.isfinite(value).all(axis=1))
        return rows, value[rows]


def laid_out(campaign: Campaign, data: StudyData, rule: StoppingRule) -> Laid:
    """Lay the ratings of a campaign out as its rule compares them.

    A segment enters when it has all ratings that were asked for, and only after all segments
    before it: which of them are looked at then depends neither on how fast somebody rates nor on
    what was answered.
    """
    layout = campaign.rules.layout
    in_pairs = layout.compares == "outputs"
    sides = ("first__system", "second__system", "first__ordinal", "second__ordinal")
    rows = (
        Item.objects.filter(campaign=campaign, kind=Item.Kind.PLAIN)
        .order_by("pk")
        .values_list("first__segment", "wanted", "screen", *sides)
    )
    found = np.array(
        [[-1 if v is None else v for v in row] for row in rows.iterator(_ROWS_AT_ONCE)]
    )
    found = found.reshape(-1, 7)
    segment, wanted, screen, first, second, ordinal, other = found.T
    order = segments_in_order(segment, campaign.seed)
    row = np.argsort(order)[np.searchsorted(np.sort(order), segment)]
    real = System.objects.filter(study=campaign.study, kind=System.Kind.SYSTEM)
    rated = {*first.tolist(), *second.tolist()}
    listed = real.order_by("ordinal").values_list("pk", flat=True)
    systems = [pk for pk in listed if pk in rated]
    names: list[tuple[int, ...]] = [(place,) for place in range(len(systems))]
    if in_pairs:
        names = list(combinations(range(len(systems)), 2))
    column_of = {tuple(systems[place] for place in name): at for at, name in enumerate(names)}
    states = np.where(wanted == 0, ABSENT, np.where(tally(campaign).done >= wanted, DONE, PENDING))
    _, on, sizes = np.unique(screen, return_inverse=True, return_counts=True)
    values = layout.scores(_values(campaign, data, rule, ordinal, other), sizes[on])
    state = np.zeros((order.size, len(names)), np.int8)
    value = np.full((order.size, len(names)), np.nan)
    for at, (one, two) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        # Of an output beside its source, the output is judged.
        key = (one, two) if in_pairs else (two if two in systems else one,)
        turned = key not in column_of and key[::-1] in column_of
        column = column_of.get(key[::-1] if turned else key)
        if column is not None:
            state[row[at], column] = states[at]
            value[row[at], column] = 1 - values[at] if turned else values[at]
    cells = _Cells(state, value)
    compared, used = _compared(cells, rule, systems, names, in_pairs=in_pairs)
    low, high = _scale(campaign, rule)
    bounds = (low, high) if rule.goal == "means" else (low - high, high - low)
    criterion = Criterion(
        kind="narrow" if rule.is_of_widths else "settled",
        bounds=(-0.5, 0.5) if in_pairs else bounds,
        tuned_to=max(order.size / 2, FIRST_LOOK),
        margin=rule.margin,
        half_width=rule.half_width,
        clusters=rule.clusters,
        method=cast(Method, rule.method),
    )
    complete = (state != PENDING).all(axis=1) & (state == DONE).any(axis=1)
    return Laid(compared, criterion, systems, order.size, int(complete.sum() - used))


def _compared(
    cells: _Cells,
    rule: StoppingRule,
    systems: list[int],
    names: list[tuple[int, ...]],
    *,
    in_pairs: bool,
) -> tuple[list[Compared], int]:
    """Return the comparisons of a rule, and how many segments entered some of them."""
    places: list[tuple[int, ...]] = list(combinations(range(len(systems)), 2))
    if rule.goal == "means":
        places = [(place,) for place in range(len(systems))]
    elif rule.pair is not None:
        known = sorted(systems.index(pk) for pk in rule.pair if pk in systems)
        places = [tuple(known)] if len(known) == 2 else []
    compared, used = [], np.zeros(len(cells.state), bool)
    for place in places:
        columns = [names.index(place)] if in_pairs else list(place)
        rows, value = cells.sequence(columns)
        used[rows] = True
        values = value[:, 0] if len(columns) == 1 else value[:, 0] - value[:, 1]
        second = place[1] if len(place) > 1 else None
        compared.append(Compared(place[0], second, values - 0.5 if in_pairs else values))
    return compared, int(used.sum())


def _values(
    campaign: Campaign, data: StudyData, rule: StoppingRule, first: Integers, second: Integers
) -> Floats:
    """Return the mean rating of each item: a number, or the share of its judged text."""
    judged = data.judgements
    views = [view.pk for view in judged.campaigns]
    result = np.full(first.size, np.nan)
    if campaign.pk not in views:
        return result
    asked = [m.asked_as == rule.aspect for m in judged.measures]
    rows = (judged.campaign == views.index(campaign.pk)) & np.isin(
        judged.aspect, np.flatnonzero(asked)
    )
    ordinals = np.append(data.stored_ordinals, -1)
    one, two = ordinals[judged.first[rows]], ordinals[judged.second[rows]]
    number = judged.value[rows]
    by_choice = np.isnan(number)
    # Of two texts a share belongs to the first; here to the one that comes first in the study.
    share = np.array([*SHARE_OF_FIRST, np.nan])[judged.choice[rows]]
    low_first = (two < 0) | (one < two)
    number = np.where(by_choice, np.where(low_first, share, 1 - share), number)
    keys = _key(one, two)
    known, index = np.unique(keys, return_inverse=True)
    means = np.bincount(index, number) / np.bincount(index) if known.size else np.empty(0)
    own = _key(first, second)
    if known.size:
        at = np.searchsorted(known, own).clip(max=known.size - 1)
        there = known[at] == own
        result[there] = means[at[there]]
    compares = campaign.rules.layout.compares
    swapped = (second >= 0) & (first > second)
    if compares == "source":
        # The share of the output, which is the second of an item.
        return np.where(second < 0, result, np.where(swapped, result, 1 - result))
    return np.where(swapped, 1 - result, result)


def _key(first: Integers, second: Integers) -> Integers:
    low, high = np.minimum(first, second), np.maximum(first, second)
    return (high.astype(np.int64) << 31) + low + 1


def _scale(campaign: Campaign, rule: StoppingRule) -> tuple[float, float]:
    """Return the least and the largest score of an output."""
    if campaign.rules.layout.score_scale is not None:
        return campaign.rules.layout.score_scale
    for question in campaign.rules.questions(campaign.config):
        if question.aspect == rule.aspect and isinstance(question, Scale):
            return question.low, question.high
    return 0.0, 1.0
