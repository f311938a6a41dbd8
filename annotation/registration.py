"""What this room registers at start."""

from annotation.ratings_table import RatingsTable
from corpus.tables import register_table

register_table(RatingsTable())
