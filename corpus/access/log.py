"""Writing the log of who signed in and took data out of the site."""

import logging

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from corpus.access.client_address import client_network
from corpus.models import AccessEntry, Study

Action = AccessEntry.Action

logger = logging.getLogger(__name__)


def log_access(
    action: Action,
    detail: str = "",
    *,
    person: AbstractBaseUser | AnonymousUser | int | None = None,
    study: Study | int | None = None,
    size: int | None = None,
    request: HttpRequest | None = None,
) -> None:
    """Add a line to the log.

    Where the database cannot be written, the line goes to the server's log instead: what people
    may read stays readable, so that they can save it from a failing disk.
    """
    person_id = person if isinstance(person, int) else getattr(person, "pk", None)
    study_id = study if isinstance(study, int) else getattr(study, "pk", None)
    try:
        with transaction.atomic():
            AccessEntry.objects.create(
                action=action,
                detail=detail[:100],
                person_id=person_id,
                study_id=study_id,
                size=size,
                network=network_mark(request) if request else "",
            )
    except DatabaseError:
        facts = (action, detail, person_id, study_id, size)
        logger.exception("not in the log of sign-ins and exports: %s", facts)


def network_mark(request: HttpRequest) -> str:
    """Return what the log has in place of a network: it shows only which lines have the same."""
    network = client_network(request)
    return salted_hmac("corpus.access.log", network, algorithm="sha256").hexdigest()[:8]
