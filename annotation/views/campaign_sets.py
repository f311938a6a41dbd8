"""Sets of campaigns: what they share, their start, their progress, their states."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.campaigns.access import set_view
from annotation.campaigns.drafts import LaunchError
from annotation.campaigns.progress import campaigns_listed
from annotation.campaigns.service import CHANGES, CampaignError, ChangedMeanwhile, annotators_wanted
from annotation.forms.short import AddAnnotatorsForm
from annotation.masks.masking import lacks_mask
from annotation.models import Campaign, CampaignSet
from annotation.people.adding import free_in_set
from annotation.people.invited import people_of, without_link
from annotation.sets.form import SetForm
from annotation.sets.service import (
    change_set,
    changes_of_set,
    discard_set,
    is_draft,
    keep_set,
    set_being_started,
    tasks,
)
from annotation.sets.starting import problems_of_set, start_set
from annotation.views.places import TAB, actor, address_of, code_address, set_frame
from corpus.access.guard import may_change


@require_safe
@never_cache
@set_view(owner=False)
def campaign_set(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Show the tasks of a set, how far everybody is, and what can be done with all at once."""
    return set_page(request, together)


def set_page(
    request: HttpRequest,
    together: CampaignSet,
    *,
    add_form: AddAnnotatorsForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page of a set."""
    campaigns = tasks(together)
    owned = may_change(request.user, together.study)
    drafts = [each for each in campaigns if each.state == Campaign.State.DRAFT]
    context = set_frame(together) | {
        "campaigns": campaigns_listed(together.study, together),
        "owned": owned,
        "is_draft": is_draft(campaigns),
        "drafts": len(drafts),
        "starting": set_being_started(campaigns),
        "annotators_wanted": annotators_wanted(campaigns[0]),
    }
    context["done"] = sum(row.done for row in context["campaigns"])
    context["wanted"] = sum(row.wanted for row in context["campaigns"])
    context["percent"] = 100 * context["done"] // max(context["wanted"], 1)
    if drafts:
        context["problems"] = [
            (campaign, problem, lacks_mask(campaign))
            for campaign, problem in problems_of_set(drafts)
        ]
        context["form"] = SetForm(together, campaigns)
    if not is_draft(campaigns):
        context |= {
            "people": people_of(together),
            "changes": changes_of_set(campaigns) if owned else [],
            "linkless": len(without_link(together.participants.all())),
            "is_queue": campaigns[0].design == Campaign.Design.QUEUE,
            "free": free_in_set(together),
            "add_form": add_form or AddAnnotatorsForm(),
            "code_address": code_address(request, together),
        }
    return render(request, "annotation/owner/set.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@set_view(owner=True)
def edit(request: HttpRequest, together: CampaignSet) -> HttpResponseBase:
    """Everything that the tasks share before the start; by POST, store it."""
    campaigns = tasks(together)
    where = ("campaign-set", together.study.slug, together.slug)
    if not is_draft(campaigns) or set_being_started(campaigns):
        messages.info(request, "Campaigns of this set were started: what they share is fixed.")
        return redirect(*where)
    form = SetForm(together, campaigns, request.POST if request.method == "POST" else None)
    valid = request.method == "POST" and form.is_valid()
    if request.GET.get("part") == "load":
        return render(request, "annotation/owner/load.html", {"form": form})
    if valid and "work_out" not in request.POST:
        try:
            loaded = (form.loaded, form.loaded_tasks)
            keep_set(together, campaigns, form.order, actor(request), *loaded)
        except ChangedMeanwhile:
            return edit(request, together.study.slug, together.slug)
        except CampaignError as error:
            form.add_error(None, f"{str(error).capitalize()}.")
        else:
            messages.success(request, "Saved. Nobody is invited yet.")
            return redirect("campaign-set-edit" if "stay" in request.POST else where[0], *where[1:])
    context = set_frame(together) | {"form": form, "heading": f"Prepare {together}"}
    context["tasks"] = campaigns
    status = 409 if form.met else 400 if form.errors else 200
    return render(request, "annotation/owner/set_edit.html", context, status=status)


@require_POST
@set_view(owner=True)
def start(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Start all campaigns, once it was confirmed that everything is fixed from then on."""
    if request.POST.get("confirmed") != "yes":
        messages.error(
            request, "Not started: confirm that design and items can no longer be changed."
        )
        return redirect(address_of(together))
    try:
        job = start_set(together, actor(request))
    except (LaunchError, CampaignError) as error:
        messages.error(request, f"Not started: {error}.")
        return redirect(address_of(together))
    if job is not None:
        return redirect("job", job.pk)
    messages.success(request, "All campaigns are open. Next: make links for the annotators.")
    return redirect(address_of(together))


@require_POST
@set_view(owner=True)
def state(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Pause, resume, close or open again all campaigns that allow it."""
    change = request.POST.get("change", "")
    if change not in CHANGES:
        raise Http404("no such change")
    try:
        count = change_set(together, change, actor(request))
    except CampaignError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        after = Campaign.State(CHANGES[change][2]).label
        messages.success(request, f"{count} campaign{'s are' if count > 1 else ' is'} {after} now.")
    return redirect(address_of(together))


@require_POST
@set_view(owner=True)
def discard(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Delete a set of which nothing was started."""
    try:
        discard_set(together, actor(request))
    except CampaignError as error:
        messages.error(request, f"Nothing was deleted: {error}.")
        return redirect(address_of(together))
    messages.success(request, f"The set “{together}” is deleted.")
    return redirect(TAB, together.study.slug)
