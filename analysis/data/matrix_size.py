"""Which studies can be laid out as segments × systems: not votes on hundreds of systems."""

from analysis.data.study_data import StudyData
from analysis.filter.question import QuestionError

MOST_CELLS = 30_000_000
"""Segments × systems that are laid out as a matrix, which then takes 240 MB."""


def check_size(data: StudyData) -> None:
    """Refuse to lay out scores as segments × systems where nearly all cells would be empty.

    Raises
    ------
    QuestionError
    """
    segments, systems = data.shape
    if segments * systems > MOST_CELLS:
        raise QuestionError(
            "scores of systems are compared here on the same segments, and "
            f"{segments:,} segments × {systems:,} systems are more than the {MOST_CELLS:,} cells "
            "that this takes. Ranking, Agreement and, for votes, Raters and System comparison take "
            "a study of this size; for the others import a part of it"
        )
