"""A study's home: what it holds, what comes next, and the answers to its four questions."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.charts.theme import THEMES
from analysis.data.states import state_token
from analysis.filter.fields_of_kinds import OF_STUDY, restricted
from analysis.filter.question import CHOICES, Question, QuestionError
from analysis.findings.card import Card, Pictures, drawn, signed
from analysis.findings.cards import CARDS, CardKind, card_kind, card_of, kept_card
from analysis.findings.holdings import Holdings, campaigns_held, holdings, line, next_step, steps
from analysis.reports.page_address import VERSION
from corpus.access.guard import may_change, study_view
from corpus.models import Job, Study
from corpus.pages.frame import actor, study_frame
from corpus.studies.overview import provenance_words, recent_imports

A_YEAR = 365 * 24 * 3600
IN_CARDS = ("report", "read-study")
"""Kinds of jobs of which the cards show how far they are."""
MOST_JOBS = 4
MANY_OUTPUTS = 10_000
"""From as many on, what orders them all is asked for after the page, which it would hold up."""
_PHONE = "(max-width: 32rem)"
_SMALL = "(min-width: 61rem) and (max-width: 76rem)"
_DARK = "(prefers-color-scheme: dark)"
SCREENS = (
    ("print", "wide", "light"),
    (f"{_PHONE} and {_DARK}", "narrow", "dark"),
    (_PHONE, "narrow", "light"),
    (f"{_SMALL} and {_DARK}", "middle", "dark"),
    (_SMALL, "middle", "light"),
    (_DARK, "wide", "dark"),
)
"""Which picture a screen is shown, the first that fits; else that which is printed."""


@require_safe
@study_view
def findings(request: HttpRequest, study: Study) -> HttpResponse:
    """Show what a study holds and what was found, with what is still being computed."""
    state = state_token(study)
    held = holdings(study, state)
    campaigns = campaigns_held(study, held.rated)
    owned = may_change(request.user, study)
    asked = _asked(request)
    cards = [
        _shown(request, study, kind, held, state, at_once="whole" in request.GET) for kind in CARDS
    ]
    context = {
        "study": study,
        "tab": "study",
        "filtered_by": asked,
        "bar": _bar(asked, [card["found"] for card in cards if "found" in card]),
        "owned": owned,
        "held": held,
        "line": line(held),
        "steps": steps(held),
        "next": next_step(study, held, campaigns=bool(campaigns), owned=owned),
        "jobs": study.jobs.active().exclude(kind__in=IN_CARDS)[:MOST_JOBS],
        "cards": cards,
        "provenance": [provenance_words(entry) for entry in study.provenance],
        "campaigns": campaigns,
        "imports": recent_imports(study),
    }
    return render(request, "analysis/findings/page.html", context)


@require_safe
@never_cache
@study_view
def card(request: HttpRequest, study: Study, name: str) -> HttpResponse:
    """Show one card alone, as it asks for itself while a job computes it."""
    kind = _kind(name)
    state = state_token(study)
    shown = _shown(request, study, kind, holdings(study, state), state, at_once=True)
    context = {"study": study, "card": shown, "owned": may_change(request.user, study)}
    return render(request, "analysis/findings/card.html", context)


@require_safe
@study_view
def card_picture(request: HttpRequest, study: Study, name: str, width: str) -> HttpResponse:
    """Send the picture of a card for a theme; browsers keep it under an address that names it."""
    kind, theme = _kind(name), request.GET.get("theme", "light")
    found = card_of(study, kind, _asked(request), _user(request), state_token(study))
    if isinstance(found, Job) or width not in found.pictures or theme not in THEMES:
        raise Http404("this card has no such picture")
    chart = found.pictures[width]
    svg = drawn(study, chart, theme)
    response = HttpResponse(svg, content_type="image/svg+xml")
    if request.GET.get(VERSION) == signed(chart):
        patch_cache_control(response, private=True, max_age=A_YEAR, immutable=True)
    return response


def _kind(name: str) -> CardKind:
    try:
        return card_kind(name)
    except LookupError as unknown:
        raise Http404(str(unknown)) from None


def _user(request: HttpRequest) -> User:
    return actor(request)


def _shown(
    request: HttpRequest, study: Study, kind: CardKind, held: Holdings, state: str, *, at_once: bool
) -> dict[str, Any]:
    """Return what the template of a card shows."""
    question = _asked(request)
    query = urlencode(question.to_query(), doseq=True)
    shown: dict[str, Any] = {"kind": kind, "asked": query}
    if not held.ratings:
        return shown | {"lacks": "ratings"}
    if kind.needs_scores and not held.runs:
        return shown | {"lacks": "scores"}
    own = reverse("study-findings-card", args=[study.slug, kind.key])
    late = kind.reads_outputs and held.outputs > MANY_OUTPUTS and not at_once
    if late and not kept_card(study, kind, question, state):
        return shown | {"again": f"{own}?{query}" if query else own}
    found = _waited_for(request, study) or card_of(study, kind, question, _user(request), state)
    if isinstance(found, Job):
        waits = {"job": [str(found.pk)]} | question.to_query()
        return shown | {"job": found, "again": f"{own}?{urlencode(waits, doseq=True)}"}
    about = question.but(aspect=found.aspect) if found.aspect else question
    if found.metrics:  # It compares all of them, whichever is chosen.
        about = about.but(metric=())
    return shown | {
        "found": found,
        "report": _report(study, kind.url_name, about, found.query),
        "further": _report(study, kind.further[0], about, {}) if kind.further[0] else "",
        **_pictures(study, kind, found.pictures, question),
    }


def _report(
    study: Study, name: str, question: Question, further: Mapping[str, Sequence[str]]
) -> str:
    """Return where a report answers the same question, in further words of its own."""
    kept = restricted(name.removeprefix("study-"), question)
    query = urlencode(kept.to_query() | dict(further), doseq=True)
    return f"{reverse(name, args=[study.slug])}?{query}".removesuffix("?")


def _asked(request: HttpRequest) -> Question:
    """Return the aspect, level and metric that are chosen for the study."""
    try:
        return Question.parse({name: request.GET.getlist(name) for name in OF_STUDY})
    except QuestionError as refused:
        raise Http404(str(refused)) from None


def _bar(asked: Question, found: Sequence[Card]) -> dict[str, Any]:
    """Return what can be chosen for all cards and reports: an aspect, a level, a metric."""
    aspects = next((card.aspects for card in found if card.aspects), ())
    metrics = next((card.metrics for card in found if card.metrics), ())
    about = asked.aspect or next((card.aspect for card in found if card.aspect), "")
    return {
        "aspects": aspects,
        "aspect": about,
        "levels": CHOICES["level"],
        "level": asked.level,
        "metrics": list(dict.fromkeys([*metrics, *asked.metric])),
        "metric": next(iter(asked.metric), ""),
    }


def _waited_for(request: HttpRequest, study: Study) -> Job | None:
    """Return the job that a card waits for, as long as it is under way.

    While ratings come in, each look would ask for another.
    """
    number = request.GET.get("job", "")
    if not number.isdecimal() or len(number) > 18:
        return None
    return study.jobs.active().filter(pk=number).first()


def _pictures(study: Study, kind: CardKind, found: Pictures, question: Question) -> dict[str, Any]:
    """Return the picture of a card for each screen, the one that is printed first."""
    if not found:
        return {}
    shown = []
    for media, width, theme in SCREENS:
        chart = found[width]
        query: dict[str, Any] = question.to_query() | {VERSION: signed(chart)}
        query |= {"theme": theme} if theme != "light" else {}
        path = reverse("study-findings-picture", args=[study.slug, kind.key, width])
        size = {"width": chart.spec["width"], "height": chart.spec["height"]}
        shown.append({"media": media, "at": f"{path}?{urlencode(query, doseq=True)}"} | size)
    chart = found["wide"]
    return {"pictures": shown, "alt": f"{chart.title}. {chart.description}"}


@require_safe
@study_view
def reports(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the four questions of a study, each with its reports and when to read which."""
    context = study_frame(study, "study-reports", "Reports") | {"filtered_by": _asked(request)}
    return render(request, "analysis/reports.html", context)
