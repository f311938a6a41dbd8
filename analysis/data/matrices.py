"""Database rows into arrays: nothing else in `analysis` reads numbers from the database.

`load(study)` gives a `StudyData`: texts, judgements and score arrays addressed by the places of
outputs in their natural order (see `analysis.data.natural_order`). Its methods lay them out as
segments × systems matrices, NaN where nothing is stored.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
from django.db.models import Max

from analysis.data.measured import measured_by
from analysis.data.measures import Asked, Measure, measure_of, named
from analysis.data.natural_order import is_kept, order_of_outputs
from analysis.data.study_data import (
    _TURNED,
    CHOICES,
    AnnotatorView,
    CampaignView,
    Integers,
    Judgements,
    RunView,
    StudyData,
    SystemColumn,
    integers,
)
from annotation.models import Annotator, Campaign, Rating, Submission, Withdrawal
from corpus.models import Output, Segment, Study, System
from metrics.models import MetricRun
from metrics.runs.computed_metrics import column_name
from metrics.runs.models_behind import ModelsBehind
from metrics.runs.names import number_name


def state_token(study: Study) -> str:
    """Name the present state of a study's ratings and scores, cheaply."""
    newest = Submission.objects.filter(item__campaign__study=study).aggregate(Max("id"))["id__max"]
    return f"{study.revision}.{newest or 0}"


_loaded: dict[tuple[int, bool], tuple[str, StudyData]] = {}
STUDIES_KEPT = 4


def load(study: Study, token: str | None = None, *, withdrawn: bool = False) -> StudyData:
    """Return a study as arrays, from memory if nothing was published since.

    Work that was withdrawn is left out unless asked for.
    """
    token = token or state_token(study)
    known = _loaded.get((study.pk, withdrawn))
    if known and known[0] == token:
        return known[1]
    data = _read(study, withdrawn)
    while len(_loaded) >= STUDIES_KEPT:
        _loaded.pop(next(iter(_loaded)))
    _loaded[study.pk, withdrawn] = (token, data)
    return data


def forget() -> None:
    """Drop what is kept in memory, as a test between databases must."""
    _loaded.clear()


def _read(study: Study, withdrawn: bool) -> StudyData:
    segments = list(
        Segment.objects.filter(study=study)
        .order_by("ordinal")
        .values_list("pk", "key", "source_style", "target_style", "attributes")
    )
    row_of = {row[0]: index for index, row in enumerate(segments)}
    systems = list(System.objects.filter(study=study).order_by("ordinal"))
    kinds = {system.pk: str(system.kind) for system in systems}
    real = [system for system in systems if system.kind == System.Kind.SYSTEM]
    column_of = {system.pk: index for index, system in enumerate(real)}
    places = {system.pk: index for index, system in enumerate(systems)}
    outputs = list(
        Output.objects.filter(study=study)
        .order_by("ordinal")
        .values_list("ordinal", "segment_id", "system_id", "variant")
    )
    order = order_of_outputs(
        integers(row_of[row[1]] for row in outputs),
        integers(places[row[2]] for row in outputs),
        integers(row[3] for row in outputs),
        is_system=np.array([row[2] in column_of for row in outputs], dtype=bool),
    )
    outputs = [outputs[ordinal] for ordinal in order]
    judgements = _read_judgements(study, withdrawn, np.argsort(order))
    words = np.full(len(segments), -1, dtype=np.int64)
    for segment, text in (
        Output.objects.filter(study=study, system__kind=System.Kind.SOURCE, variant=1)
        .values_list("segment_id", "text")
        .iterator(chunk_size=20_000)
    ):
        words[row_of[segment]] = len(text.split())
    runs = list(
        MetricRun.objects.filter(study=study)
        .published()
        .select_related("metric", "study")
        .order_by("pk")
    )
    behind = ModelsBehind(study)
    return StudyData(
        study_slug=study.slug,
        segment_keys=tuple(row[1] for row in segments),
        source_styles=tuple(row[2] for row in segments),
        target_styles=tuple(row[3] for row in segments),
        segment_attributes=tuple(row[4] for row in segments),
        systems=tuple(SystemColumn(s.name, s.is_human, s.attributes) for s in real),
        segment_of_output=integers(row_of[row[1]] for row in outputs),
        column_of_output=integers(column_of.get(row[2], -1) for row in outputs),
        kind_of_output=tuple(kinds[row[2]] for row in outputs),
        variant_of_output=integers(row[3] for row in outputs),
        source_words=words,
        judgements=judgements,
        runs=tuple(view for run in runs for view in _views(run, behind)),
        system_runs=tuple(_view(run, run.metric.name, behind) for run in runs if not run.fields),
        ratings_sha256=sha256(judgements.packed()).hexdigest(),
        has_withdrawn=Withdrawal.objects.filter(annotator__campaign__study=study).exists(),
        _order=order[:0] if is_kept(order) else order,
    )


