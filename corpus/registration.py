"""What this room registers at start; how files are read is imported only by what reads them."""

from corpus.jobs.registry import register_job
from corpus.later_functions import Later
from corpus.tables.lexicons import LexiconsTable
from corpus.tables.masked_texts import MaskedTextsTable
from corpus.tables.outputs import OutputsTable
from corpus.tables.register import register_table
from corpus.tables.segments import SegmentsTable
from corpus.tables.systems import SystemsTable

register_table(SegmentsTable())
register_table(SystemsTable())
register_table(OutputsTable())
register_table(LexiconsTable())
register_table(MaskedTextsTable())
register_job("import", Later("corpus.imports.run", "run_import"), first=True)
register_job("export", Later("corpus.exports.run", "run_export"))
