"""What this room registers at start; how files are read is imported only by what reads them."""

from typing import TYPE_CHECKING, Any

from corpus.handlers.lexicons import LexiconsTable
from corpus.handlers.masked_texts import MaskedTextsTable
from corpus.handlers.outputs import OutputsTable
from corpus.handlers.segments import SegmentsTable
from corpus.handlers.systems import SystemsTable
from corpus.jobs.registry import register_job
from corpus.tables import register_table

if TYPE_CHECKING:
    from corpus.jobs.progress import Progress
    from corpus.models import Job


def _run_import(job: "Job", progress: "Progress") -> dict[str, Any]:
    from corpus.imports.run import run_import

    return run_import(job, progress)


def _run_export(job: "Job", progress: "Progress") -> dict[str, Any]:
    from corpus.exports.run import run_export

    return run_export(job, progress)


register_table(SegmentsTable())
register_table(SystemsTable())
register_table(OutputsTable())
register_table(LexiconsTable())
register_table(MaskedTextsTable())
register_job("import", _run_import, first=True)
register_job("export", _run_export)
