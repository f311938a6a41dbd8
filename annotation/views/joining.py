"""From a personal link or an invite code to the first item, and leaving before the end."""

import math

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.models import Annotator, Assignment, Invitee, Panel, Participant
from annotation.panels.ending import (
    arrived,
    came_from_panel,
    leave,
    left_by_choice,
    panel_by_code,
    place_in_this_browser,
    turned_away,
)
from annotation.panels.outcomes import Outcome
from annotation.people.invitations import (
    TakenElsewhere,
    TooManyPlaces,
    holder,
    holder_by_code,
)
from annotation.rating.tasks import current_task, is_through, tasks_of
from annotation.views.guard import (
    annotator_view,
    in_language,
    language_of_code,
    language_of_token,
    marks,
    remember,
)
from annotation.views.places import markdown
from corpus.access.log import client_network
from corpus.access.rate_limits import in_words

PLATFORM = {
    "participant": ("participant", "PROLIFIC_PID", "workerId"),
    "study": ("study", "STUDY_ID", "hitId"),
    "session": ("session", "SESSION_ID", "assignmentId"),
}
LONGEST_ANSWER = 200


@require_safe
@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Open a personal link; the token does not stay in the address."""
    person = holder(token)
    if person is None:
        with in_language(request, language_of_token(request, token)):
            return render(request, "annotation/no_entry.html", status=403)
    return _enter(request, person)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join_by_code(request: HttpRequest, code: str) -> HttpResponse:
    """Join a campaign by its invite code, as a crowd platform sends people."""
    with in_language(request, language_of_code(request, code)):
        return _join_by_code(request, code, panel_by_code(code))


def _join_by_code(request: HttpRequest, code: str, panel: Panel | None) -> HttpResponse:
    platform = _platform(request, panel)
    if request.method != "POST" and not platform["participant"]:
        # Without a participant each opening would take a place; a click shows that it is meant.
        return render(request, "annotation/join.html")
    held, network = marks(request).values(), client_network(request)
    try:
        person = holder_by_code(code, platform, held, network)
    except TakenElsewhere:
        # What they are given says nothing of who has the place.
        context = {"ending": turned_away(code, platform, network)}
        return render(request, "annotation/taken_elsewhere.html", context, status=403)
    except TooManyPlaces as error:
        late = {"wait": in_words(error.seconds), "ending": turned_away(code, platform, network)}
        response = render(request, "annotation/too_many_places.html", late, status=429)
        response["Retry-After"] = str(math.ceil(error.seconds))
        return response
    if panel and person:
        arrived(person, panel, platform)
    person = person or place_in_this_browser(code, platform, held)
    if person is None:
        if panel is None:
            return render(request, "annotation/no_entry.html", status=403)
        away = {"begun": panel.has_begun, "ending": turned_away(code, platform, network)}
        return render(request, "annotation/turned_away.html", away, status=403)
    return _enter(request, person)


@require_http_methods(["GET", "HEAD", "POST"])
@annotator_view
def consent(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Ask for consent, and what the campaign wants to know about its annotators."""
    campaign = annotator.campaign
    questions = [(f"about-{number}", text) for number, text in enumerate(campaign.questions)]
    if request.method == "POST" and request.POST.get("consent") == "yes":
        answers = {
            text: request.POST.get(name, "").strip()[:LONGEST_ANSWER] for name, text in questions
        }
        for each in _asked_the_same(annotator):
            each.consented_at, each.about = timezone.now(), answers
            each.save(update_fields=["consented_at", "about"])
        return redirect("rate", annotator.public_id)
    context = {
        "annotator": annotator,
        "campaign": campaign,
        "consent": markdown(campaign.consent),
        "questions": questions,
        "missing": request.method == "POST",
        "may_leave": came_from_panel(annotator),
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "annotation/consent.html", context, status=status)


@require_safe
@annotator_view
def guidelines(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Show what is to be done, before the first item and whenever asked for."""
    context = {
        "annotator": annotator,
        "campaign": annotator.campaign,
        "guidelines": markdown(annotator.campaign.guidelines),
        "may_leave": came_from_panel(annotator),
    }
    return render(request, "annotation/guidelines.html", context)


@require_POST
@annotator_view
def guidelines_read(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Go on to the items."""
    annotator.guidelines_read_at = timezone.now()
    annotator.save(update_fields=["guidelines_read_at"])
    return redirect("rate", annotator.public_id)


def _platform(request: HttpRequest, panel: Panel | None) -> dict[str, str]:
    """Return participant, study and session as the panel, or one that is known, names them."""
    own = panel.names if panel else {}
    names = {what: (*([own[what]] if own.get(what) else []), *PLATFORM[what]) for what in PLATFORM}
    return {
        what: next((request.GET[key][:LONGEST_ANSWER] for key in keys if request.GET.get(key)), "")
        for what, keys in names.items()
    }


def _asked_the_same(annotator: Annotator) -> list[Annotator]:
    """Return an annotator with their other tasks that ask for consent in the same words."""
    if annotator.participant_id is None:
        return [annotator]
    asked = (annotator.campaign.consent, annotator.campaign.questions)
    others = tasks_of(annotator.participant_id).filter(consented_at__isnull=True)
    return [
        annotator,
        *(
            each
            for each in others.exclude(pk=annotator.pk)
            if (each.campaign.consent, each.campaign.questions) == asked
        ),
    ]


def _enter(request: HttpRequest, person: Invitee) -> HttpResponse:
    tasks = tasks_of(person) if isinstance(person, Participant) else [person]
    first = current_task(person) if isinstance(person, Participant) else person
    response = redirect("rate", first.public_id)
    remember(request, response, tasks, person.mark)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@annotator_view
def leave_now(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Show the code of somebody who left; by POST, let them leave."""
    if request.method != "POST" and not left_by_choice(annotator):
        return redirect("rate", annotator.public_id)
    campaign = annotator.campaign
    refused = bool(campaign.consent) and annotator.consented_at is None
    if not refused and is_through(annotator):
        return redirect("rate", annotator.public_id)
    ending = leave(annotator, Outcome.NO_CONSENT if refused else Outcome.STOPPED)
    if request.method == "POST":
        return redirect("rate-leave" if ending else "rate", annotator.public_id)
    answered = annotator.assignments.filter(state=Assignment.State.SUBMITTED).exists()
    context = {
        "annotator": annotator, "campaign": campaign, "ending": ending, "answered": answered
    }  # fmt: skip
    return render(request, "annotation/left.html", context)
