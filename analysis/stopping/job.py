"""The job that looks at a stopping rule and hands the queue what it means."""

from typing import Any

from analysis.stopping.look import look_at
from annotation.models import Campaign
from annotation.queue.rounds import decide
from corpus.jobs.progress import Progress
from corpus.jobs.worker import JobError
from corpus.models import Job


def run_look(job: Job, progress: Progress) -> dict[str, Any]:
    """Look at a campaign's rule, and keep what the next round needs."""
    campaign = Campaign.objects.filter(study=job.study, slug=job.parameters["campaign"]).first()
    if campaign is None:
        raise JobError("this campaign no longer exists")
    progress.report("looking at the stopping rule")
    found = look_at(campaign)
    if found is None:
        raise JobError("this campaign has no stopping rule")
    decide(campaign, found.decision())
    return {"met": found.verdict.met, "segments": found.segments}
