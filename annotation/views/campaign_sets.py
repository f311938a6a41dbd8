"""Sets of campaigns: their tasks and people."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.campaigns.access import campaign_view
from annotation.campaigns.progress import campaigns_listed
from annotation.campaigns.service import (
    annotators_wanted,
    being_started,
    is_draft,
    possible_changes,
)
from annotation.forms.short import AddAnnotatorsForm
from annotation.launch.starting import problems
from annotation.masks.masking import lacks_mask
from annotation.models import Campaign, CampaignSet
from annotation.people.adding import free_places
from annotation.people.invited import people_of, without_link
from annotation.sets.form import SetForm
from annotation.views.places import code_address, frame
from corpus.access.guard import may_change
from corpus.pages.frame import page_with_form


@require_safe
@never_cache
@campaign_view(owner=False)
def campaign_set(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Show the tasks of a set, how far everybody is, and what can be done with all at once."""
    return set_page(request, together)


def set_page(
    request: HttpRequest, together: CampaignSet, add_form: AddAnnotatorsForm | None = None
) -> HttpResponse:
    """Render the page of a set."""
    campaigns = together.tasks
    owned = may_change(request.user, together.study)
    drafts = [each for each in campaigns if each.state == Campaign.State.DRAFT]
    context = frame(together) | {
        "campaigns": campaigns_listed(together.study, together),
        "owned": owned,
        "is_draft": is_draft(together),
        "drafts": len(drafts),
        "starting": being_started(together),
        "annotators_wanted": annotators_wanted(campaigns[0]),
    }
    context["done"] = sum(row.done for row in context["campaigns"])
    context["wanted"] = sum(row.wanted for row in context["campaigns"])
    context["percent"] = 100 * context["done"] // max(context["wanted"], 1)
    if drafts:
        context["problems"] = [
            (campaign, problem, lacks_mask(campaign)) for campaign, problem in problems(drafts)
        ]
        context["form"] = SetForm(together)
    if not context["is_draft"]:
        context |= {
            "people": people_of(together),
            "changes": possible_changes(together) if owned else [],
            "linkless": len(without_link(together.participants.all())),
            "is_queue": campaigns[0].design == Campaign.Design.QUEUE,
            "free": free_places(together),
            "add_form": add_form or AddAnnotatorsForm(),
            "code_address": code_address(request, together),
        }
    return page_with_form(request, "annotation/owner/set.html", context)
