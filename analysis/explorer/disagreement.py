"""Outputs about which a metric and people disagree most, with all that is known of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats
from analysis.data.divisions import length_bands
from analysis.data.narrowing import check_size, narrowed
from analysis.data.picking import pick
from analysis.data.selection import Cells, MetricColumn, metric_columns, rated_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import align, human_side, oriented, raw_scores
from analysis.estimates.evaluation import aspect_asked
from analysis.explorer.exploration import Exploration, Range, kinds_of
from analysis.explorer.output_details import RatingsOfOne, Texts, ratings_of, texts_of
from analysis.filter.question import Question, QuestionError
from analysis.reports.summaries import Sentence, aspect_words, said
from analysis.stats.correlation.calibration import RankGaps, rank_gaps, standing_of
from analysis.stats.results import Undefined
from annotation.rating.differences import Run, marked_differences
from corpus.models import Study
from corpus.studies.texts_needed import TextsNeeded, check_texts


@dataclass(frozen=True)
class Case:
    """One output: texts, judgements and every metric."""

    segment: str
    direction: str
    attributes: Mapping[str, Any]
    system: str
    gap: float
    metric_share: float
    human_share: float
    source: Sequence[Run]
    output: Sequence[Run]
    references: tuple[str, ...]
    kinds: tuple[str, ...]
    ratings: tuple[RatingsOfOne, ...]
    scores: tuple[tuple[str, float, float], ...]
    without_text: bool = False
    """Whether the study holds no text of it."""


@dataclass(frozen=True)
class Ranked:
    """Selected cells, how far a metric and people disagree about each, and which are found."""

    cells: Cells
    gaps: RankGaps
    order: NDArray[np.int64]


@dataclass(frozen=True)
class Disagreements:
    """All cells of an exploration, most disagreement first, and where to read their details."""

    data: StudyData
    study: Study
    asked: Exploration
    column: MetricColumn
    ranked: Ranked

    def __len__(self) -> int:
        return len(self.order)

    @property
    def order(self) -> NDArray[np.int64]:
        """The cells that were found, most disagreement first."""
        return self.ranked.order

    @property
    def has_better_side(self) -> bool:
        """Whether the metric judges outputs, so that it can disagree with human raters."""
        return judges(self.column)

    def cases(self, start: int, stop: int) -> list[Case]:
        """Return the cases of one page, with their texts by one query."""
        cells = self.ranked.cells
        places = [divmod(int(cell), len(cells.systems)) for cell in self.order[start:stop]]
        outputs = [(int(cells.segments[row]), int(cells.systems[column])) for row, column in places]
        texts = texts_of(self.study, [self.data.segment_keys[row] for row, _ in outputs])
        ratings = ratings_of(self.data, outputs)
        scores = [
            _scores_of(self, column, label, places)
            for label, column in column_names(self.data).items()
        ]
        return [
            self._case(place, output, texts, ratings[output], of_case)
            for place, output, *of_case in zip(places, outputs, *scores, strict=True)
        ]

    def _case(
        self,
        place: tuple[int, int],
        output: tuple[int, int],
        texts: Mapping[str, Texts],
        ratings: Sequence[RatingsOfOne],
        scores: Sequence[tuple[str, float, float]],
    ) -> Case:
        data, gaps = self.data, self.ranked.gaps
        segment, system = output
        key, name = data.segment_keys[segment], data.systems[system].name
        found = texts[key]
        text = found.outputs.get(name, "")
        without = self.study.without_texts
        marked_source, marked_output = marked_differences(
            found.source, found.source if without else text
        )
        return Case(
            segment=key,
            direction=data.directions[segment].replace("-to-", " → "),
            attributes=data.segment_attributes[segment],
            system=name,
            gap=float(gaps.gap[place]),
            metric_share=float(gaps.metric_share[place]),
            human_share=float(gaps.human_share[place]),
            source=marked_source,
            output=() if without else marked_output,
            references=found.references,
            kinds=() if without else kinds_of(found.source, text, found.references),
            without_text=without,
            ratings=tuple(ratings),
            scores=tuple(each for each in scores if np.isfinite(each[1])),
        )


def column_names(data: StudyData) -> dict[str, MetricColumn]:
    """Return every metric column by a name that no other has."""
    return {column.label: column for column in metric_columns(data, Question())}


def judges(column: MetricColumn) -> bool:
    """Whether a metric says which outputs are better; what describes outputs does not."""
    oriented_ones = ("higher", "lower", "target")
    return bool(column.derived) or (
        column.run.orientation in oriented_ones and not column.run.describes
    )


def explore(study: Study, data: StudyData, asked: Exploration) -> Disagreements | None:
    """Order a study's outputs by how far a metric and people disagree.

    None without ratings or metrics, and where no metric judges and none is asked for by name.

    Raises
    ------
    QuestionError
        If a name is unknown.
    """
    data = narrowed(data, asked.question)
    aspects, columns = rated_aspects(data), column_names(data)
    if not aspects or not columns:
        return None
    check_size(data)
    aspect = aspect_asked(data, asked.question)
    name = asked.scored_by or _first_asked_for(data, asked.question, aspect, columns)
    if not name:
        return None
    if name not in columns:
        raise QuestionError(f"scored_by={name}: this study has {'; '.join(columns)}")
    asked = replace(asked, question=asked.question.but(aspect=aspect), scored_by=name)
    column = columns[name]
    ranked = data.recent.get(asked, lambda: _ranked(study, data, asked, column))
    return Disagreements(data, study, asked, column, ranked)


def _ranked(study: Study, data: StudyData, asked: Exploration, column: MetricColumn) -> Ranked:
    pairing = align(
        data, asked.question, column, human_side(data, asked.question, asked.question.aspect)
    )
    gaps = rank_gaps(pairing.metric, pairing.human)
    cells = select(data, asked.question)
    keep = np.isfinite(gaps.gap) & _kept(study, data, cells, asked)
    keep &= _between(pairing.metric, asked.metric_range)
    keep &= _between(pairing.human, asked.human_range)
    if asked.side:
        keep &= gaps.gap > 0 if asked.side == "metric" else gaps.gap < 0
    flat = np.flatnonzero(keep)
    size = np.abs(gaps.gap.ravel()[flat])
    order = flat[np.argsort(-size, kind="stable")]
    return Ranked(cells, gaps, order)


def _between(scores: Floats, limits: Range) -> NDArray[np.bool_]:
    low, high = limits
    within: NDArray[np.bool_] = (scores >= low) & (scores <= high)
    return within


def _first_asked_for(
    data: StudyData, question: Question, aspect: str, columns: Mapping[str, MetricColumn]
) -> str:
    """Name the first metric that judges, of those that fit the aspect; empty if none does.

    What the question names is taken as it is.
    """
    picked = pick(data, question.but(candidates="all"), aspect)
    wanted = (each for each in picked.taken if picked.choice.rule == "named" or judges(each))
    found = (name for each in wanted for name, column in columns.items() if column == each)
    return next(found, "")


def _kept(study: Study, data: StudyData, cells: Cells, asked: Exploration) -> NDArray[np.bool_]:
    """Say which cells the filters that read texts leave."""
    keys = [data.segment_keys[row] for row in cells.segments]
    keep = np.ones((len(keys), len(cells.systems)), dtype=bool)
    if asked.segment:
        if asked.segment not in data.segment_keys:
            raise QuestionError(f"segment={asked.segment}: this study has no such segment")
        keep &= np.array([key == asked.segment for key in keys], dtype=bool)[:, None]
    if asked.length:
        keep &= (length_bands(data.source_words[cells.segments]) == asked.length)[:, None]
    if asked.kind:
        check_kinds(study)
        texts = texts_of(study, keys)
        names = [data.systems[index].name for index in cells.systems]
        for row, key in enumerate(keys):
            found = texts[key]
            for column, name in enumerate(names):
                text = found.outputs.get(name, "")
                keep[row, column] &= asked.kind in kinds_of(found.source, text, found.references)
    return keep


def check_kinds(study: Study) -> None:
    """Refuse to choose outputs by what can be seen of their texts, where these are not known.

    Raises
    ------
    QuestionError
    """
    try:
        check_texts(study, "kind")
    except TextsNeeded as error:
        raise QuestionError(str(error)) from None


def _scores_of(
    found: Disagreements, column: MetricColumn, label: str, places: Sequence[tuple[int, int]]
) -> list[tuple[str, float, float]]:
    """Return a metric's label, raw score and standing among the selected, for some outputs."""
    cells, scores = found.ranked.cells, raw_scores(found.data, column)
    turned = oriented(found.data, column, scores)
    better = cells.of(scores if isinstance(turned, Undefined) else turned)
    rows, columns = np.array(places, dtype=int).reshape(-1, 2).T
    raw = scores[cells.segments[rows], cells.systems[columns]]
    shares = standing_of(better[rows, columns], better)
    return [(label, *each) for each in zip(raw.tolist(), shares.tolist(), strict=True)]


