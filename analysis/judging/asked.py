"""What a judge is asked for: one output at a time by a metric run, or pairs by a job."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import combinations
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User

from analysis.judging.questions import JudgingError, PutQuestion, put_question
from annotation.models import Campaign, Item
from corpus.jobs.queue import ask_for_job
from corpus.models import Job, Output, Study, System
from metrics.resources.loaders import WEIGHTS
from metrics.runs.asking import ask_for_runs
from metrics.runs.judge_questions import JudgeCost, cost_of_questions, costs_of
from metrics.runs.requests import RunRequest
from metrics.scorers.asking import Spending
from metrics.scorers.judge import LETTERS, NEITHER, PROMPT, Pair, pair_voice
from metrics.scorers.scorer import Unavailable, Voice

KIND = "judge-pairs"
MOST_SYSTEMS = 20
ANY_PAIRS = "Which text is better on the whole?"


@dataclass(frozen=True, slots=True)
class Judging:
    """Who is asked what.

    Attributes
    ----------
    campaign
        Whose question it is; empty to ask about all pairs of systems which output is better.
    aspect
        Of the campaign; its first where empty.
    model, base_url
        Who is asked: a model at an address, or without one a model of this machine.
    answer
        Of a model of this machine: weighted or greedy.
    guidelines
        Whether the campaign's guidelines stand before the question.
    segments
        Where there is no campaign, how many segments are compared; 0 for all.
    price_in, price_out, budget
        As a judge takes them; see `metrics.scorers.scorer.Spending`.
    """

    campaign: str = ""
    aspect: str = ""
    model: str = "smollm2"
    base_url: str = ""
    answer: str = "weighted"
    guidelines: bool = True
    segments: int = 0
    price_in: float = 0.0
    price_out: float = 0.0
    budget: float = 0.0

    @property
    def spending(self) -> Spending:
        """What the answers cost, and may cost."""
        return Spending(self.price_in, self.price_out, self.budget)


class PairOfOutputs(NamedTuple):
    """Two outputs by their keys, and their texts."""

    first: int
    second: int
    pair: Pair


def question_of(study: Study, judging: Judging) -> PutQuestion:
    """Return the question that is put.

    Raises
    ------
    JudgingError
    """
    if not judging.campaign:
        prompt = f"{PROMPT.replace('{question}', ANY_PAIRS)}\n\n{LETTERS}{NEITHER}."
        return PutQuestion("", judging.aspect or "overall", prompt, ties=True)
    campaign = Campaign.objects.filter(study=study, slug=judging.campaign).first()
    if campaign is None:
        known = ", ".join(study.campaigns.values_list("slug", flat=True)) or "none"
        raise JudgingError(f"no campaign {judging.campaign!r}; there are: {known}")
    return put_question(campaign, judging.aspect, guidelines=judging.guidelines)


def run_request(question: PutQuestion, judging: Judging) -> RunRequest:
    """Return the metric run that asks about each output by itself."""
    common = {
        "model": judging.model,
        "prompt": question.prompt,
        "lowest": question.lowest,
        "highest": question.highest,
    }
    if not judging.base_url:
        return RunRequest(f"local-judge-{question.metric}", {**common, "answer": judging.answer})
    prices = {name: getattr(judging, name) for name in ("price_in", "price_out", "budget")}
    return RunRequest(
        f"judge-{question.metric}", {**common, **prices, "base_url": judging.base_url}
    )


def voice_of(question: PutQuestion, judging: Judging) -> Voice:
    """Return who is asked about pairs; `Unavailable` if it may not be."""
    return pair_voice(
        judging.model, judging.base_url, settings.DATA_DIR / WEIGHTS, ties=question.ties
    )


def pairs_of(study: Study, judging: Judging) -> list[PairOfOutputs]:
    """Return the pairs of a campaign, or those of all systems on some segments.

    Raises
    ------
    JudgingError
        If there are none.
    """
    found = list(_keys(study, judging))
    outputs = Output.objects.filter(study=study, pk__in={key for pair in found for key in pair})
    texts = {
        pk: (text, segment, source, target)
        for pk, text, segment, source, target in outputs.values_list(
            "pk", "text", "segment_id", "segment__source_style", "segment__target_style"
        )
    }
    sources = dict(
        Output.objects.filter(
            study=study,
            system__kind=System.Kind.SOURCE,
            variant=1,
            segment__in={row[1] for row in texts.values()},
        ).values_list("segment_id", "text")
    )
    pairs = []
    for first, second in found:
        text, segment, source_style, target_style = texts[first]
        pair = Pair(text, texts[second][0], sources.get(segment, ""), source_style, target_style)
        pairs.append(PairOfOutputs(first, second, pair))
    if not pairs:
        raise JudgingError(
            "there are no pairs to judge: start the campaign, or import outputs of two systems"
        )
    return pairs


def _keys(study: Study, judging: Judging) -> Iterator[tuple[int, int]]:
    if judging.campaign:
        items = Item.objects.filter(
            campaign__study=study,
            campaign__slug=judging.campaign,
            kind=Item.Kind.PLAIN,
            first__isnull=False,
            second__isnull=False,
        )
        yield from items.order_by("pk").values_list("first", "second").distinct()
        return
    systems = list(study.systems.filter(kind=System.Kind.SYSTEM).order_by("ordinal"))
    if len(systems) > MOST_SYSTEMS:
        raise JudgingError(
            f"{len(systems)} systems are {len(systems) * (len(systems) - 1) // 2} pairs for each "
            f"segment; without a campaign at most {MOST_SYSTEMS} systems are compared"
        )
    rows = (
        Output.objects.filter(study=study, system__in=systems, variant=1)
        .order_by("segment__ordinal", "system__ordinal")
        .values_list("segment_id", "pk")
    )
    by_segment: dict[int, list[int]] = {}
    for segment, key in rows:
        by_segment.setdefault(segment, []).append(key)
    chosen = list(by_segment.values())
    for keys in chosen[: judging.segments] if judging.segments else chosen:
        yield from combinations(keys, 2)


def judging_cost(study: Study, judging: Judging) -> JudgeCost:
    """Return what will be asked and what it costs, by estimate.

    Raises
    ------
    JudgingError
        If it cannot be asked.
    """
    question = question_of(study, judging)
    try:
        if question.of_pairs:
            voice = voice_of(question, judging)
            asked = (
                (voice, each.pair.prompt(question.prompt, second_is_a=order))
                for each in pairs_of(study, judging)
                for order in (False, True)
            )
            return cost_of_questions(study, asked, judging.spending)
        request = run_request(question, judging)
        found = costs_of(study, [request], strict=True)
    except (Unavailable, ValueError) as error:
        raise JudgingError(str(error)) from None
    return found[request.metric]


def ask_judge(study: Study, judging: Judging, user: User | None) -> list[Job]:
    """Put a question to a judge; return the jobs, none where all was answered before.

    Raises
    ------
    JudgingError
        If it cannot be asked.
    JobActive
        If the same pairs are being judged.
    """
    question = question_of(study, judging)
    if not question.of_pairs:
        asked, jobs = ask_for_runs(study, [run_request(question, judging)], user)
        if asked.refused:
            raise JudgingError("; ".join(asked.refused.values()))
        return jobs
    judging_cost(study, judging)
    key, parameters = pairs_job(study, judging)
    return [ask_for_job(KIND, key, study=study, user=user, parameters=parameters)]


def pairs_job(study: Study, judging: Judging) -> tuple[str, dict[str, Any]]:
    """Return key and parameters of the job that judges pairs."""
    parameters = asdict(judging)
    digest = sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:32]
    return f"{KIND}:{study.pk}:{digest}", {"judging": parameters}
