"""Database rows into arrays: nothing else in `analysis` reads numbers from the database."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import Any

import numpy as np
from django.db import connection

from analysis.data.arrays import Floats, Integers, order_of_outputs
from analysis.data.judgements import (
    CHOICES,
    TURNED,
    AnnotatorView,
    CampaignView,
    Judgements,
    with_best_covered_first,
)
from analysis.data.measures import Asked, Measure, measure_of, named
from analysis.data.picking import measured_by
from analysis.data.pooling import pooled
from analysis.data.study_data import RunView, StudyData, SystemColumn
from annotation.models import Annotator, Campaign, Rating, Withdrawal
from corpus.models import Output, Segment, Study, System
from metrics.models import MetricRun
from metrics.runs.models_behind import ModelsBehind
from metrics.runs.names import column_name, number_name

ROWS_AT_A_TIME = 20_000
_COLUMNS = (
    *("submission__item__campaign_id", "submission__annotator_id", "aspect"),
    *("submission__item__first__ordinal", "submission__item__second__ordinal"),
    *("value", "choice", "submission__swapped", "submission__active_seconds"),
)


@dataclass(frozen=True)
class RatingRows:
    """Ratings in the order in which they were given or imported; one entry of each array a rating.

    `campaign` and `annotator` are primary keys, `first` and `second` ordinals of outputs, `aspect`
    indexes `names`. Whole numbers are −1 and others NaN where there is none.
    """

    campaign: Integers
    annotator: Integers
    aspect: Integers
    first: Integers
    second: Integers
    value: Floats
    choice: Integers
    swapped: Integers
    seconds: Floats
    names: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    """What `choice` indexes: `CHOICES`, then the categories in order of appearance."""


def rating_rows(study: Study, *, withdrawn: bool) -> RatingRows:
    """Return the current ratings of a study; those that were withdrawn only if asked for."""
    names: dict[str, int] = defaultdict(lambda: len(names))
    choices: dict[str, int] = defaultdict(lambda: len(choices) - 1)
    choices.update({"": -1} | {name: index for index, name in enumerate(CHOICES)})
    read: tuple[Callable[[Sequence[Any]], Any], ...] = (
        *(_whole, _whole, _coded(names), _whole, _whole),
        *(_number, _coded(choices), _whole, _number),
    )
    parts = [tuple(of([]) for of in read)]
    rows = Rating.objects.counted(study, withdrawn=withdrawn).values_list(*_COLUMNS)
    # As the database gives them: Django would convert the truth value in every row by itself.
    with connection.chunked_cursor() as cursor:
        cursor.execute(*rows.query.sql_with_params())
        while some := cursor.fetchmany(ROWS_AT_A_TIME):
            columns = zip(*some, strict=True)
            parts.append(tuple(of(column) for of, column in zip(read, columns, strict=True)))
    arrays = (np.concatenate(column) for column in zip(*parts, strict=True))
    named = [field.name for field in fields(RatingRows)][: len(read)]
    return RatingRows(
        **dict(zip(named, arrays, strict=True)), names=tuple(names), choices=tuple(choices)[1:]
    )


def _number(column: Sequence[float | None]) -> Floats:
    return np.array(column, dtype=np.float64)


def _whole(column: Sequence[int | None]) -> Integers:
    return np.nan_to_num(_number(column), nan=-1).astype(np.int64)


def _coded(codes: dict[str, int]) -> Callable[[Sequence[str]], Integers]:
    return lambda column: np.fromiter(map(codes.__getitem__, column), dtype=np.int64)


def placed(keys: Sequence[int] | Integers, places: Sequence[int]) -> Integers:
    """Return the place of each key in a list of different keys that has all of them."""
    known = np.array(places, dtype=np.int64)
    order = np.argsort(known)
    return order[np.searchsorted(known[order], keys)].astype(np.int64)


ANSWERS = ("scale", "choices", "categories")
"""Numbers, choices between two texts, and categories of one: never of one measure."""


def read_study(study: Study, *, withdrawn: bool) -> StudyData:
    """Read texts' places, ratings and runs of a study; scores are read when they are needed."""
    segments = list(
        Segment.objects.filter(study=study)
        .order_by("ordinal")
        .values_list("pk", "key", "source_style", "target_style", "attributes")
    )
    systems = list(System.objects.filter(study=study).order_by("ordinal"))
    real = [system for system in systems if system.kind == System.Kind.SYSTEM]
    outputs = (
        Output.objects.filter(study=study)
        .order_by("ordinal")
        .values_list("segment_id", "system_id", "variant")
    )
    three = np.dtype((np.int64, 3))
    stored: Integers = np.fromiter(outputs.iterator(chunk_size=20_000), dtype=three)
    pks = [segment[0] for segment in segments]
    row = placed(stored[:, 0], pks)
    place = placed(stored[:, 1], [system.pk for system in systems])
    kinds = np.array([str(system.kind) for system in systems], dtype=np.str_)
    column_of = np.array([real.index(each) if each in real else -1 for each in systems], dtype=int)
    order = order_of_outputs(row, place, stored[:, 2], is_system=column_of[place] >= 0)
    row, place, variant = row[order], place[order], stored[order, 2]
    judgements = _read_judgements(study, withdrawn, np.argsort(order), column_of[place])
    sources = Output.objects.filter(study=study, system__kind=System.Kind.SOURCE, variant=1)
    texts = list(sources.values_list("segment_id", "text").iterator(chunk_size=20_000))
    words = np.full(len(segments), -1, dtype=np.int64)
    words[placed([pk for pk, _ in texts], pks)] = [len(text.split()) for _, text in texts]
    runs = list(
        MetricRun.objects.filter(study=study)
        .published()
        .select_related("metric", "study", "job")
        .order_by("pk")
    )
    trials = _trials(runs)
    behind = ModelsBehind(study)
    return StudyData(
        study_slug=study.slug,
        segment_keys=tuple(row[1] for row in segments),
        source_styles=tuple(row[2] for row in segments),
        target_styles=tuple(row[3] for row in segments),
        segment_attributes=tuple(row[4] for row in segments),
        systems=tuple(SystemColumn(s.name, s.is_human, s.attributes) for s in real),
        segment_of_output=row,
        column_of_output=column_of[place],
        kind_of_output=kinds[place],
        variant_of_output=variant,
        source_words=words,
        judgements=judgements,
        runs=tuple(
            replace(view, is_trial=run.pk in trials) for run in runs for view in _views(run, behind)
        ),
        system_runs=tuple(_view(run, run.metric.name, behind) for run in runs if not run.fields),
        ratings_sha256=sha256(judgements.packed()).hexdigest(),
        has_withdrawn=Withdrawal.objects.filter(annotator__campaign__study=study).exists(),
        _order=order[:0] if np.array_equal(order, np.arange(len(order))) else order,
    )


