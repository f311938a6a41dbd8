"""How well any metric could do, given the ratings: ceilings and human baselines of an aspect."""

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.measures import NOT_IDENTIFIED, SINGLE_RATERS
from analysis.data.selection import rated_values, select
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.stats.agreement.noise_ceiling import leave_one_annotator_out, pearson_ceiling
from analysis.stats.agreement.reliability import RatedSegments
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import signature
from analysis.stats.systems.human_scores import mean_per_output

MOST_CELLS = 20_000_000
"""Outputs × annotators that are laid out at once: 160 MB."""
NO_PERSONS = "there are no ratings of single persons, or too many to lay out at once"
NAMES = {
    "segment": "Ceiling of segment r",
    "system": "Ceiling of system r",
    "annotator": "An annotator compared with the others",
}


def ratings_of_persons(data: StudyData, question: Question, aspect: str) -> Floats:
    """Return the selected ratings of single persons, segments × systems × annotators."""
    cells = select(data, question)
    rated = data.rated(aspect)
    values = rated_values(data, question, aspect)
    who, outputs = rated.annotator, rated.output
    people = [
        index for index in np.unique(who) if data.judgements.annotators[index].kind in SINGLE_RATERS
    ]
    shape = len(cells.segments), len(cells.systems), len(people)
    if shape[0] * shape[1] * shape[2] > MOST_CELLS:
        return np.empty((*shape[:2], 0))
    cube = np.full(shape, np.nan)
    for place, index in enumerate(people):
        own = who == index
        means, _ = mean_per_output(values[own], outputs[own], len(data.segment_of_output))
        cube[:, :, place] = cells.of(data.matrix(means))
    return cube


def ceilings(
    data: StudyData, question: Question, aspect: str, bootstrap: Bootstrap
) -> dict[str, Result]:
    """Return the ceilings of Pearson's r at both levels, and the leave-one-annotator-out baseline.

    The baseline is over outputs pooled. Averaged ratings and majorities have none of them.
    """
    ratings = ratings_of_persons(data, question, aspect)
    variant = {"human": question.scores}
    if not np.isfinite(ratings).any():
        named = {name: signature(f"noise-ceiling {name}", **variant) for name in NAMES}
        return {name: Undefined(NO_PERSONS, signature=signed) for name, signed in named.items()}
    rated = RatedSegments.of(ratings)
    alone: Result = Undefined(
        NOT_IDENTIFIED, signature=signature("noise-ceiling annotator", **variant)
    )
    if not data.are_unnamed(data.aspect_mask(aspect)):
        alone = leave_one_annotator_out(rated, variant=variant)
    return {
        "segment": pearson_ceiling(rated, bootstrap=bootstrap, variant=variant),
        "system": pearson_ceiling(rated, level="system", bootstrap=bootstrap, variant=variant),
        "annotator": alone,
    }
