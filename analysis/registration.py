"""What this room registers at start; statistics are imported only by what computes."""

from analysis.open_addresses import end_shared_addresses, shared_addresses
from analysis.preregistration.table import PreregistrationsTable
from analysis.published.values import PublishedValuesTable
from corpus.access.members import register_addresses
from corpus.jobs.registry import register_job
from corpus.later_functions import Later
from corpus.storage.pruning import register_leftovers, register_unfinished
from corpus.studies.deletion import register_removal
from corpus.tables.register import register_table

register_leftovers(Later("analysis.stored_results", "old_results"))
register_unfinished("columns/*/unfinished-*")
register_table(PreregistrationsTable())
register_table(PublishedValuesTable())
register_job(
    "collection",
    Later("analysis.collections.service", "run_collection"),
    bounded=True,
    seen=Later("analysis.collections.changing", "jobs_seen_by"),
)
register_job(
    "compare-outputs", Later("analysis.choosing.candidates", "run_compare_outputs"), bounded=True
)
register_job("freeze", Later("analysis.frozen.service", "run_freeze"))
register_job("judge-pairs", Later("analysis.judging.pairs_job", "run_judge_pairs"), heavy=True)
register_job("publish", Later("analysis.publishing.service", "run_publish"))
register_job("read-study", Later("analysis.reading_job", "run_read_study"), bounded=True)
register_job("report", Later("analysis.reports.report_job", "run_report"), bounded=True)
register_job("report part", Later("analysis.reports.report_job", "run_report_part"))
register_job("stopping rule", Later("analysis.stopping.look", "run_look"))
register_job("sweep", Later("analysis.sweeps.service", "run_sweep"), heavy=True)
register_job(
    "text-map", Later("analysis.text_map.service", "run_text_map"), bounded=True, heavy=True
)
register_removal(Later("analysis.deletion", "delete_of_study"))
register_addresses(shared_addresses, end_shared_addresses)
