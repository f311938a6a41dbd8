"""What this room registers at start."""

from corpus.tables import register_table
from metrics.score_tables import DistributionsTable, ScoresTable

register_table(ScoresTable())
register_table(DistributionsTable())
