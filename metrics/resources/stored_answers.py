"""The answers that language models gave in a study, kept in the database."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from django.db.models import QuerySet, Sum
from django.utils import timezone

from corpus.models import Study
from metrics.models import JudgeAnswer
from metrics.scorers.answers import Answer, Tokens

MOST_ASKED = 500
"""Prompts that one query looks up."""
LONGEST_WAY, LONGEST_REASON = 500, 500


class StoredAnswers:
    """Answers of a study; see `metrics.scorers.answers.AnswerBook`.

    Parameters
    ----------
    study
    """

    def __init__(self, study: Study) -> None:
        self.study = study

    def known(self, asked_as: str, prompts: Sequence[str]) -> Mapping[str, Answer]:
        """Return the answers that came to some prompts."""
        return {row.prompt: row for row in self.rows(asked_as, prompts) if not row.reason}

    def rows(self, asked_as: str, prompts: Sequence[str]) -> Iterator[Answer]:
        """Yield all that is kept of some prompts, reasons too."""
        by_hash = {_hash(prompt): prompt for prompt in prompts}
        hashes = list(by_hash)
        for start in range(0, len(hashes), MOST_ASKED):
            kept = self._asked(asked_as).filter(
                prompt_sha256__in=hashes[start : start + MOST_ASKED]
            )
            for row in kept.defer("prompt").order_by("pk"):
                yield Answer(
                    by_hash[row.prompt_sha256],
                    row.answer,
                    row.reason,
                    row.tokens_in,
                    row.tokens_out,
                    row.seconds,
                )

    def keep(self, asked_as: str, answers: Iterable[Answer]) -> None:
        """Keep answers; a reason why none came is replaced by what comes later."""
        rows = [
            JudgeAnswer(
                study=self.study,
                asked_as=_way(asked_as),
                prompt_sha256=_hash(each.prompt),
                prompt=_storable(each.prompt),
                answer=_storable(each.text),
                reason=_storable(each.reason)[:LONGEST_REASON],
                tokens_in=each.tokens_in,
                tokens_out=each.tokens_out,
                seconds=each.seconds,
                created_at=timezone.now(),
            )
            for each in answers
        ]
        JudgeAnswer.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["study", "asked_as", "prompt_sha256"],
            update_fields=[
                *("answer", "reason", "tokens_in", "tokens_out", "seconds", "created_at")
            ],
        )

    def used(self, asked_as: str) -> Tokens:
        """Return the tokens of all that is kept."""
        total = self._asked(asked_as).aggregate(read=Sum("tokens_in"), written=Sum("tokens_out"))
        return Tokens(total["read"] or 0, total["written"] or 0)

    def _asked(self, asked_as: str) -> QuerySet[JudgeAnswer]:
        return JudgeAnswer.objects.filter(study=self.study, asked_as=_way(asked_as))


def _hash(prompt: str) -> str:
    return sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def _way(asked_as: str) -> str:
    """Return how a model was asked, shortened where it is too long to be stored."""
    if len(asked_as) <= LONGEST_WAY:
        return asked_as
    tail = f"…{_hash(asked_as)}"
    return asked_as[: LONGEST_WAY - len(tail)] + tail


def _storable(text: str) -> str:
    """Return a text without what no database takes."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
