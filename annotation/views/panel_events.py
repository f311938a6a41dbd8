"""Where Prolific sends its events."""

import logging
import time

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.models import Panel
from annotation.panels.events import LONGEST_EVENT, RefusedError, read_event
from annotation.panels.freeing import take_event

log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
@never_cache
def receive(request: HttpRequest, token: str) -> HttpResponse:
    """Take an event of a panel; whoever sends it knows the address and the secret."""
    panels = Panel.objects.select_related("campaign__study", "set__study")
    panel = panels.filter(events_token=token).first() if token else None
    if panel is None:
        log.warning("An event for a panel was refused: no panel has this address.")
        return _answer("There is no such address.", 404)
    try:
        if len(request.body) > LONGEST_EVENT:
            raise RefusedError("it is too long", 413)
        event = read_event(panel.events_secret, request.headers, request.body, time.time())
    except RefusedError as refused:
        log.warning("An event for the panel of %s was refused: %s.", panel.place.slug, refused)
        return _answer(f"Refused: {refused}.", refused.status)
    became = "not about a submission" if event is None else take_event(panel, event)
    log.info("An event for the panel of %s: %s.", panel.place.slug, became)
    return _answer(f"Taken: {became}.", 200)


def _answer(words: str, status: int) -> HttpResponse:
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")
