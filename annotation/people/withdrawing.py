"""Work that does not count: marked, never deleted, and possible to end."""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.campaigns.service import CampaignError, record
from annotation.models import Annotator, Withdrawal
from corpus.models import Study


def withdraw(annotator: Annotator, reason: str, actor: User | None) -> Withdrawal:
    """Leave an annotator's work out of every number, until that is ended.

    Raises
    ------
    CampaignError
        If it is left out already.
    """
    with transaction.atomic():
        _locked(annotator)
        if _holding(annotator) is not None:
            raise CampaignError(f"the work of {annotator} is already withdrawn")
        withdrawal = Withdrawal.objects.create(annotator=annotator, reason=reason)
        record(
            annotator.campaign, actor, "withdraw work", annotator.pseudonym,
            after={"reason": reason},
        )  # fmt: skip
        _changed(annotator)
    return withdrawal


def end_withdrawal(annotator: Annotator, *, whole: bool, actor: User) -> None:
    """Let an annotator's work count again.

    Parameters
    ----------
    annotator
    whole
        Everything counts again; otherwise only what comes from now on.
    actor

    Raises
    ------
    CampaignError
        If nothing is withdrawn.
    """
    with transaction.atomic():
        _locked(annotator)
        withdrawal = _holding(annotator)
        if withdrawal is None:
            raise CampaignError(f"no work of {annotator} is withdrawn")
        # A withdrawal that ended before the campaign began holds for no answer, yet it is on
        # record that there was one.
        withdrawal.until = annotator.campaign.created_at if whole else timezone.now()
        withdrawal.save(update_fields=["until"])
        record(
            annotator.campaign, actor, "end withdrawal", annotator.pseudonym,
            after={"counts again": "everything" if whole else "what comes from now on"},
        )  # fmt: skip
        _changed(annotator)


def _locked(annotator: Annotator) -> None:
    Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def _holding(annotator: Annotator) -> Withdrawal | None:
    return annotator.withdrawals.filter(until__isnull=True).first()


def _changed(annotator: Annotator) -> None:
    """Reports of before must not be found again as those of now."""
    Study.objects.filter(pk=annotator.campaign.study_id).update(revision=F("revision") + 1)
