"""`manage.py remove_second_factor`: for who has lost the app and every recovery code."""

from argparse import ArgumentParser
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from config.accounts.sessions import end_sessions
from corpus.access.log import Action, log_access


class Command(BaseCommand):
    """Remove the second factor of a person, end their sessions, and log it."""

    help = "Remove the second factor of a person who has lost it, and end their sessions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whose it is."""
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove it.

        Raises
        ------
        CommandError
            If nobody has this name, or the person has none.
        """
        person = User.objects.filter(username=options["username"]).first()
        if person is None:
            raise CommandError(f"nobody is called {options['username']!r}")
        if not Authenticator.objects.filter(user=person).delete()[0]:
            raise CommandError(f"{person} has no second factor")
        end_sessions(person)
        log_access(Action.SIGN_IN_CHANGED, "second factor removed by command", person=person)
        self.stdout.write(f"The second factor of {person} was removed; all sessions ended.")
