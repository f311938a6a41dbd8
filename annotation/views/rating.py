"""The rating page: one screen at a time, drafts, submissions, corrections."""

import json
import uuid
from dataclasses import replace

from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from annotation.models import Annotator, Assignment
from annotation.panels.ending import came_from_panel, leave
from annotation.panels.outcomes import Outcome
from annotation.practice.items import feedback_on
from annotation.protocols.questions import AnswerError
from annotation.queue.handing_out import arrive
from annotation.rating.screens import build_screen, judged_texts
from annotation.rating.submitting import (
    Conflict,
    Sent,
    assignment_of,
    save_draft,
    submit,
)
from annotation.rating.tasks import tasks_of
from annotation.selection.screen_places import screen_of
from annotation.views.guard import annotator_view
from annotation.views.sent_form import sent_by, whole
from annotation.views.showing import letter_of, shown_end, shown_screen
from corpus.storage.faults import AWAY, storage_fault

LONGEST_DRAFT = 100_000
DONE_PER_PAGE = 200


@require_safe
@annotator_view
def rate(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Show the next screen, or what comes before the first and after the last."""
    campaign = annotator.campaign
    if campaign.consent and annotator.consented_at is None:
        return redirect("rate-consent", annotator.public_id)
    if annotator.guidelines_read_at is None:
        return redirect("rate-guidelines", annotator.public_id)
    return _answer(request, annotator, arrive(annotator))


@require_safe
@annotator_view
def item(request: HttpRequest, annotator: Annotator, public_id: uuid.UUID) -> HttpResponse:
    """Show one screen again, to be corrected."""
    screen = screen_of(_own(annotator, public_id), annotator.campaign)
    return _answer(request, annotator, screen)


@require_safe
@annotator_view
def last(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Lead to the screen whose answer was saved last, to be corrected."""
    saved = annotator.assignments.filter(state=Assignment.State.SUBMITTED, lead=True)
    latest = (
        saved.filter(item__submissions__annotator=annotator)
        .order_by("-item__submissions__pk")
        .first()
    )
    if latest is None:
        raise Http404("nothing was answered")
    return redirect("rate-item", annotator.public_id, latest.public_id)


@require_safe
@annotator_view
def done(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """List what was answered, the latest first."""
    answered = (
        annotator.assignments.filter(state=Assignment.State.SUBMITTED, lead=True)
        .select_related("item__first", "item__second")
        .order_by("-position")
    )
    context = {
        "annotator": annotator,
        "campaign": annotator.campaign,
        "answered": [(each, judged_texts(each)[0]) for each in answered[:DONE_PER_PAGE]],
        "tasks": tasks_of(annotator.participant_id) if annotator.participant_id else (),
        "most": DONE_PER_PAGE,
        "may_leave": came_from_panel(annotator),
    }
    return render(request, "annotation/done.html", context)


@require_POST
@annotator_view
def submit_answers(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Store the answers to a screen; the reply is the next one."""
    public_id, sent = sent_by(request)
    try:
        outcome = submit(annotator, public_id, sent)
    except Assignment.DoesNotExist:
        raise Http404("no such item") from None
    except AnswerError as error:
        return _again(request, annotator, public_id, sent, 422, problems=error.problems)
    except Conflict as conflict:
        return _again(request, annotator, public_id, sent, 409, conflict=conflict.reason)
    except (DatabaseError, OSError) as error:
        fault = storage_fault(error)
        # A script keeps the answers itself, and sends them again.
        if fault is None or _is_fetched(request):
            raise
        if fault is AWAY:
            # The screen is shown by another connection, if there is one again.
            connection.close()
        words = gettext(fault.words)
        reply = _again(request, annotator, public_id, sent, fault.status, unstored=words)
        if fault.retry_after:
            reply["Retry-After"] = str(fault.retry_after)
        return reply
    if not _is_fetched(request):
        if outcome.practised:
            return redirect("rate-feedback", annotator.public_id, public_id)
        return redirect("rate", annotator.public_id)
    if outcome.practised:
        return _feedback(request, annotator, outcome.practised)
    return _answer(request, annotator, outcome.following, surplus=outcome.surplus)


@require_safe
@annotator_view
def feedback(request: HttpRequest, annotator: Annotator, public_id: uuid.UUID) -> HttpResponse:
    """Say what was expected of a practice item that was answered."""
    return _feedback(request, annotator, _own(annotator, public_id))


@require_POST
@annotator_view
def draft(request: HttpRequest, annotator: Annotator) -> JsonResponse:
    """Keep what was typed so far."""
    public_id, sent = sent_by(request)
    answers = {
        "answers": {str(number): dict(given) for number, given in enumerate(sent.answers)},
        "comment": request.POST.get("comment", ""),
        "reason": request.POST.get("reason", ""),
    }
    if len(json.dumps(answers)) > LONGEST_DRAFT:
        return JsonResponse({"detail": "the draft is too long"}, status=413)
    try:
        version = whole(request.POST.get("version"))
        version = save_draft(annotator, public_id, version, answers, sent.uuid)
    except Assignment.DoesNotExist:
        raise Http404("no such item") from None
    except Conflict as conflict:
        stored = conflict.draft
        if stored is None:
            words = gettext(
                "Not saved: this campaign is paused or closed and takes no corrections."
            )
            return JsonResponse({"detail": words}, status=409)
        return JsonResponse({"version": stored.version, "draft": stored.answers}, status=409)
    return JsonResponse({"version": version})


def _answer(
    request: HttpRequest,
    annotator: Annotator,
    assignments: list[Assignment],
    *,
    surplus: bool = False,
) -> HttpResponse:
    """Show a screen, or the end."""
    if not assignments:
        return _end(request, annotator)
    screen = build_screen(annotator, assignments)
    return _page(request, annotator, shown_screen(screen, _token(request), surplus=surplus))


def _end(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Show that nothing is left of a task; who has no other leaves with the code of a panel."""
    context = {"annotator": annotator, "campaign": annotator.campaign, **shown_end(annotator)}
    ending = None if context["following"] else leave(annotator)
    if ending is not None:
        context |= {"ending": ending, "paused": ending.outcome == Outcome.PAUSED}
    return _page(
        request, annotator, render_to_string("annotation/end.html", context), leaves=bool(ending)
    )


def _feedback(request: HttpRequest, annotator: Annotator, lead: Assignment) -> HttpResponse:
    """Show texts and answers of a practice item with what was expected."""
    assignments = screen_of(lead, annotator.campaign)
    told = feedback_on(annotator, assignments)
    if told is None:
        raise Http404("nothing to say about this item")
    screen = build_screen(annotator, assignments)
    context = {
        "annotator": annotator,
        "feedback": told,
        "screen": screen,
        "items": [
            {"letter": letter_of(number), "texts": item.texts}
            for number, item in enumerate(screen.items)
        ],
    }
    return _page(request, annotator, render_to_string("annotation/feedback.html", context))


def _again(
    request: HttpRequest,
    annotator: Annotator,
    public_id: uuid.UUID,
    sent: Sent,
    status: int,
    *,
    problems: dict[str, str] | None = None,
    conflict: str = "",
    unstored: str = "",
) -> HttpResponse:
    """Show a screen again with what was sent, and what is wrong with it."""
    screen = build_screen(annotator, screen_of(_own(annotator, public_id), annotator.campaign))
    shown = shown_screen(
        replace(screen, comment=sent.comment, reason=sent.reason),
        _token(request),
        [dict(each) for each in sent.answers],
        problems,
        conflict=conflict,
        unstored=unstored,
    )
    return _page(request, annotator, shown, status)


def _page(
    request: HttpRequest,
    annotator: Annotator,
    shown: SafeString,
    status: int = 200,
    *,
    leaves: bool = False,
) -> HttpResponse:
    """Answer with a part alone where the page's script asked, else with the whole page."""
    if _is_fetched(request):
        return HttpResponse(shown, status=status)
    context = {
        "annotator": annotator,
        "campaign": annotator.campaign,
        "shown": shown,
        "has_sliders": "data-slider" in shown,
        "leaves": leaves,
    }
    return render(request, "annotation/rate.html", context, status=status)


def _token(request: HttpRequest) -> str:
    """Return what the next form is sent with; the one that this form was sent with will do."""
    return request.POST.get("csrfmiddlewaretoken") or get_token(request)


def _own(annotator: Annotator, public_id: uuid.UUID) -> Assignment:
    try:
        return assignment_of(annotator, public_id)
    except Assignment.DoesNotExist:
        raise Http404("no such item") from None


def _is_fetched(request: HttpRequest) -> bool:
    """Whether the page's own script asks, which puts the answer into the page."""
    return request.META.get("HTTP_X_REQUESTED_WITH") == "fetch"
