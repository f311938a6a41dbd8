"""A learned metric as a metric run: weights of a report become parameters of a request."""

from django.contrib.auth.models import User

from analysis.filter.question import Question
from analysis.reports.learned_metric.report import KEY, LearnedReport
from analysis.reports.service import report
from corpus.models import Job, Study
from metrics.models import MetricRun
from metrics.runs.asking import Asked, ask_for_runs, prepare_runs
from metrics.runs.requests import RunRequest
from metrics.scorers.learned import FULL_FIT, OUT_OF_FOLD


class LearnedMetricError(ValueError):
    """A learned metric that cannot be stored; the message says why and what to do."""


def learned_request(study: Study, question: Question, into: Study) -> RunRequest:
    """Return the run that a report's weights mean in a study.

    In the study of the ratings each output is scored by weights that know neither its segment nor
    its system. Other studies are scored by the fit to all ratings, whose parts are found there by
    name.

    Raises
    ------
    LearnedMetricError
        If nothing could be learned.
    QuestionError
        As `report`.
    """
    stored = report(study, KEY, question)
    content = LearnedReport.from_dict(stored["content"])
    ratings = str(stored["ratings_sha256"])[:12]
    if content.reason:
        raise LearnedMetricError(f"nothing can be learned, because {content.reason}")
    at_home = study.pk == into.pk
    use = OUT_OF_FOLD if at_home else FULL_FIT
    parts = [row.key if at_home else row.name for row in content.rows]
    return RunRequest(
        KEY,
        {
            "parts": ",".join(parts),
            "use": use,
            "fitted_to": f"{content.aspect} of {study.slug}, ratings {ratings}",
            "weights": content.weights[use],
        },
    )


def ask_for_learned(
    study: Study, question: Question, into: Study, user: User | None
) -> tuple[MetricRun, list[Job]]:
    """Store a learned metric: its run, found or put to a job.

    Raises
    ------
    LearnedMetricError
        If nothing could be learned, or a part is not in the study.
    """
    asked, jobs = ask_for_runs(into, [learned_request(study, question, into)], user)
    return _of(asked), jobs


def prepare_learned(study: Study, question: Question, into: Study) -> tuple[MetricRun, Asked]:
    """Return the run of a learned metric, made if it is not there, and what is to be scored.

    Raises
    ------
    LearnedMetricError
        As `ask_for_learned`.
    """
    asked = prepare_runs(into, [learned_request(study, question, into)])
    return _of(asked), asked


def _of(asked: Asked) -> MetricRun:
    for reason in asked.refused.values():
        raise LearnedMetricError(reason)
    runs = [run for run in (*asked.found, *asked.started) if run.request.get("metric") == KEY]
    return runs[0]