def _read_judgements(
    study: Study, withdrawn: bool, place_of: Integers, column_of_output: Integers
) -> Judgements:
    """Read all ratings; `place_of` turns stored ordinals of outputs into those of the arrays."""
    campaigns = sorted(Campaign.objects.filter(study=study), key=lambda campaign: campaign.slug)
    campaign_index = {campaign.pk: index for index, campaign in enumerate(campaigns)}
    annotators = sorted(
        Annotator.objects.filter(campaign__study=study),
        key=lambda each: (campaign_index[each.campaign_id], each.pseudonym),
    )
    rows = rating_rows(study, withdrawn=withdrawn)
    of_campaign = placed(rows.campaign, [campaign.pk for campaign in campaigns])
    of_annotator = placed(rows.annotator, [annotator.pk for annotator in annotators])
    # What has no output has the last place of these, −1.
    place_of = np.append(place_of, -1)
    first, second, choice = place_of[rows.first], place_of[rows.second], rows.choice
    side = np.where(second < 0, -1, rows.swapped)
    turned = (second >= 0) & (second < first)
    first[turned], second[turned] = second[turned], first[turned]
    choice[turned] = TURNED[choice[turned]]
    side[turned & (side >= 0)] ^= 1
    answered = np.where(choice < 0, 0, np.where(second < 0, 2, 1))
    measures, on_measure, ways = _measures(
        campaigns, annotators, study.declarations, of_campaign, of_annotator, rows, answered
    )
    judged = Judgements(
        campaigns=tuple(CampaignView(c.pk, c.slug, c.protocol, c.config) for c in campaigns),
        annotators=tuple(
            AnnotatorView(
                a.pk, campaign_index[a.campaign_id], a.pseudonym, a.kind, a.raters, a.about
            )
            for a in annotators
        ),
        measures=measures,
        campaign=of_campaign,
        annotator=of_annotator,
        aspect=on_measure,
        first=first,
        second=second,
        value=rows.value,
        choice=choice,
        side=side,
        seconds=rows.seconds,
        categories=rows.choices[len(CHOICES) :],
        asked=ways,
    )
    return with_best_covered_first(judged, column_of_output)


