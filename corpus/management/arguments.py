"""What several commands read from their arguments."""

from collections.abc import Iterable

from django.core.management.base import CommandError

from corpus.models import Study


def study_named(slug: str) -> Study:
    """Return the study of this slug.

    Raises
    ------
    CommandError
        If there is none; the message lists those that there are.
    """
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"no study {slug!r}; there are: {known}")
    return study


def named_values(option: str, given: Iterable[str]) -> dict[str, str]:
    """Return values that were given as NAME=VALUE, by their names; `CommandError` for others."""
    found = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise CommandError(f"{option} {each}: expected NAME=VALUE")
        found[name] = value
    return found
