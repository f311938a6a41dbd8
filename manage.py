#!/usr/bin/env python
"""Run Touchstone's administrative commands."""

import os
import sys


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    import config  # noqa: F401  (swaps SQLite before Django loads it)
    from config.faults import last_words

    try:
        execute_from_command_line(sys.argv)
    except Exception as error:
        words = last_words(error)
        if words is None or "--traceback" in sys.argv:
            raise
        sys.exit(words)


if __name__ == "__main__":
    main()