def _read_judgements(study: Study, withdrawn: bool, place_of: Integers) -> Judgements:
    """Read all ratings; `place_of` turns stored ordinals of outputs into those of the arrays."""
    campaigns = sorted(Campaign.objects.filter(study=study), key=lambda campaign: campaign.slug)
    campaign_index = {campaign.pk: index for index, campaign in enumerate(campaigns)}
    annotators = sorted(
        Annotator.objects.filter(campaign__study=study),
        key=lambda each: (campaign_index[each.campaign_id], each.pseudonym),
    )
    annotator_index = {annotator.pk: index for index, annotator in enumerate(annotators)}
    rows = Rating.objects.current_of(study, withdrawn=withdrawn).values_list(
        "submission__item__campaign_id",
        "submission__annotator_id",
        "aspect",
        "submission__item__first__ordinal",
        "submission__item__second__ordinal",
        "value",
        "choice",
        "submission__swapped",
        "submission__active_seconds",
    )
    columns: tuple[Sequence[Any], ...] = tuple(zip(*rows.iterator(chunk_size=20_000), strict=True))
    if not columns:
        columns = ((),) * 9
    choice_index = {name: index for index, name in enumerate(CHOICES)}
    of_campaign = integers(campaign_index[key] for key in columns[0])
    of_annotator = integers(annotator_index[key] for key in columns[1])
    first = place_of[integers(columns[3])]
    second = integers(-1 if key is None else place_of[key] for key in columns[4])
    choice = integers(choice_index.get(name, -1) for name in columns[6])
    side = integers(
        -1 if swapped is None or other is None else int(swapped)
        for swapped, other in zip(columns[7], columns[4], strict=True)
    )
    turned = (second >= 0) & (second < first)
    first[turned], second[turned] = second[turned], first[turned]
    choice[turned] = _TURNED[choice[turned]]
    side[turned & (side >= 0)] ^= 1
    declared = study.declarations.get("aspects", {})
    measures, on_measure, ways = _measures(
        campaigns, annotators, declared, of_campaign, of_annotator, columns[2], choice
    )
    return Judgements(
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
        value=np.array([np.nan if v is None else v for v in columns[5]], dtype=np.float64),
        choice=choice,
        side=side,
        seconds=np.array([np.nan if v is None else v for v in columns[8]], dtype=np.float64),
        asked=ways,
    )


def _measures(
    campaigns: Sequence[Campaign],
    annotators: Sequence[Annotator],
    declared: Mapping[str, Any],
    of_campaign: Integers,
    of_annotator: Integers,
    asked_as: Sequence[str],
    choice: Integers,
) -> tuple[tuple[Measure, ...], Integers, tuple[Asked, ...]]:
    """Return the measures in order of appearance, that of each rating, and how it was asked."""
    kinds = {kind: index for index, kind in enumerate(dict.fromkeys(a.kind for a in annotators))}
    names: dict[str, int] = {}
    of_name = integers(names.setdefault(name, len(names)) for name in asked_as)
    of_kind = integers(kinds[a.kind] for a in annotators)[of_annotator]
    asked = np.stack([of_campaign, of_name, of_kind, (choice >= 0).astype(np.int64)], axis=1)
    ways, first, way, counts = np.unique(
        asked, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    name_of, kind_of = list(names), list(kinds)
    found = [
        measure_of(
            name_of[name],
            declared,
            campaigns[campaign].protocol,
            campaigns[campaign].config,
            live=campaigns[campaign].origin == Campaign.Origin.LIVE,
            choices=bool(choices),
            raters=kind_of[kind],
        )
        for campaign, name, kind, choices in ways
    ]
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
    return tuple(named(place)), by_way[way.ravel()] if len(by_way) else of_name, names_of_ways


def _views(run: MetricRun, behind: ModelsBehind) -> Iterator[RunView]:
    """Yield a run as it is named: a distribution whole, else each of its numbers by itself."""
    names = run.fields[:1] if run.is_distribution else run.fields
    for column, name in enumerate(names):
        whole = run.metric.name
        shown = whole if run.is_distribution else column_name(whole, name, run.fields)
        yield _view(run, shown, behind, column)


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
        trained=behind.of(run),
        name=run.name
        if run.is_distribution or not run.fields
        else number_name(run.name, run.fields[column], run.fields),
        family=measured.family,
        aspect_key=measured.aspect_key,
        describes=measured.rule == "description",
    )
