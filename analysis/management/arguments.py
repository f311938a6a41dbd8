"""What several commands read from their arguments: the filter of reports, and people."""

from argparse import ArgumentParser
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from analysis.filter.fields_of_kinds import kinds_with
from analysis.filter.question import FILTER_FIELDS, SEVERAL


def add_filter(parser: ArgumentParser, names: Iterable[str]) -> None:
    """Declare one option for each of some fields of the filter."""
    group = parser.add_argument_group("filter, see docs/reports.md")
    for name in names:
        option, words = "--" + name.replace("_", "-"), FILTER_FIELDS[name].words
        used_by = f"used by: {', '.join(kinds_with(name))}"
        if name in SEVERAL:
            group.add_argument(option, action="append", default=[], metavar="TEXT", help=used_by)
        elif words:
            group.add_argument(option, choices=tuple(words), help=used_by)
        else:
            group.add_argument(option, metavar="TEXT", help=used_by)


def user_named(name: str) -> User:
    """Return the user of this name; `CommandError` if there is none."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"there is no user {name!r}")
    return user