def _measures(
    campaigns: Sequence[Campaign],
    annotators: Sequence[Annotator],
    declared: Mapping[str, Any],
    of_campaign: Integers,
    of_annotator: Integers,
    rows: RatingRows,
    answered: Integers,
) -> tuple[tuple[Measure, ...], Integers, tuple[Asked, ...]]:
    """Return the measures in order of appearance, that of each rating, and how it was asked."""
    kinds = {kind: index for index, kind in enumerate(dict.fromkeys(a.kind for a in annotators))}
    of_kind = np.array([kinds[a.kind] for a in annotators], dtype=np.int64)[of_annotator]
    asked = (of_campaign, rows.aspect, of_kind, answered)
    sizes = tuple(max(1, size) for size in (len(campaigns), len(rows.names), len(kinds), 3))
    # As one number each: NumPy sorts rows of several much more slowly.
    numbers, first, way, counts = np.unique(
        np.ravel_multi_index(asked, sizes),
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    ways = np.stack(np.unravel_index(numbers, sizes), axis=1)
    name_of, kind_of = rows.names, list(kinds)
    found = [
        measure_of(
            name_of[name],
            declared.get("aspects", {}),
            campaigns[campaign].slug,
            campaigns[campaign].protocol,
            campaigns[campaign].config,
            live=campaigns[campaign].origin == Campaign.Origin.LIVE,
            answers=ANSWERS[how],
            raters=kind_of[kind],
        )
        for campaign, name, kind, how in ways
    ]
    found = pooled(found, declared.get("pooled", {}))
    place: dict[Measure, int] = {}
    for index in np.argsort(first):
        place.setdefault(found[index], len(place))
    by_way = np.array([place[measure] for measure in found], dtype=np.int64)
    names_of_ways = tuple(
        Asked(
            name=name_of[ways[index][1]],
            campaign=int(ways[index][0]),
            raters=kind_of[ways[index][2]],
            measure=int(by_way[index]),
            ratings=int(counts[index]),
        )
        for index in np.argsort(first)
    )
    return tuple(named(place)), by_way[way] if len(by_way) else rows.aspect, names_of_ways


def _views(run: MetricRun, behind: ModelsBehind) -> Iterator[RunView]:
    """Yield a run as it is named: a distribution whole, else each of its numbers by itself."""
    names = run.fields[:1] if run.is_distribution else run.fields
    for column, name in enumerate(names):
        whole = run.metric.name
        shown = whole if run.is_distribution else column_name(whole, name, run.fields)
        yield _view(run, shown, behind, column)


def _trials(runs: Sequence[MetricRun]) -> set[int]:
    """Return the runs of sweeps and of single references; the first is none where no other is."""
    trials, met = set(), set()
    for run in sorted(runs, key=lambda run: (_tries(run) != "", run.text_setting != "", run.pk)):
        side = run.request.get("against", "").partition(".")[0].removesuffix("s")
        key = (run.metric.name, side, "" if _tries(run) == "sweep" else run.text_setting)
        if _tries(run) and key in met:
            trials.add(run.pk)
        met.add(key)
    return trials


def _tries(run: MetricRun) -> str:
    if run.job and run.job.kind == "sweep":
        return "sweep"
    return "reference" if run.request.get("against", "").startswith("reference.") else ""


def _view(run: MetricRun, name: str, behind: ModelsBehind, column: int = 0) -> RunView:
    measured = measured_by(run)
    return RunView(
        pk=run.pk,
        metric=name,
        aspect=run.aspect,
        compared_to=run.compared_to,
        text_setting=run.text_setting,
        fields=tuple(run.fields),
        is_distribution=run.is_distribution,
        orientation=run.metric.orientation,
        target=run.metric.target,
        speaks_of=run.metric.speaks_of,
        midpoint=run.metric.midpoint,
        signature=run.signature,
        content_sha256=run.content_sha256,
        column=column,
        statistics=tuple(run.statistics),
        request=run.request,
        origin=run.origin,
        is_stated=run.is_stated,
        trained=behind.of(run),
        name=run.name
        if run.is_distribution or not run.fields
        else number_name(run.name, run.fields[column], run.fields),
        family=measured.family,
        aspect_key=measured.aspect_key,
        describes=measured.rule == "description",
    )
