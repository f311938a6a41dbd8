"""Database rows into arrays: nothing else in `analysis` reads numbers from the database.

`load(study)` gives a `StudyData`: texts, judgements and score arrays addressed by the ordinals of
outputs. Its methods lay them out as segments × systems matrices, NaN where nothing is stored.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray

from annotation.models import Annotator, Campaign, Rating, Submission, Withdrawal
from corpus.models import Output, Segment, Study, System
from metrics.baselines import ATTRIBUTE as BASELINE
from metrics.computed_metrics import column_name
from metrics.models import MetricRun
from metrics.models_behind import ModelBehind, ModelsBehind
from metrics.scores import load_scores, load_statistics

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
CHOICES = ("first", "second", "tie")


@dataclass(frozen=True, slots=True)
class SystemColumn:
    """A system as a column of the matrices."""

    name: str
    human: bool
    attributes: Mapping[str, Any]

    @property
    def is_baseline(self) -> bool:
        """Whether it is a pseudo-system that was made for comparison."""
        return bool(self.attributes.get(BASELINE))


@dataclass(frozen=True, slots=True)
class RunView:
    """A metric run as the reports name it."""

    pk: int
    metric: str
    aspect: str
    compared_to: str
    text_setting: str
    fields: tuple[str, ...]
    is_distribution: bool
    orientation: str
    target: float | None
    speaks_of: str
    midpoint: float | None
    signature: str
    content_sha256: str
    column: int = 0
    """Which of the run's numbers: one that gives several is a view for each."""
    statistics: tuple[str, ...] = ()
    """Names of the sufficient statistics that are kept with it."""
    request: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What it was asked for with; empty where it was imported."""
    origin: str = "imported"
    trained: tuple[ModelBehind, ...] = ()
    """Style models that decided its scores, with their quality."""


@dataclass(frozen=True, slots=True)
class CampaignView:
    """A campaign as the reports name it."""

    pk: int
    slug: str
    protocol: str
    config: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AnnotatorView:
    """An annotator as the reports name it; `raters` is None where not stated."""

    pk: int
    campaign: int
    pseudonym: str
    kind: str
    raters: int | None


@dataclass(frozen=True)
class Judgements:
    """All current ratings in the order in which they were given or imported.

    Every array has one entry a rating; `campaign`, `annotator` and `aspect` index the tuples,
    `first` and `second` are ordinals of outputs (−1: none), `value` is NaN for choices, `choice`
    indexes `CHOICES` (−1: a number), `side` is 1 where the first text stood on side B (−1: not
    known, as in imported judgements).
    """

    campaigns: tuple[CampaignView, ...]
    annotators: tuple[AnnotatorView, ...]
    aspects: tuple[str, ...]
    campaign: Integers
    annotator: Integers
    aspect: Integers
    first: Integers
    second: Integers
    value: Floats
    choice: Integers
    side: Integers
    seconds: Floats
    """Active time on the item; NaN where not measured. No part of what a snapshot hashes."""

    def packed(self) -> bytes:
        """Return the ratings as bytes that are equal whenever the ratings are."""
        buffer = io.BytesIO()
        names = "\n".join(
            [f"{c.slug}\t{c.protocol}" for c in self.campaigns]
            + [f"{a.campaign}\t{a.pseudonym}\t{a.kind}\t{a.raters}" for a in self.annotators]
            + list(self.aspects)
        )
        buffer.write(names.encode())
        for array in (self.campaign, self.annotator, self.aspect, self.first, self.second):
            np.lib.format.write_array(buffer, array, allow_pickle=False)
        np.lib.format.write_array(buffer, self.value, allow_pickle=False)
        np.lib.format.write_array(buffer, self.choice, allow_pickle=False)
        np.lib.format.write_array(buffer, self.side, allow_pickle=False)
        return buffer.getvalue()


@dataclass(frozen=True)
class StudyData:
    """One study as arrays."""

    study_slug: str
    segment_keys: tuple[str, ...]
    source_styles: tuple[str, ...]
    target_styles: tuple[str, ...]
    segment_attributes: tuple[Mapping[str, Any], ...]
    systems: tuple[SystemColumn, ...]
    segment_of_output: Integers
    column_of_output: Integers
    kind_of_output: tuple[str, ...]
    variant_of_output: Integers
    source_words: Integers
    """Words of each segment's source; −1 where it has none."""
    judgements: Judgements
    runs: tuple[RunView, ...]
    ratings_sha256: str
    has_withdrawn: bool = False
    system_runs: tuple[RunView, ...] = ()
    """Runs of metrics that score systems and no single output, such as Joint."""
    _scores: dict[int, Floats] = field(default_factory=dict)
    _statistics: dict[int, Floats] = field(default_factory=dict)

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """`source-to-target` of each segment; empty where the styles are not known."""
        return tuple(
            f"{source}-to-{target}" if source or target else ""
            for source, target in zip(self.source_styles, self.target_styles, strict=True)
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Segments and systems."""
        return len(self.segment_keys), len(self.systems)

    @cached_property
    def system_outputs(self) -> NDArray[np.bool_]:
        """Which ordinals are the first variant of a real system's output."""
        first: NDArray[np.bool_] = self.variant_of_output == 1
        return first & (self.column_of_output >= 0)

    @cached_property
    def sources(self) -> Integers:
        """Ordinal of each segment's source; −1 where there is none."""
        return self._pseudo("source")

    def _pseudo(self, kind: str) -> Integers:
        found = np.full(len(self.segment_keys), -1, dtype=np.int64)
        for ordinal, output_kind in enumerate(self.kind_of_output):
            if output_kind == kind and self.variant_of_output[ordinal] == 1:
                found[self.segment_of_output[ordinal]] = ordinal
        return found

    def matrix(self, by_ordinal: Floats) -> Floats:
        """Lay values of all outputs out as segments × systems."""
        cells = np.full(self.shape, np.nan)
        ordinals, places = self._places
        cells.ravel()[places] = by_ordinal[ordinals]
        return cells

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        """Ordinals of the systems' outputs, and where they stand in a matrix, row by row."""
        ordinals = np.flatnonzero(self.system_outputs)
        rows, columns = self.segment_of_output[ordinals], self.column_of_output[ordinals]
        return ordinals, rows * len(self.systems) + columns

    def scores(self, run: RunView) -> Floats:
        """Return a run's numbers, outputs × fields, NaN where there is none; read once."""
        if run.pk not in self._scores:
            self._scores[run.pk] = load_scores(
                run.pk, outputs=len(self.segment_of_output), fields=len(run.fields)
            )
        return self._scores[run.pk]

    def statistics(self, run: RunView) -> Floats:
        """Return a run's sufficient statistics, outputs × names, NaN where none; read once."""
        if run.pk not in self._statistics:
            self._statistics[run.pk] = load_statistics(
                run.pk, outputs=len(self.segment_of_output), names=len(run.statistics)
            )
        return self._statistics[run.pk]

    def aspect_mask(self, aspect: str) -> NDArray[np.bool_]:
        """Which ratings are numbers on an aspect."""
        if aspect not in self.judgements.aspects:
            return np.zeros(len(self.judgements.value), dtype=bool)
        index = self.judgements.aspects.index(aspect)
        judged = self.judgements
        numeric: NDArray[np.bool_] = np.isfinite(judged.value) & (judged.second < 0)
        on_aspect: NDArray[np.bool_] = judged.aspect == index
        return numeric & on_aspect


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
    outputs = list(
        Output.objects.filter(study=study)
        .order_by("ordinal")
        .values_list("ordinal", "segment_id", "system_id", "variant")
    )
    judgements = _read_judgements(study, withdrawn)
    words = np.full(len(segments), -1, dtype=np.int64)
    for segment, text in (
        Output.objects.filter(study=study, system__kind=System.Kind.SOURCE, variant=1)
        .values_list("segment_id", "text")
        .iterator(chunk_size=20_000)
    ):
        words[row_of[segment]] = len(text.split())
    runs = list(
        MetricRun.objects.filter(study=study).published().select_related("metric").order_by("pk")
    )
    behind = ModelsBehind(study)
    return StudyData(
        study_slug=study.slug,
        segment_keys=tuple(row[1] for row in segments),
        source_styles=tuple(row[2] for row in segments),
        target_styles=tuple(row[3] for row in segments),
        segment_attributes=tuple(row[4] for row in segments),
        systems=tuple(SystemColumn(s.name, s.is_human, s.attributes) for s in real),
        segment_of_output=_integers(row_of[row[1]] for row in outputs),
        column_of_output=_integers(column_of.get(row[2], -1) for row in outputs),
        kind_of_output=tuple(kinds[row[2]] for row in outputs),
        variant_of_output=_integers(row[3] for row in outputs),
        source_words=words,
        judgements=judgements,
        runs=tuple(view for run in runs for view in _views(run, behind)),
        system_runs=tuple(_view(run, run.metric.name, behind) for run in runs if not run.fields),
        ratings_sha256=sha256(judgements.packed()).hexdigest(),
        has_withdrawn=Withdrawal.objects.filter(annotator__campaign__study=study).exists(),
    )


def _read_judgements(study: Study, withdrawn: bool) -> Judgements:
    campaigns = list(Campaign.objects.filter(study=study).order_by("pk"))
    campaign_index = {campaign.pk: index for index, campaign in enumerate(campaigns)}
    annotators = list(Annotator.objects.filter(campaign__study=study).order_by("pk"))
    annotator_index = {annotator.pk: index for index, annotator in enumerate(annotators)}
    aspects: dict[str, int] = {}
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
    live = {campaign.pk for campaign in campaigns if campaign.origin == Campaign.Origin.LIVE}
    choice_index = {name: index for index, name in enumerate(CHOICES)}
    return Judgements(
        campaigns=tuple(CampaignView(c.pk, c.slug, c.protocol, c.config) for c in campaigns),
        annotators=tuple(
            AnnotatorView(a.pk, campaign_index[a.campaign_id], a.pseudonym, a.kind, a.raters)
            for a in annotators
        ),
        campaign=_integers(campaign_index[key] for key in columns[0]),
        annotator=_integers(annotator_index[key] for key in columns[1]),
        aspect=_integers(aspects.setdefault(name, len(aspects)) for name in columns[2]),
        aspects=tuple(aspects),
        first=_integers(columns[3]),
        second=_integers(-1 if key is None else key for key in columns[4]),
        value=np.array([np.nan if v is None else v for v in columns[5]], dtype=np.float64),
        choice=_integers(choice_index.get(name, -1) for name in columns[6]),
        side=_integers(
            int(swapped) if key in live else -1
            for key, swapped in zip(columns[0], columns[7], strict=True)
        ),
        seconds=np.array([np.nan if v is None else v for v in columns[8]], dtype=np.float64),
    )


def _views(run: MetricRun, behind: ModelsBehind) -> Iterator[RunView]:
    """Yield a run as it is named: a distribution whole, else each of its numbers by itself."""
    names = run.fields[:1] if run.is_distribution else run.fields
    for column, name in enumerate(names):
        whole = run.metric.name
        shown = whole if run.is_distribution else column_name(whole, name, run.fields)
        yield _view(run, shown, behind, column)


def _view(run: MetricRun, name: str, behind: ModelsBehind, column: int = 0) -> RunView:
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
    )


def _integers(values: Any) -> Integers:
    return np.fromiter(values, dtype=np.int64)
