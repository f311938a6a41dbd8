"""Checks of the database: whole, migrated, and by the same clock."""

import time

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.doctor.finding import Finding

_SECONDS_APART = 5
_RESTORE = (
    "Stop Touchstone, keep a copy of the database, and restore the latest backup "
    "(manage.py restore)."
)
_OF_SQLITE = (
    ("PRAGMA quick_check(1)", "pages are damaged"),
    ("PRAGMA foreign_key_check", "rows refer to missing ones"),
)
_HERE = "= (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
_OF_POSTGRESQL = (
    (
        f"SELECT conname FROM pg_constraint WHERE NOT convalidated AND connamespace {_HERE}",  # noqa: S608
        "constraints are not validated",
    ),
    (
        "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"  # noqa: S608
        f" WHERE NOT (indisvalid AND indisready) AND relnamespace {_HERE}",
        "indexes are invalid",
    ),
    (
        "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"  # noqa: S608
        f" WHERE tgenabled = 'D' AND relnamespace {_HERE}",
        "triggers are disabled",
    ),
)


def integrity() -> Finding:
    """Look for damage, and for rules that the database no longer enforces."""
    wrong = []
    with connection.cursor() as cursor:
        for query, words in _OF_SQLITE if connection.vendor == "sqlite" else _OF_POSTGRESQL:
            cursor.execute(query)
            if found := sorted({str(row[0]) for row in cursor.fetchall()} - {"ok"}):
                wrong.append(f"{words} ({', '.join(found)})")
    if wrong:
        return Finding("database", "broken", f"In the database {'; '.join(wrong)}.", _RESTORE)
    return Finding("database", "ok", "The database is whole.")


def migrations() -> Finding:
    """Look for migrations that this version lacks, and for those that wait."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    unknown = [
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    ]
    if unknown:
        words = f"The database is of a newer version: {', '.join(sorted(unknown))}."
        return Finding("migrations", "broken", words, "Install the version that wrote it.")
    if pending := executor.migration_plan(loader.graph.leaf_nodes()):
        words = f"{len(pending)} migrations wait: the first is {pending[0][0]}."
        return Finding("migrations", "broken", words, "Run manage.py migrate, or restart serve.")
    return Finding("migrations", "ok", "All migrations are applied.")


def clock() -> Finding:
    """Compare the clock of the database with that of this machine."""
    now = (
        "unixepoch('subsec')"
        if connection.vendor == "sqlite"
        else ("EXTRACT(EPOCH FROM clock_timestamp())")
    )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {now}")
        apart = abs(float(cursor.fetchone()[0]) - time.time())
    if apart > _SECONDS_APART:
        words = f"The clock of the database is {apart:,.0f} s from this machine's."
        return Finding("clock", "warning", words, "Let both follow a time server (NTP).")
    return Finding("clock", "ok", "The database and this machine have the same time.")
