"""What this room registers at start; scorers are imported only by what asks for them."""

from typing import TYPE_CHECKING, Any

from corpus.jobs.registry import register_job
from corpus.tables import register_table
from metrics.score_tables import DistributionsTable, ScoresTable

if TYPE_CHECKING:
    from corpus.jobs.progress import Progress
    from corpus.models import Job


def _run_score(job: "Job", progress: "Progress") -> dict[str, Any]:
    from metrics.score_job import run_score

    return run_score(job, progress)


register_table(ScoresTable())
register_table(DistributionsTable())
register_job("score", _run_score)
