"""Keeping the defects that pages reported, so that an administrator finds them by their number."""

import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils import timezone

from config.models import Defect
from config.watching.log_lines import kinds_of, number_of
from corpus.storage.pruning import Leftover

MOST_IN_AN_HOUR = 200
"""A page that fails for everybody must not fill the database."""
BYTES_OF_A_DEFECT = 300


def keep_defect(request: HttpRequest, error: BaseException | None) -> None:
    """Keep where an error is; the page that reports it comes first, so nothing is raised."""
    if error is None:
        return
    match = request.resolver_match
    with suppress(DatabaseError), transaction.atomic():
        hour = timezone.now() - timedelta(hours=1)
        if Defect.objects.filter(at__gt=hour).count() >= MOST_IN_AN_HOUR:
            return
        Defect.objects.create(
            number=number_of(request),
            method=str(request.method)[:10],
            route=match.view_name[:100] if match else "",
            error=kinds_of(error)[:200],
            place=place_of(error)[:200],
        )


def place_of(error: BaseException) -> str:
    """Return the innermost place in this program's code, else in any."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if _is_own(each.filename)] or frames
    if not own:
        return ""
    path = Path(own[-1].filename)
    shown = path.relative_to(settings.BASE_DIR) if _is_own(str(path)) else path.name
    return f"{shown}:{own[-1].lineno} {own[-1].name}"


def old_defects(now: datetime) -> Iterator[Leftover]:
    """Yield the defects whose days are over, as one thing."""
    old = Defect.objects.filter(at__lt=now - timedelta(days=settings.ACCESS_LOG_DAYS))
    if number := old.count():
        size = number * BYTES_OF_A_DEFECT
        yield Leftover(f"reported defects: {number:,}", size, lambda: _delete(now))


def _delete(now: datetime) -> None:
    Defect.objects.filter(at__lt=now - timedelta(days=settings.ACCESS_LOG_DAYS)).delete()


def _is_own(file: str) -> bool:
    inside = Path(file).is_relative_to(settings.BASE_DIR)
    return inside and "site-packages" not in Path(file).parts
