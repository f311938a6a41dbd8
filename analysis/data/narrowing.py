"""Which ratings a question is about: those of human raters, with models as metrics beside them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from analysis.data import matrices
from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import Judgements
from analysis.data.measures import MODEL, Measure
from analysis.data.study_data import RunView, StudyData
from analysis.filter.question import Question, QuestionError
from analysis.stats.systems.human_scores import mean_per_output
from annotation.chosen_segments import ChosenSegments
from corpus.models import Study

ORIGIN = "rated"
ORDERS = {False: "one order", True: "other order"}
"""Both orders of a pair that a judge was asked about: as a coin says, and the other way round."""


def judge_of(pseudonym: str) -> str:
    """Return the judge behind a model rater, of which one rater answered in each order.

    Examples
    --------
    >>> judge_of("smollm2, other order"), judge_of("gpt, few-shot")
    ('smollm2', 'gpt, few-shot')
    """
    name, _, order = pseudonym.rpartition(", ")
    return name if order in ORDERS.values() else pseudonym


def with_model_raters(data: StudyData) -> StudyData:
    """Return the study with one metric for each model that rated and each measure it rated.

    Its score of an output is the mean of its ratings, higher being better. Runs of these metrics
    have negative keys: they are stored as ratings, not as scores.
    """
    runs, scores = list(data.runs), {}
    for number, (view, means) in enumerate(_rated_by_models(data), start=1):
        runs.append(replace(view, pk=-number))
        scores[-number] = means[:, None]
    if not scores:
        return data
    return replace(data, runs=tuple(runs), _scores={**data._scores, **scores})


def _rated_by_models(data: StudyData) -> Iterator[tuple[RunView, Floats]]:
    annotators = data.judgements.annotators
    for measure in data.judgements.measures:
        if not measure.is_by_models:
            continue
        rated = data.rated(measure.name)
        pseudonyms = np.array([each.pseudonym for each in annotators])[rated.annotator]
        for pseudonym in dict.fromkeys(pseudonyms.tolist()):
            own = pseudonyms == pseudonym
            outputs = len(data.segment_of_output)
            means, _ = mean_per_output(rated.value[own], rated.output[own], outputs)
            yield _view(measure, pseudonym, means), means


def _view(measure: Measure, pseudonym: str, means: Floats) -> RunView:
    name = f"{pseudonym} on {measure.name}"
    return RunView(
        pk=0,
        metric=name,
        aspect=measure.aspect,
        signature=f"ratings|rater:{pseudonym}|measure:{measure.name}",
        content_sha256=sha256(np.ascontiguousarray(means).tobytes()).hexdigest(),
        origin=ORIGIN,
        family=measure.family,
        aspect_key=measure.aspect,
        name=name,
    )


def prompts_tried(runs: Sequence[RunView]) -> Mapping[str, int]:
    """Return by signature, for each run of a judge, how many prompts were tried in the study.

    Prompts count together that were put to one model about one aspect.
    """
    asked = {
        run.signature: ((run.aspect, str(given.get("model"))), str(given["prompt"]))
        for run in runs
        if "prompt" in (given := run.request.get("parameters") or {})
    }
    prompts: dict[tuple[str, str], set[str]] = {}
    for who, prompt in asked.values():
        prompts.setdefault(who, set()).add(prompt)
    return {signature: len(prompts[who]) for signature, (who, _) in asked.items()}


EVERYBODY = "all"


def asked_data(study: Study, question: Question) -> StudyData:
    """Return a study as arrays with the ratings that a question is about.

    Raises
    ------
    QuestionError
        If a filter names what the study does not have.
    """
    return narrowed(matrices.load(study, withdrawn=question.withdrawn == "in"), question)


def narrowed(data: StudyData, question: Question) -> StudyData:
    """Return the study with only the ratings that a question is about.

    Ratings by language models stay only where they are asked for; else they are compared with the
    others as metrics are. Every z-score is of one annotator
    on one measure, and no filter here splits these, so that none changes a z-score.

    Raises
    ------
    QuestionError
        If a filter names what the study does not have.
    """
    judged = data.judgements
    keep = np.ones(len(judged.value), dtype=bool)
    if question.campaign:
        slugs = [campaign.slug for campaign in judged.campaigns]
        keep &= _chosen("campaign", question.campaign, slugs, judged.campaign)
    if question.protocol:
        protocols = [campaign.protocol for campaign in judged.campaigns]
        wanted = question.protocol.replace("-", "_")
        keep &= _chosen("protocol", wanted, protocols, judged.campaign)
    if question.shown:
        shown = [measure.shown for measure in judged.measures]
        keep &= _chosen("shown", question.shown, shown, judged.aspect)
    kinds = [annotator.kind for annotator in judged.annotators]
    if question.raters not in ("", EVERYBODY):
        keep &= _chosen("raters", question.raters, kinds, judged.annotator)
    elif not question.raters and MODEL in kinds:
        keep &= _of(judged.annotator, [kind != MODEL for kind in kinds])
    for pair in question.about:
        keep &= _answered(judged, pair)
    if MODEL in kinds:
        models = _of(judged.annotator, [kind == MODEL for kind in kinds])
        data = replace(data, by_models=judged.only(models))
        if question.raters not in (MODEL, EVERYBODY):
            data = with_model_raters(data)
    return data if keep.all() else replace(data, judgements=judged.only(keep))


def _chosen(name: str, wanted: str, known: Sequence[str], index: Integers) -> NDArray[np.bool_]:
    if wanted not in known:
        there = ", ".join(filter(None, dict.fromkeys(known))) or "none"
        raise QuestionError(f"{name}={wanted}: this study has {there}")
    return _of(index, [value == wanted for value in known])


def _answered(judged: Judgements, pair: str) -> NDArray[np.bool_]:
    name, _, answer = pair.partition(":")
    answers = [str(annotator.about.get(name, "")) for annotator in judged.annotators]
    if not any(name in annotator.about for annotator in judged.annotators):
        asked = dict.fromkeys(name for annotator in judged.annotators for name in annotator.about)
        raise QuestionError(f"about={pair}: raters were asked {', '.join(asked) or 'nothing'}")
    return _chosen("about", answer, answers, judged.annotator)


def _of(index: Integers, kept: Sequence[bool]) -> NDArray[np.bool_]:
    """Spread what holds of each member over the ratings that name it."""
    found: NDArray[np.bool_] = np.array(kept, dtype=bool)[index]
    return found


def chosen_segments(judged: Judgements) -> list[ChosenSegments]:
    """Return how the segments of some ratings were chosen; none where any were not chosen."""
    found = [ChosenSegments.of(campaign.config) for campaign in judged.campaigns_met]
    chosen = list(filter(None, found))
    return chosen if len(chosen) == len(found) else []


def weighted_choice(judged: Judgements) -> ChosenSegments | None:
    """Return the one choice by which some ratings can be weighted; None where there is none."""
    chosen = chosen_segments(judged)
    alike = chosen and all(each.inclusion == chosen[0].inclusion for each in chosen)
    return chosen[0] if alike and chosen[0].is_weighted else None


MOST_CELLS = 30_000_000
"""Segments × systems that are laid out as a matrix, which then takes 240 MB."""


def check_size(data: StudyData) -> None:
    """Refuse to lay out scores as segments × systems where nearly all cells would be empty.

    Raises
    ------
    QuestionError
    """
    segments, systems = data.shape
    if segments * systems > MOST_CELLS:
        raise QuestionError(
            "scores of systems are compared here on the same segments, and "
            f"{segments:,} segments × {systems:,} systems are more than the {MOST_CELLS:,} cells "
            "that this takes. Agreement, Mean ratings and, for votes, Raters and Systems take "
            "a study of this size; for the others import a part of it"
        )
