"""Deleting campaigns by rule: asked for, closed to raters for some days, then gone."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone

from annotation.campaigns.service import CampaignError, being_started, record
from annotation.models import Annotator, Assignment, Campaign, Item, Participant, Rating, Submission
from corpus.models import AuditEntry, Study
from corpus.storage.permitting import remove_rows
from corpus.storage.write_turn import write_turn
from corpus.studies.deletion import DeletionError

ASKED = "ask for deletion"


def ask_for_deletion(campaign: Campaign, typed: str, actor: User) -> None:
    """Shut raters out of a campaign; once the days of grace are over, it is deleted.

    Raises
    ------
    DeletionError
        If its short name was not typed, or it is being started.
    """
    if typed.strip() != campaign.slug:
        raise DeletionError(f"type the short name of the campaign, {campaign.slug}, to delete it")
    with write_turn():
        if being_started(campaign):
            raise DeletionError("the campaign is being started; wait for it, or cancel its job")
        campaign.deletion_asked_at = timezone.now()
        campaign.save(update_fields=["deletion_asked_at"])
        record(campaign, actor, ASKED)


def take_back(campaign: Campaign, actor: User) -> None:
    """Let raters go on in a campaign that was to be deleted.

    Raises
    ------
    CampaignError
        If it was not.
    """
    with write_turn():
        if campaign.deletion_asked_at is None:
            raise CampaignError("this campaign was not to be deleted")
        campaign.deletion_asked_at = None
        campaign.save(update_fields=["deletion_asked_at"])
        record(campaign, actor, "take back deletion")


def delete_campaigns_due(before: datetime) -> list[str]:
    """Delete the campaigns whose deletion was asked for before a time; return what, in words."""
    gone = []
    due = Campaign.objects.filter(deletion_asked_at__lte=before).select_related("study", "set")
    for campaign in due:
        delete_campaign(campaign)
        gone.append(f"campaign {campaign.slug} of study {campaign.study.slug}")
    return gone


def delete_campaign(campaign: Campaign) -> None:
    """Delete a campaign with its annotators and their ratings; the audit entry remains."""
    ratings = Rating.objects.filter(submission__item__campaign=campaign)
    submissions = Submission.objects.filter(item__campaign=campaign)
    counts = {"ratings": ratings.count(), "answers": submissions.count()}
    _clear(campaign)
    with write_turn():
        together = campaign.set
        asked = AuditEntry.objects.filter(
            study=campaign.study, action=ASKED, object=campaign.slug
        ).first()
        record(campaign, asked.actor if asked else None, "delete campaign", before=counts)
        campaign.delete()
        if together is not None and not together.campaigns.exists():
            together.delete()
        reports_changed(campaign.study_id)


def delete_of_study(study: Study) -> None:
    """Delete all campaigns of a study with everything that people did in them."""
    for campaign in study.campaigns.all():
        _clear(campaign)
        with write_turn():
            campaign.delete()
    remove_rows(Participant.objects.filter(set__study=study))
    with write_turn():
        study.campaign_sets.all().delete()


def reports_changed(study_id: int) -> None:
    """Reports of before must not be found again as those of now."""
    Study.objects.filter(pk=study_id).update(revision=F("revision") + 1)


def _clear(campaign: Campaign) -> None:
    items = Item.objects.filter(campaign=campaign)
    remove_rows(Rating.objects.filter(submission__item__campaign=campaign))
    remove_rows(Submission.objects.filter(item__campaign=campaign))
    remove_rows(Assignment.objects.filter(item__campaign=campaign))
    remove_rows(items.filter(original__isnull=False))
    remove_rows(items)
    remove_rows(Annotator.objects.filter(campaign=campaign))