LARGE = 0.5
"""Distance of ranks from which on gaps are counted: half of all outputs lie between."""


def disagreement_sentences(found: Disagreements) -> list[Sentence]:
    """Say which output has the largest gap, and how many have a large one, by side."""
    if not len(found):
        return []
    gaps = found.ranked.gaps.gap.ravel()[found.order]
    metric, human = int(np.sum(gaps >= LARGE)), int(np.sum(gaps <= -LARGE))
    shown = f"{len(gaps):,} {'output' if len(gaps) == 1 else 'outputs'}"
    many = f"{metric + human:,} of {shown} differ by at least {100 * LARGE:.0f} points of rank"
    if not found.asked.side and metric + human:
        many += f": {metric:,} rated higher by the metric, {human:,} by human raters"
    return [said(" ".join(largest_gap(found))), said(f"{many}.")]


def largest_gap(found: Disagreements) -> tuple[str, str]:
    """Return what the metric and human raters say of the first output."""
    ranked, place = found.ranked, int(found.order[0])
    row, column = divmod(place, len(ranked.cells.systems))
    segment = found.data.segment_keys[ranked.cells.segments[row]]
    system = found.data.systems[ranked.cells.systems[column]].name
    human, metric = (
        f"{100 * float(shares[row, column]):.0f} %"
        for shares in (ranked.gaps.human_share, ranked.gaps.metric_share)
    )
    aspect = aspect_words(found.asked.question.aspect)
    return (
        f"The largest gap for {found.asked.scored_by} on {aspect} is on {segment}.",
        f"Human raters put the output of {system} above {human} of the others, the "
        f"metric above {metric}.",
    )
