"""Ratings by language models as metrics, and with how many prompts each was asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.measures import Measure
from analysis.data.study_data import RunView, StudyData
from analysis.stats.systems.human_scores import mean_per_output

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
