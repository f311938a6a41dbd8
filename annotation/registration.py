"""What this room registers at start."""

from annotation.ratings_table import RatingsTable
from annotation.set_starting import KIND as SET_KIND
from annotation.set_starting import run_start_of_set
from annotation.starting import KIND, run_start
from corpus.jobs.registry import register_job
from corpus.tables import register_table

register_table(RatingsTable())
register_job(KIND, run_start, first=True)
register_job(SET_KIND, run_start_of_set, first=True)
