"""What `manage.py` and the installed command `touchstone` both do."""

import os
import sys

import config  # noqa: F401  (swaps SQLite before Django loads it)


def run(arguments: list[str]) -> None:
    """Hand a command line to Django, or to Celery if its first word says so."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.faults import last_words

    try:
        if arguments[1:2] == ["celery"]:
            from config.celery import app

            app.start(arguments[2:])
        else:
            from django.core.management import execute_from_command_line

            execute_from_command_line(arguments)
    except Exception as error:
        words = last_words(error)
        if words is None or "--traceback" in arguments:
            raise
        sys.exit(words)
