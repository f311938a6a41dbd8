"""What this room registers at start; how files are read is imported only by what reads them."""

from corpus.handlers.lexicons import LexiconsTable
from corpus.handlers.masked_texts import MaskedTextsTable
from corpus.handlers.outputs import OutputsTable
from corpus.handlers.segments import SegmentsTable
from corpus.handlers.systems import SystemsTable
from corpus.jobs.registry import register_job
from corpus.later_functions import Later
from corpus.tables import register_table

register_table(SegmentsTable())
register_table(SystemsTable())
register_table(OutputsTable())
register_table(LexiconsTable())
register_table(MaskedTextsTable())
register_job("import", Later("corpus.imports.run", "run_import"), first=True)
register_job("export", Later("corpus.exports.run", "run_export"))
