"""Studies, texts and the jobs that move them."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """Registers what this room adds to imports, exports and jobs."""

    name = "corpus"

    def ready(self) -> None:
        """Register tables, jobs and numbers in addresses; what reads files is imported later."""
        from corpus.jobs.registry import register_job
        from corpus.later_functions import Later
        from corpus.pages import later_views  # noqa: F401  (numbers in addresses)
        from corpus.tables.lexicons import LexiconsTable
        from corpus.tables.masked_texts import MaskedTextsTable
        from corpus.tables.outputs import OutputsTable
        from corpus.tables.register import register_table
        from corpus.tables.segments import SegmentsTable
        from corpus.tables.systems import SystemsTable

        for table in (SegmentsTable, SystemsTable, OutputsTable, LexiconsTable, MaskedTextsTable):
            register_table(table())
        register_job("import", Later("corpus.imports.run", "run_import"), first=True)
        register_job("export", Later("corpus.exports.run", "run_export"))
