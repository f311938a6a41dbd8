"""What this room registers at start."""

from analysis.published_table import PublishedValuesTable
from corpus.tables import register_table

register_table(PublishedValuesTable())
