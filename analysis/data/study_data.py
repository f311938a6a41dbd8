"""A study as arrays: its texts, judgements and scores by the places of outputs.

Methods of `StudyData` lay them out as segments × systems matrices, NaN where nothing is stored.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers, Recent, digest_in_order
from analysis.data.judgements import Judgements
from analysis.data.measures import PLACE, Measure
from corpus.vocabulary.aspects import Family
from metrics.baselines import ATTRIBUTE as BASELINE
from metrics.runs.models_behind import ModelBehind
from metrics.runs.packed_scores import load_scores, load_statistics

SHARE_OF_FIRST = (1.0, 0.0, 0.5, 0.5)
"""What the first of two texts gets by each choice."""


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
    signature: str
    content_sha256: str
    compared_to: str = ""
    text_setting: str = ""
    fields: tuple[str, ...] = ("score",)
    is_distribution: bool = False
    orientation: str = "higher"
    target: float | None = None
    speaks_of: str = ""
    midpoint: float | None = None
    column: int = 0
    """Which of the run's numbers: one that gives several is a view for each."""
    statistics: tuple[str, ...] = ()
    """Names of the sufficient statistics that are kept with it."""
    request: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What it was asked for with; empty where it was imported."""
    origin: str = "imported"
    is_stated: bool = False
    """Whether it was computed elsewhere, as only an imported file states."""
    trained: tuple[ModelBehind, ...] = ()
    """Style models that decided its scores, with their quality."""
    name: str = ""
    """What it is called wherever it is named; no other number of the study has this name."""
    family: Literal[Family, ""] = ""
    """Which aspects it measures; empty where neither its table nor the catalogue says."""
    aspect_key: str = ""
    """The aspect of the registry, or of the study alone, that `aspect` stands for."""
    describes: bool = False
    """Whether it describes outputs, as a length ratio does, and measures no aspect."""
    is_trial: bool = False
    """Whether it is of a sweep or of a single reference, which reports leave out by default."""


@dataclass(frozen=True)
class RatedOutputs:
    """Human scores of single outputs on one measure, higher is better; one entry each.

    `output` holds places of outputs, `annotator` indexes the annotators of the study.
    """

    value: Floats
    output: Integers
    annotator: Integers


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
    kind_of_output: NDArray[np.str_]
    variant_of_output: Integers
    source_words: Integers
    """Words of each segment's source; −1 where it has none."""
    judgements: Judgements
    runs: tuple[RunView, ...]
    ratings_sha256: str
    has_withdrawn: bool = False
    system_runs: tuple[RunView, ...] = ()
    """Runs of metrics that score systems and no single output, such as Joint."""
    by_models: Judgements | None = None
    """Ratings by language models, whichever ratings a question is about; None if there are none."""
    _order: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Ordinals in the database of the outputs here; empty where they are the same."""
    recent: Recent = field(default_factory=Recent, init=False, repr=False, compare=False)
    """What pages computed of these arrays and may soon ask for again."""
    _scores: dict[int, Floats] = field(default_factory=dict)
    _statistics: dict[int, Floats] = field(default_factory=dict)

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """`source-to-target` of each segment; empty where the styles are not known."""
        return tuple(
            f"{source}-to-{target}" if source or target else ""
            for source, target in zip(self.source_styles, self.target_styles, strict=True)
        )

    @cached_property
    def directions_met(self) -> frozenset[str]:
        """Directions that are known of some segment."""
        return frozenset(self.directions) - {""}

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
        found = np.full(len(self.segment_keys), -1, dtype=np.int64)
        [ordinals] = np.nonzero((self.kind_of_output == "source") & (self.variant_of_output == 1))
        found[self.segment_of_output[ordinals]] = ordinals
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
        places = rows * len(self.systems) + columns
        by_place = np.argsort(places, kind="stable")
        return ordinals[by_place], places[by_place]

    def outputs_at(self, cells: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """Return the outputs of some systems for some segments, of those that there are."""
        ordinals, places = self._places
        width = len(self.systems)
        there = np.isin(places, [segment * width + system for segment, system in cells])
        found = zip(places[there].tolist(), ordinals[there].tolist(), strict=True)
        return {divmod(place, width): ordinal for place, ordinal in found}

    def scores(self, run: RunView) -> Floats:
        """Return a run's numbers, outputs × fields, NaN where there is none; read once."""
        if run.pk not in self._scores:
            stored = load_scores(
                run.pk, outputs=len(self.segment_of_output), fields=len(run.fields)
            )
            self._scores[run.pk] = stored[self._order] if len(self._order) else stored
        return self._scores[run.pk]

    def statistics(self, run: RunView) -> Floats:
        """Return a run's sufficient statistics, outputs × names, NaN where none; read once."""
        if run.pk not in self._statistics:
            stored = load_statistics(
                run.pk, outputs=len(self.segment_of_output), names=len(run.statistics)
            )
            self._statistics[run.pk] = stored[self._order] if len(self._order) else stored
        return self._statistics[run.pk]

    @property
    def stored_ordinals(self) -> Integers:
        """Ordinals in the database of the outputs, in the order of the arrays."""
        return self._order if len(self._order) else np.arange(len(self.segment_of_output))

    def digest(self, run: RunView) -> str:
        """Return the hash of a run's scores in the order of the outputs here."""
        if not len(self._order) or not run.pk:
            return run.content_sha256
        return digest_in_order(run.pk, run.content_sha256, self.scores(run), self._order_sha256)

    @cached_property
    def _order_sha256(self) -> bytes:
        return sha256(self._order.tobytes()).digest()

    @cached_property
    def segments_sha256(self) -> str:
        """Hash of what the segments are: keys, directions, attributes and words of sources."""
        segments: list[Any] = [self.segment_keys, self.directions, self.segment_attributes]
        segments.append(self.source_words.tolist())
        return sha256(json.dumps(segments, sort_keys=True, default=str).encode()).hexdigest()

    @cached_property
    def segment_attribute_names(self) -> tuple[str, ...]:
        """Names of the attributes that a segment has, in order of appearance."""
        met: dict[str, None] = {}
        for attributes in self.segment_attributes:
            met.update(dict.fromkeys(attributes))
        return tuple(met)

    @cached_property
    def attribute_values(self) -> Mapping[str, tuple[str, ...]]:
        """Values of each attribute as text, segments' first, in order of appearance."""
        met: dict[str, dict[str, None]] = {}
        described = [*self.segment_attributes, *(system.attributes for system in self.systems)]
        for attributes in described:
            for name, value in attributes.items():
                met.setdefault(name, {})[str(value)] = None
        return {name: tuple(values) for name, values in met.items()}

    def aspect_mask(self, aspect: str) -> NDArray[np.bool_]:
        """Which ratings are numbers on a measure."""
        judged = self.judgements
        numeric: NDArray[np.bool_] = np.isfinite(judged.value) & (judged.second < 0)
        return numeric & self._on(aspect)

    def _on(self, aspect: str) -> NDArray[np.bool_]:
        """Which ratings belong to a measure."""
        if aspect not in self.judgements.aspects:
            return np.zeros(len(self.judgements.value), dtype=bool)
        index = self.judgements.aspects.index(aspect)
        on_aspect: NDArray[np.bool_] = self.judgements.aspect == index
        return on_aspect

    def measure(self, aspect: str) -> Measure | None:
        """Return a measure by name; None if the study has no such ratings."""
        return next((m for m in self.judgements.measures if m.name == aspect), None)

    @cached_property
    def unnamed_raters(self) -> NDArray[np.bool_]:
        """Say which annotators are places in a list, which tell nobody apart."""
        kinds = [annotator.kind for annotator in self.judgements.annotators]
        return np.array([kind == PLACE for kind in kinds], dtype=bool)

    def are_unnamed(self, rows: Integers | NDArray[np.bool_]) -> bool:
        """Whether some of the judgements are by unnamed raters."""
        return bool(self.unnamed_raters[self.judgements.annotator[rows]].any())

    def rated(self, aspect: str) -> RatedOutputs:
        """Return what a measure says of single outputs, higher being better.

        Ranks are mirrored. Of a preference each of the two texts gets 1 where it was preferred, ½
        where neither was, else 0.
        """
        judged = self.judgements
        measure = self.measure(aspect)
        if measure is not None and measure.answers == "choices":
            rows = np.flatnonzero(self._on(aspect) & (judged.choice >= 0) & (judged.second >= 0))
            share = np.array(SHARE_OF_FIRST)[judged.choice[rows]]
            return RatedOutputs(
                value=np.column_stack([share, 1 - share]).ravel(),
                output=np.column_stack([judged.first[rows], judged.second[rows]]).ravel(),
                annotator=np.repeat(judged.annotator[rows], 2),
            )
        rows = np.flatnonzero(self.aspect_mask(aspect))
        values = judged.value[rows]
        if measure is not None and measure.lower_is_better and measure.scale:
            values = sum(measure.scale) - values
        return RatedOutputs(values, judged.first[rows], judged.annotator[rows])
