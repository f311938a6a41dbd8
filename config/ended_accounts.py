"""What ends with an account that is deactivated: it does not come back if the account does."""

from django.contrib.auth.models import User
from django.db import transaction

from config.models import ApiToken, Session
from corpus.access_log import Action, log_access
from corpus.members import end_invitations
from corpus.models import AuditEntry, Study


def end_access(person: User, actor: User) -> None:
    """End sessions, API tokens and open invitations of a person, with a record."""
    with transaction.atomic():
        sessions = Session.objects.filter(user=person).delete()[0]
        tokens = ApiToken.objects.filter(user=person).delete()[0]
        invited = Study.objects.filter(invitations__invited_by=person).order_by("pk").distinct()
        count = sum(end_invitations(study, person, actor) for study in invited)
        ended = {"sessions": sessions, "tokens": tokens, "invitations": count}
        AuditEntry.record(None, actor, "deactivate account", person.get_username(), after=ended)
        if tokens:
            log_access(Action.TOKEN_REVOKED, "account deactivated", person=person)
