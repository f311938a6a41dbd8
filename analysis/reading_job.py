"""The job that reads a large study from the database, so that no page waits for it."""

from typing import Any

from django.contrib.auth.models import User

from analysis.data.states import short_hash, state_token
from corpus.jobs.progress import Progress
from corpus.jobs.queue import standing_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Study

KIND = "read-study"


def reading_job(study: Study, user: User | None, *, withdrawn: bool = False) -> Job:
    """Return the job that reads a study in its present state, a new one if there is none."""
    key = f"{KIND}:{study.pk}:{withdrawn}:{short_hash(state_token(study))}"
    return standing_job(KIND, key, study=study, user=user, parameters={"withdrawn": withdrawn})


def run_read_study(job: Job, progress: Progress) -> dict[str, Any]:
    """Read a study and lay its arrays down where all processes find them."""
    from analysis.data import matrices

    if job.study is None:
        raise JobError("this study no longer exists")
    progress.report("reading ratings and scores")
    data = matrices.load(job.study, withdrawn=bool(job.parameters["withdrawn"]))
    return {"ratings": len(data.judgements.value), "outputs": len(data.segment_of_output)}
