"""What this site computes of a question, and what it refuses before any work is done."""

from django.conf import settings

from analysis.filter.fields_of_kinds import check_fields
from analysis.filter.question import Question, QuestionError


def check_asked(kind: str, question: Question) -> None:
    """Refuse what a kind of report would not use, and more draws than this site computes.

    Raises
    ------
    analysis.filter.question.QuestionError
    """
    check_fields(kind, question)
    most = settings.RESAMPLES_LIMIT
    if question.resamples > most:
        raise QuestionError(
            f"resamples={question.resamples}: this site computes at most {most} draws; ask for "
            "fewer, or ask its administrator to raise RESAMPLES_LIMIT"
        )
