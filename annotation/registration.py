"""What this room registers at start."""

from annotation.campaigns.deletion import delete_campaigns_due, delete_of_study
from annotation.campaigns.service import end_join_addresses, join_addresses
from annotation.imports.table import RatingsTable
from annotation.launch.starting import KIND, run_start
from corpus.access.members import register_addresses
from corpus.jobs.registry import register_job
from corpus.studies.deletion import register_removal
from corpus.tables.register import register_table

register_table(RatingsTable())
register_job(KIND, run_start, first=True)
register_removal(delete_of_study, delete_campaigns_due)
register_addresses(join_addresses, end_join_addresses)
