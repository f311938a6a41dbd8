"""`manage.py sign_in_link`: a link that signs one person in, once."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from config.accounts.signing_in import one_time_path


class Command(BaseCommand):
    """Print a one-time link; with --create the person is made an administrator if unknown."""

    help = "Print a link that signs a person in once (valid for three days)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whom and where."""
        parser.add_argument("username", nargs="?", default="admin")
        parser.add_argument("--address", default="http://localhost:8000")
        parser.add_argument(
            "--create", action="store_true", help="make an administrator of that name if missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link."""
        people = get_user_model().objects
        person = people.filter(username=options["username"]).first()
        if person is None:
            if not options["create"]:
                raise CommandError(
                    f"nobody is called {options['username']!r}; --create makes an administrator"
                )
            person = people.create_superuser(options["username"])
        self.stdout.write(options["address"].rstrip("/") + one_time_path(person))
