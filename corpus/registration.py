"""What this room registers at start."""

from corpus.exports.run import run_export
from corpus.handlers.lexicons import LexiconsTable
from corpus.handlers.masked_texts import MaskedTextsTable
from corpus.handlers.outputs import OutputsTable
from corpus.handlers.segments import SegmentsTable
from corpus.handlers.systems import SystemsTable
from corpus.imports.run import run_import
from corpus.jobs.registry import register_job
from corpus.tables import register_table

register_table(SegmentsTable())
register_table(SystemsTable())
register_table(OutputsTable())
register_table(LexiconsTable())
register_table(MaskedTextsTable())
register_job("import", run_import, first=True)
register_job("export", run_export)
