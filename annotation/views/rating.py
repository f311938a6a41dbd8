"""The rating page: one screen at a time, drafts, submissions, corrections."""

import json
import math
import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.differences import marked_differences
from annotation.handing_out import next_assignments, screen_of
from annotation.models import Annotator, Assignment, Campaign
from annotation.practice import feedback_on
from annotation.protocols.questions import AnswerError, Choice, Question, Scale
from annotation.screens import Screen, ShownItem, build_screen
from annotation.submitting import (
    LONGEST_COMMENT,
    Conflict,
    Sent,
    assignment_of,
    save_draft,
    submit,
)
from annotation.views.guard import annotator_view
from corpus.write_turn import write_turn

LONGEST_DRAFT = 100_000
DONE_PER_PAGE = 200
FAIR_AFTER = 3


@require_safe
@annotator_view
def rate(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Show the next screen, or what comes before the first and after the last."""
    campaign = annotator.campaign
    if campaign.consent and annotator.consented_at is None:
        return redirect("rate-consent", annotator.public_id)
    if annotator.guidelines_read_at is None:
        return redirect("rate-guidelines", annotator.public_id)
    with write_turn():
        screen = next_assignments(annotator)
    return _answer(request, annotator, screen)


@require_safe
@annotator_view
def item(request: HttpRequest, annotator: Annotator, public_id: uuid.UUID) -> HttpResponse:
    """Show one screen again, to be corrected."""
    screen = screen_of(_own(annotator, public_id), annotator.campaign)
    return _answer(request, annotator, screen)


@require_safe
@annotator_view
def done(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """List what was answered, the latest first."""
    answered = (
        annotator.assignments.filter(state=Assignment.State.SUBMITTED, lead=True)
        .select_related("item__first")
        .order_by("-position")
    )
    context = {
        "annotator": annotator,
        "campaign": annotator.campaign,
        "answered": answered[:DONE_PER_PAGE],
        "most": DONE_PER_PAGE,
    }
    return render(request, "annotation/done.html", context)


@require_POST
@annotator_view
def submit_answers(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Store the answers to a screen; the reply is the next one."""
    public_id, sent = _sent(request)
    try:
        outcome = submit(annotator, public_id, sent)
    except Assignment.DoesNotExist:
        raise Http404("no such item") from None
    except AnswerError as error:
        return _again(request, annotator, public_id, sent, 422, problems=error.problems)
    except Conflict as conflict:
        return _again(request, annotator, public_id, sent, 409, conflict=conflict.reason)
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
    public_id, sent = _sent(request)
    answers = {
        "answers": {str(number): dict(given) for number, given in enumerate(sent.answers)},
        "comment": sent.comment,
        "reason": sent.reason,
    }
    if len(json.dumps(answers)) > LONGEST_DRAFT:
        return JsonResponse({"detail": "the draft is too long"}, status=413)
    try:
        version = save_draft(annotator, public_id, _whole(request.POST.get("version")), answers)
    except Assignment.DoesNotExist:
        raise Http404("no such item") from None
    except Conflict as conflict:
        stored = conflict.draft
        assert stored is not None  # noqa: S101  (a conflict of drafts carries the other draft)
        return JsonResponse({"version": stored.version, "draft": stored.answers}, status=409)
    return JsonResponse({"version": version})


def _answer(
    request: HttpRequest,
    annotator: Annotator,
    assignments: list[Assignment],
    *,
    surplus: bool = False,
) -> HttpResponse:
    """Render a screen, or the end; alone where the page's script asked, else as a whole page."""
    context: dict[str, Any] = {
        "annotator": annotator,
        "campaign": annotator.campaign,
        "surplus": surplus,
    }
    if assignments:
        context |= shown_screen(build_screen(annotator, assignments))
        part = "annotation/screen.html"
    else:
        context["paused"] = annotator.campaign.state != Campaign.State.OPEN
        part = "annotation/end.html"
    if _is_fetched(request):
        return render(request, part, context)
    return render(request, "annotation/rate.html", context | {"part": part})


def _feedback(request: HttpRequest, annotator: Annotator, lead: Assignment) -> HttpResponse:
    """Show texts and answers of a practice item with what was expected."""
    told = feedback_on(annotator, lead)
    if told is None:
        raise Http404("nothing to say about this item")
    context = {
        "annotator": annotator,
        "campaign": annotator.campaign,
        "feedback": told,
        "screen": build_screen(annotator, [lead]),
    }
    part = "annotation/feedback.html"
    if _is_fetched(request):
        return render(request, part, context)
    return render(request, "annotation/rate.html", context | {"part": part})


def _again(
    request: HttpRequest,
    annotator: Annotator,
    public_id: uuid.UUID,
    sent: Sent,
    status: int,
    *,
    problems: dict[str, str] | None = None,
    conflict: str = "",
) -> HttpResponse:
    """Show a screen again with what was sent, and what is wrong with it."""
    screen = build_screen(annotator, screen_of(_own(annotator, public_id), annotator.campaign))
    given = [dict(each) for each in sent.answers]
    context = {
        "annotator": annotator,
        "campaign": annotator.campaign,
        **shown_screen(screen, given, problems or {}),
        "comment": sent.comment,
        "reason": sent.reason,
        "problems": problems,
        "conflict": conflict,
    }
    part = "annotation/screen.html"
    if _is_fetched(request):
        return render(request, part, context, status=status)
    return render(request, "annotation/rate.html", context | {"part": part}, status=status)


def shown_screen(
    screen: Screen,
    given: list[dict[str, str]] | None = None,
    problems: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Lay a screen out for the template."""
    campaign = screen.campaign
    rules = campaign.rules
    mark = bool(rules.has("highlight") and rules.setting(campaign.config, "highlight"))
    # Three outputs have three places.
    most = len(screen.items) if rules.layout == "order" else math.inf
    items = []
    for number, shown in enumerate(screen.items):
        answers = given[number] if given and number < len(given) else shown.answers
        items.append(
            {
                "number": number,
                "letter": chr(ord("A") + number),
                "texts": _texts(screen, shown, mark),
                "questions": [
                    _asked(question, number, answers, problems or {}, most)
                    for question in screen.questions
                ],
            }
        )
    return {
        "screen": screen,
        "source_runs": _texts_of_source(screen, mark),
        "items": items,
        "several": len(items) > 1,
        "submission": uuid.uuid4(),
        "comment": screen.comment,
        "reason": screen.reason,
        "submit_to": reverse("rate-submit", args=[screen.annotator.public_id]),
        "draft_to": reverse("rate-draft", args=[screen.annotator.public_id]),
        "percent": _percent(screen.annotator),
        "left": _left(screen.annotator),
        "minutes": _minutes_left(screen.annotator),
    }


def _texts(screen: Screen, shown: ShownItem, mark: bool) -> list[dict[str, Any]]:
    letters = ("A", "B") if len(shown.texts) == 2 else ("",)
    return [
        {
            "letter": letter,
            "runs": marked_differences(screen.source, text)[1]
            if mark and screen.source
            else [(text, False)],
        }
        for letter, text in zip(letters, shown.texts, strict=True)
    ]


def _texts_of_source(screen: Screen, mark: bool) -> list[tuple[str, bool]]:
    if mark and len(screen.items) == 1 and screen.source:
        return marked_differences(screen.source, screen.items[0].texts[0])[0]
    return [(screen.source, False)]


def _asked(
    question: Question, number: int, answers: dict[str, Any], problems: dict[str, str], most: float
) -> dict[str, Any]:
    name = f"answer-{number}-{question.aspect}"
    value = str(answers.get(question.aspect, ""))
    asked: dict[str, Any] = {
        "name": name,
        "text": question.text,
        "value": value,
        "problem": problems.get(f"{number}-{question.aspect}", ""),
    }
    if isinstance(question, Choice):
        return asked | {"kind": "choice", "options": question.options}
    words = dict(question.labels)
    if question.is_slider:
        return asked | {"kind": "slider", "scale": question, "ticks": _ticks(question)}
    options = [(f"{point:g}", words.get(point, "")) for point in question.points if point <= most]
    return asked | {"kind": "points", "options": options}


def _ticks(scale: Scale) -> list[dict[str, Any]]:
    span = scale.high - scale.low
    return [
        {"at": f"{at:g}", "words": words, "percent": round(100 * (at - scale.low) / span)}
        for at, words in scale.labels
    ]


def _percent(annotator: Annotator) -> int:
    total = max(annotator.assigned, annotator.submitted, 1)
    return math.floor(100 * annotator.submitted / total)


def _left(annotator: Annotator) -> int | None:
    """Return how many items are left of a list; of a shared queue nobody knows."""
    if annotator.campaign.design == Campaign.Design.QUEUE:
        return None
    return max(annotator.assigned - annotator.submitted, 0)


def _minutes_left(annotator: Annotator) -> int | None:
    """Return how long the rest takes at the annotator's own pace, once that is known."""
    left = _left(annotator)
    if left is None or annotator.submitted < FAIR_AFTER or not annotator.active_seconds:
        return None
    return math.ceil(left * annotator.active_seconds / annotator.submitted / 60)


def _sent(request: HttpRequest) -> tuple[uuid.UUID, Sent]:
    """Read a submission or draft out of a form.

    Raises
    ------
    Http404
        If it does not say what it is about.
    """
    data = request.POST
    try:
        public_id = uuid.UUID(data["assignment"])
        submission = uuid.UUID(data["submission"])
        revision = int(data["revision"])
    except (KeyError, ValueError):
        raise Http404("no such item") from None
    answers: dict[int, dict[str, str]] = {}
    for name in data:
        _, _, rest = name.partition("answer-")
        number, _, aspect = rest.partition("-")
        if number.isdecimal() and len(number) < 4 and aspect and data[name]:
            answers.setdefault(int(number), {})[aspect] = data[name]
    cannot = data.get("action") == "cannot"
    sent = Sent(
        uuid=submission,
        revision=revision,
        answers=[answers.get(number, {}) for number in range(max(answers, default=-1) + 1)],
        comment=data.get("comment", "")[:LONGEST_COMMENT],
        reason=(data.get("reason", "").strip() or "no reason given") if cannot else "",
        active_seconds=_seconds(data.get("seconds")),
    )
    return public_id, sent


def _seconds(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 9 else 0


def _own(annotator: Annotator, public_id: uuid.UUID) -> Assignment:
    try:
        return assignment_of(annotator, public_id)
    except Assignment.DoesNotExist:
        raise Http404("no such item") from None


def _is_fetched(request: HttpRequest) -> bool:
    """Whether the page's own script asks, which puts the answer into the page."""
    return request.headers.get("X-Requested-With") == "fetch"
