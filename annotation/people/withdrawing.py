"""Work and data taken out: withdrawn, made anonymous, or deleted with ratings."""

import secrets
import uuid

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from annotation.campaigns.deletion import reports_changed
from annotation.campaigns.service import CampaignError, record
from annotation.models import (
    Annotator,
    Assignment,
    Campaign,
    Contact,
    Draft,
    Invitee,
    Item,
    PanelEntry,
    Participant,
    Rating,
    Submission,
    Withdrawal,
)
from annotation.people.adding import release
from annotation.people.replacing import succeed
from annotation.queue.shared_queue import free_filled
from corpus.storage.permitting import permitted
from corpus.storage.write_turn import in_write_turn


def withdraw(annotator: Annotator, reason: str, actor: User) -> Withdrawal:
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
        reports_changed(annotator.campaign.study_id)
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
        reports_changed(annotator.campaign.study_id)


def _locked(annotator: Annotator) -> None:
    Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def _holding(annotator: Annotator) -> Withdrawal | None:
    return annotator.withdrawals.filter(until__isnull=True).first()


@in_write_turn
def anonymise(person: Invitee, actor: User, *, comments: bool) -> str:
    """Cut everything from an annotator's ratings that leads to who they are.

    Parameters
    ----------
    person
        An annotator, or who rates in all tasks of a set.
    actor
    comments
        Whether what they wrote in comments and reasons goes too.

    Returns
    -------
    str
        The new, random pseudonym under which the ratings stay.
    """
    pseudonym = f"anonymous {secrets.token_hex(6)}"
    annotators = _held(person)
    for annotator in annotators:
        Draft.objects.filter(assignment__annotator=annotator).delete()
        annotator.withdrawals.update(reason="")
        if comments:
            _take_words_out(annotator)
    rows: list[Invitee] = [*annotators]
    if isinstance(person, Participant):
        rows.append(person)
    for row in rows:
        row.pseudonym, row.platform, row.completion_code = pseudonym, {}, ""
        row.token_sha256, row.link_expires_at, row.last_seen_at = "", None, None
        row.revoked_at, row.refused_at = timezone.now(), None
        if isinstance(row, Annotator):
            row.about, row.public_id = {}, uuid.uuid4()
            row.consented_at = row.guidelines_read_at = None
        row.save()
    for annotator in annotators:
        # Nobody can open their pages any more.
        release(annotator, actor)
    Contact.objects.filter(**{person.relation: person}).delete()
    PanelEntry.objects.filter(**{person.relation: person}).delete()
    reports_changed(person.place.study_id)
    # Names neither pseudonym: an entry stays when they are forgotten.
    record(person.place, actor, "anonymise annotator", after={"comments": comments})
    return pseudonym


@in_write_turn
def erase(person: Invitee, actor: User) -> int:
    """Delete an annotator with everything they answered; return how many answers went.

    Their places are free for somebody else; lists go to a newcomer, who has no link yet. Reports of
    before are computed again; frozen reports and files that were exported keep what they hold.
    """
    count = 0
    annotators = _held(person)
    for annotator in annotators:
        _free_places(annotator.campaign, annotator)
    succeed(annotators)
    with permitted("delete"):
        for annotator in annotators:
            Rating.objects.filter(submission__annotator=annotator).delete()
            count += Submission.objects.filter(annotator=annotator).delete()[0]
    study = person.place.study_id
    record(person.place, actor, "delete annotator", after={"answers": count})
    for annotator in annotators:
        annotator.delete()
    if isinstance(person, Participant):
        person.delete()
    reports_changed(study)
    return count


def _held(person: Invitee) -> list[Annotator]:
    """Return somebody's annotators; nothing of theirs is answered until the transaction ends."""
    annotators = person.tasks
    campaigns = [annotator.campaign_id for annotator in annotators]
    held = Campaign.objects.select_for_update(no_key=True).filter(pk__in=campaigns)
    list(held.order_by("pk").values_list("pk"))
    places = Assignment.objects.select_for_update(no_key=True).filter(annotator__in=annotators)
    list(places.order_by("pk").values_list("pk"))
    return annotators


def _take_words_out(annotator: Annotator) -> None:
    with permitted("update"):
        mine = Submission.objects.filter(annotator=annotator)
        mine.exclude(comment="").update(comment="")
        mine.exclude(reason="").update(reason="anonymised")


def _free_places(campaign: Campaign, annotator: Annotator) -> None:
    """Let others have the places that an annotator holds or has filled."""
    held = Assignment.objects.filter(annotator=annotator).exclude(state=Assignment.State.EXPIRED)
    held = held.exclude(item__kind=Item.Kind.PRACTICE)
    if campaign.design == Campaign.Design.QUEUE:
        # Controls in the queue are made for one annotator; nobody else waits for them.
        held = held.filter(item__kind=Item.Kind.PLAIN)
    surplus = Submission.objects.filter(annotator=annotator, surplus=True)
    held = held.exclude(item__in=surplus.values("item"))
    free_filled(campaign.pk, list(held.order_by("item").values_list("item", flat=True)))
