"""What a judge is asked in a study: beforehand what it costs, afterwards what it answered."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg

from corpus.models import Output, Study
from corpus.tabular.spreadsheets import spreadsheet_csv
from metrics.models import BLOCK_SIZE, JudgeAnswer, MetricRun
from metrics.resources.loaders import StoredAnswers
from metrics.runs.block_texts import BlockTexts
from metrics.runs.requests import PlannedRun, Planner, RequestError, RunRequest
from metrics.scorers.asking import AskingScorer, Question, Spending
from metrics.scorers.registry import UnknownMetric, scorers
from metrics.scorers.scorer import Answer, Tokens, Unavailable, Voice, tokens_of

COLUMNS = (
    *("segment", "system", "variant", "number", "asked_as", "prompt", "answer", "reason"),
    *("tokens_in", "tokens_out", "seconds"),
)
NOT_ASKED = "not asked yet"


@dataclass(frozen=True)
class JudgeCost:
    """What is still to be asked, by estimate; `seconds` is None as long as nobody has answered."""

    questions: int
    answered: int
    tokens: Tokens
    price: float
    seconds: float | None
    budget: float

    @property
    def left(self) -> int:
        """Questions without an answer."""
        return self.questions - self.answered

    @property
    def minutes(self) -> str:
        """How long it takes, in words."""
        return short_duration(self.seconds or 0.0)

    @property
    def is_over_budget(self) -> bool:
        """Whether the budget may not suffice."""
        return bool(self.budget) and self.price > self.budget


def short_duration(seconds: float) -> str:
    """Say in seconds, minutes or hours how long something takes."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def cost_of_questions(
    study: Study, asked: Iterable[tuple[Voice, str]], spending: Spending
) -> JudgeCost:
    """Return what questions will cost; each different one is asked once.

    Questions are counted as a fourth of their signs, answers as long as they may be.
    """
    by_voice: dict[str, tuple[Voice, dict[str, None]]] = {}
    for voice, prompt in asked:
        by_voice.setdefault(voice.asked_as, (voice, {}))[1][prompt] = None
    book = StoredAnswers(study)
    questions = answered = read = written = 0
    seconds: float | None = 0.0
    for name, (voice, prompts) in by_voice.items():
        known = book.known(name, list(prompts))
        left = [prompt for prompt in prompts if prompt not in known]
        questions, answered = questions + len(prompts), answered + len(known)
        read += sum(map(tokens_of, left))
        written += voice.most_tokens * len(left)
        pace = _seconds_an_answer(study, name)
        if left:
            took = None if pace is None else pace * len(left) / voice.at_a_time
            seconds = None if None in (seconds, took) else (seconds or 0.0) + (took or 0.0)
    tokens = Tokens(read, written)
    return JudgeCost(
        questions, answered, tokens, spending.cost(tokens), seconds, float(spending.budget)
    )


def _seconds_an_answer(study: Study, asked_as: str) -> float | None:
    """Return how long an answer took on average, in this study or else anywhere on this site."""
    answers = JudgeAnswer.objects.filter(asked_as=asked_as, reason="")
    for rows in (answers.filter(study=study), answers):
        found = rows.aggregate(mean=Avg("seconds"))["mean"]
        if found is not None:
            return float(found)
    return None


def costs_of(
    study: Study, requests: Sequence[RunRequest], *, strict: bool = False
) -> dict[str, JudgeCost]:
    """Return what each judge among some requests will cost, by its key; none for others.

    Parameters
    ----------
    study, requests
    strict
        Whether a judge that cannot be asked is an error.

    Raises
    ------
    RequestError, Unavailable
        If that is so, and one cannot be asked.
    """
    planner, found = Planner(study), dict[str, JudgeCost]()
    for request in requests:
        if not asks_a_model(request.metric):
            continue
        try:
            planned = planner.plan(request)
        except (RequestError, UnknownMetric, Unavailable):
            if strict:
                raise
            continue  # Asking for the run says what is wrong with it.
        scorer = planned.scorer
        if isinstance(scorer, AskingScorer):
            asked = ((each.voice, each.prompt) for _, each in _questions(study, planned))
            found[request.metric] = cost_of_questions(study, asked, scorer.spending)
    return found


def asks_a_model(metric: str) -> bool:
    """Whether a metric's numbers are answers of a language model."""
    return metric in scorers() and issubclass(scorers()[metric], AskingScorer)


def raw_answers(run: MetricRun) -> Iterator[Sequence[Any]]:
    """Yield a row for each question of a run, as `COLUMNS` names them, with what was answered."""
    planned = Planner(run.study).plan(RunRequest(**run.request))
    book = StoredAnswers(run.study)
    fields = planned.scorer.fields
    for outputs, questions in _blocks(run.study, planned):
        answers: dict[tuple[str, str], Answer] = {}
        for name in {each.voice.asked_as for _, each in questions}:
            prompts = [each.prompt for _, each in questions if each.voice.asked_as == name]
            answers |= {(name, row.prompt): row for row in book.rows(name, prompts)}
        named = _named(outputs)
        for output, question in questions:
            name = question.voice.asked_as
            answer = answers.get((name, question.prompt))
            came: tuple[Any, ...] = ("", NOT_ASKED, "", "", "")
            if answer:
                spent = answer.tokens_in, answer.tokens_out, round(answer.seconds, 3)
                came = (answer.text, answer.reason, *spent)
            yield (*named[output], fields[question.field], name, question.prompt, *came)


def raw_answers_csv(run: MetricRun) -> Iterator[str]:
    """Yield the lines of a table of what was asked and answered, safe in a spreadsheet."""
    yield spreadsheet_csv([COLUMNS])
    for row in raw_answers(run):
        yield spreadsheet_csv([row])


def _questions(study: Study, planned: PlannedRun) -> Iterator[tuple[int, Question]]:
    for _, questions in _blocks(study, planned):
        yield from questions


def _blocks(
    study: Study, planned: PlannedRun
) -> Iterator[tuple[list[int], list[tuple[int, Question]]]]:
    """Yield the outputs of each block, and questions with the output that they are about."""
    scorer = planned.scorer
    if not isinstance(scorer, AskingScorer):
        return
    total = Output.objects.filter(study=study).count()
    for start in range(0, total, BLOCK_SIZE):
        block = BlockTexts(study, start, min(total, start + BLOCK_SIZE))
        places = range(len(block.outputs))
        texts, scored, _ = block.texts(planned.request.against, planned.setting, places)
        questions, _ = scorer.questions(texts)
        yield (block.outputs, [(block.outputs[scored[each.row]], each) for each in questions])


def _named(outputs: Sequence[int]) -> dict[int, tuple[str, str, int]]:
    rows = Output.objects.filter(pk__in=outputs).values_list(
        "pk", "segment__key", "system__name", "variant"
    )
    return {pk: (segment, system, variant) for pk, segment, system, variant in rows}
