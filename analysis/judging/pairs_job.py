"""The job that has pairs of outputs judged in both orders, and stores what was judged."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from analysis.data.narrowing import ORDERS
from analysis.judging.asked import Judging, PairOfOutputs, pairs_of, question_of, voice_of
from analysis.judging.questions import JudgingError, PutQuestion
from annotation.imports.judged_pairs import JudgedPair, store_judged_pairs
from corpus.jobs.progress import Progress, holding
from corpus.jobs.worker import JobError
from corpus.models import Job, Study
from metrics.resources.loaders import StoredAnswers
from metrics.scorers.asking import ask_all
from metrics.scorers.chat_completions import NoReply
from metrics.scorers.judge import preferred
from metrics.scorers.scorer import Answer, Unavailable, Voice

AT_A_TIME = 4
"""Pairs between two looks at whether the job was cancelled."""


def run_judge_pairs(job: Job, progress: Progress) -> dict[str, Any]:
    """Ask about each pair in both orders; the same job may run again after its worker was killed.

    Raises
    ------
    JobError
        If it cannot be asked, or not to the end: what was judged until then is stored.
    """
    study = job.study
    if study is None:
        raise JobError("the study of these pairs no longer exists")
    judging = Judging(**job.parameters["judging"])
    try:
        question = question_of(study, judging)
        voice = voice_of(question, judging)
        pairs = pairs_of(study, judging)
    except (JudgingError, Unavailable) as error:
        raise JobError(str(error)) from None
    judged: dict[str, list[JudgedPair]] = {}
    stopped = ""
    try:
        for start in range(0, len(pairs), AT_A_TIME):
            progress.report("asking about pairs", done=start, total=len(pairs))
            some = pairs[start : start + AT_A_TIME]
            for rater, rows in _judged(study, judging, question, voice, some).items():
                judged.setdefault(rater, []).extend(rows)
    except Unavailable as error:
        stopped = str(error)
    slug = slug_of(judging, question)
    with holding(job):
        added = store_judged_pairs(
            study,
            slug,
            {"tie": question.ties, "judge": facts_of(judging, question, voice)},
            judged,
            title=f"Pairs judged by {judging.model}",
            aspect=question.aspect,
            user=job.created_by,
        )
    done = len(next(iter(judged.values()), []))
    if stopped:
        raise JobError(f"{done} of {len(pairs)} pairs are judged and stored: {stopped}")
    missing = sum(not row.choice for rows in judged.values() for row in rows)
    return {
        "notes": [
            f"{done} pairs judged in both orders, {missing} answers missing, {added} new; they are "
            f"in the campaign {slug}."
        ]
    }


def _judged(
    study: Study,
    judging: Judging,
    question: PutQuestion,
    voice: Voice,
    pairs: Sequence[PairOfOutputs],
) -> dict[str, list[JudgedPair]]:
    asked = {
        (each.first, each.second, turned): each.pair.prompt(
            question.prompt, second_is_a=each.pair.second_is_a != turned
        )
        for each in pairs
        for turned in ORDERS
    }
    answers = ask_all(voice, asked.values(), StoredAnswers(study), judging.spending)
    judged: dict[str, list[JudgedPair]] = {}
    for each in pairs:
        for turned, order in ORDERS.items():
            second_is_a = each.pair.second_is_a != turned
            answer = answers[asked[each.first, each.second, turned]]
            row = _judgement(each, answer, second_is_a, judging, question)
            judged.setdefault(f"{judging.model}, {order}", []).append(row)
    return judged


def _judgement(
    pair: PairOfOutputs,
    answer: Answer,
    second_is_a: bool,
    judging: Judging,
    question: PutQuestion,
) -> JudgedPair:
    choice, reason = "", ""
    try:
        side = preferred(answer, weighed=not judging.base_url, ties=question.ties)
    except NoReply as error:
        reason = str(error)
    else:
        choice = "tie" if side == "tie" else "second" if (side == "A") == second_is_a else "first"
    return JudgedPair(pair.first, pair.second, second_is_a, choice, reason, answer.seconds)


def slug_of(judging: Judging, question: PutQuestion) -> str:
    """Return the campaign of what a model judges under one prompt: another prompt is another."""
    model = re.sub(r"[^a-z0-9]+", "-", judging.model.lower()).strip("-")[:40]
    asked = sha256(f"{judging.base_url}\x00{judging.model}\x00{question.prompt}".encode())
    aspect = re.sub(r"[^a-z0-9]+", "-", question.aspect.lower()).strip("-")[:30]
    return f"pairs-{model}-{aspect}-{asked.hexdigest()[:8]}"


def facts_of(judging: Judging, question: PutQuestion, voice: Voice) -> dict[str, Any]:
    """Return what decided the judgements, as the campaign keeps it."""
    return {
        "model": judging.model,
        "base_url": judging.base_url,
        "asked_as": voice.asked_as,
        "prompt": question.prompt,
        "asked_of": question.campaign,
    }
