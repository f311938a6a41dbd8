"""Which database an address names, with the settings that keep ratings safe there."""

from importlib.util import find_spec
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from corpus.extras import how_to_install


def database_at(url: str) -> dict[str, Any]:
    """Return Django's settings for the database at an address.

    Raises
    ------
    ImproperlyConfigured
        If it needs a package that is not installed.
    ValueError
        If it is no address of a database.
    """
    found: dict[str, Any] = dict(
        dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True)
    )
    if found["ENGINE"] == "django.db.backends.postgresql":
        found["ENGINE"] = "config.database.postgresql"
        if find_spec("psycopg") is None:
            raise ImproperlyConfigured(f"DATABASE_URL needs psycopg: {how_to_install('postgres')}")
        # Statements of a submission are planned once for each connection
        # (annotation/statements.py).
        options = found.setdefault("OPTIONS", {})
        prepare = options.get("prepare_threshold", "5")
        options["prepare_threshold"] = int(prepare) if prepare.isdecimal() else None
    if found["ENGINE"] == "django.db.backends.sqlite3":
        found["ENGINE"] = "config.database.sqlite"
        found["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000"
            ),
        }
    return found
