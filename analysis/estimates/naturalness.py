"""Naturalness: how far a classifier agrees with human preferences of source or output."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats
from analysis.data.selection import (
    Cells,
    MetricColumn,
    human_scores,
    measures_of,
    scale_aspects,
    select,
)
from analysis.data.study_data import StudyData
from analysis.filter.question import Question, QuestionError
from analysis.stats.agreement.naturalness import (
    absolute_judgements,
    classifier_agreement,
    share_preferred,
)
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.results import Result, Undefined, with_details
from analysis.stats.signature import signature
from analysis.stats.systems.human_scores import mean_per_output
from metrics.catalogue import ABOVE_SOURCE

RELATIVE = "relative_naturalness"
ABSOLUTE = "absolute_naturalness"


def absolute_naturalness(data: StudyData) -> str:
    """Return the measure of naturalness on a scale, one text at a time where there are several."""
    found = [m for m in data.judgements.measures if m.aspect == "naturalness"]
    on_scale = [m for m in found if m.name in scale_aspects(data)]
    ordered = sorted(on_scale, key=lambda m: m.protocol != ABSOLUTE)
    return ordered[0].name if ordered else ""


def naturalness_agreement(
    data: StudyData,
    question: Question,
    column: MetricColumn,
    *,
    protocol: str,
    ties: str = "disagreement",
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
) -> Result:
    """Share of outputs of which a classifier and human raters prefer the same, source or output."""
    cells = select(data, question)
    scores, of_sources = _against_sources(data, column, cells)
    if np.isnan(of_sources).all():
        return Undefined(
            f"{column.label} has no scores of sources",
            unit="outputs",
            signature=signature("naturalness-agreement", protocol=protocol),
        )
    if protocol == "relative":
        judged = relative_judgements(data, question.aspect)
    elif protocol == "absolute":
        judged = _absolute(data, question)
    else:
        raise QuestionError(f"protocol={protocol}: expected relative or absolute")
    result = classifier_agreement(
        scores, of_sources, cells.of(judged), ties=cast(Any, ties), bootstrap=bootstrap
    )
    return with_details(result, protocol=protocol)


def classifier_share(
    data: StudyData,
    question: Question,
    column: MetricColumn,
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
) -> Result:
    """Share of outputs that a classifier finds more natural than their source.

    Over those outputs that people judged against their source, so that it is comparable with the
    share that they find more natural; undefined if a system that they judged has no score.
    """
    cells = select(data, question)
    scores, of_sources = _against_sources(data, column, cells)
    judged = np.isfinite(cells.of(relative_judgements(data, question.aspect)))
    preferred = np.where(judged, np.sign(scores - of_sources[:, None]), np.nan)
    if (judged.any(axis=0) & ~np.isfinite(preferred).any(axis=0)).any():
        return Undefined(
            f"{column.label} has no scores of a system, or of sources",
            unit="outputs",
            signature=signature("share-preferred-to-source", by="classifier"),
        )
    return share_preferred(preferred, by="classifier", bootstrap=bootstrap)


def _against_sources(data: StudyData, column: MetricColumn, cells: Cells) -> tuple[Floats, Floats]:
    """Return a classifier's scores of outputs, and what each segment's are compared with."""
    scores = data.scores(column.run)[:, column.run.column]
    if column.run.fields[column.run.column] == ABOVE_SOURCE:
        # Each output's source was scored by the classifier of the output's own model.
        of_sources = np.zeros(len(cells.segments))
    else:
        of_sources = np.where(data.sources >= 0, scores[data.sources], np.nan)[cells.segments]
    return cells.of(data.matrix(scores)), of_sources


def relative_measures(data: StudyData, aspect: str = "") -> list[str]:
    """Return the measures of outputs against their sources: those that a name means, else all."""
    judged = data.judgements
    found = [
        measure
        for index, measure in enumerate(judged.measures)
        if measure.protocol == RELATIVE and _judges_systems(data, judged.aspect == index)
    ]
    meant = measures_of(data, aspect) if aspect else ()
    return [measure.name for measure in found if measure in meant] or [m.name for m in found]


def _judges_systems(data: StudyData, rows: NDArray[np.bool_]) -> bool:
    """Whether some of the judgements choose between an output of a system and its source."""
    judged = data.judgements
    chosen = rows & (judged.choice >= 0)
    return bool(data.system_outputs[judged.second[chosen]].any())


def relative_judgements(data: StudyData, aspect: str = "") -> Floats:
    """Majority of source-against-output judgements: 1 output, −1 source, 0 tie, NaN none.

    They are those of the first measure that `relative_measures` returns: several are not pooled.
    """
    judged, names = data.judgements, relative_measures(data, aspect)[:1]
    own = np.isin(judged.aspect, [judged.aspects.index(name) for name in names])
    rows = own & (judged.choice >= 0)
    preferred = np.array([-1.0, 1.0, 0.0, 0.0])[judged.choice[rows]]
    means, _ = mean_per_output(preferred, judged.second[rows], len(data.segment_of_output))
    return data.matrix(np.sign(means))


def _absolute(data: StudyData, question: Question) -> Floats:
    aspect = absolute_naturalness(data)
    rated = data.aspect_mask(aspect)
    judged = data.judgements
    outputs = len(data.segment_of_output)
    means, _ = mean_per_output(judged.value[rated], judged.first[rated], outputs)
    of_sources = np.where(data.sources >= 0, means[data.sources], np.nan)
    # An output and its source are compared as they were rated: a z-score of one is beside no other.
    return absolute_judgements(human_scores(data, question.but(scores="raw"), aspect), of_sources)
