"""Addresses by which anybody may take part in a campaign or a set: named, and ended at once."""

from django.contrib.auth.models import User

from annotation.campaigns.edits import CHANGED, SET_CHANGED
from annotation.campaigns.service import record
from annotation.models import Campaign, CampaignSet
from corpus.models import Study
from corpus.storage.write_turn import in_write_turn


def join_addresses(study: Study) -> list[str]:
    """Say how many addresses there are by which anybody may take part."""
    count = sum(
        model.objects.filter(study=study).exclude(invite_code="").count()
        for model in (Campaign, CampaignSet)
    )
    return [f"{count} join address{'es' if count > 1 else ''} of campaigns"] if count else []


@in_write_turn
def end_join_addresses(study: Study, actor: User) -> None:
    """Take all of them away; whoever takes part already goes on."""
    for model, action in ((Campaign, CHANGED), (CampaignSet, SET_CHANGED)):
        places = model.objects.select_for_update(no_key=True).filter(study=study)
        for place in places.exclude(invite_code="").order_by("pk"):
            place.invite_code = ""
            place.save(update_fields=["invite_code"])
            record(place, actor, action, before={"by_code": True}, after={"by_code": False})
