"""The tables that an empty database gets at once are those of all migrations together."""

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.machine import ROOT

BY_MIGRATIONS = """
from django.core.management import call_command
from django.core.management.commands.migrate import Command
call_command(Command(), verbosity=0)
"""
# In migrations, tables that Django makes between two models count rows by bigint, else as the app
# says, which is by integer for those of `auth`.
POSTGRESQL = {
    "columns": """SELECT table_name, column_name, data_type, character_maximum_length, is_nullable,
        column_default, is_identity FROM information_schema.columns
        WHERE table_schema = 'public' AND NOT (table_name LIKE 'auth_%' AND column_name = 'id')""",
    "constraints": """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": """SELECT tgname, pg_get_triggerdef(pg_trigger.oid), prosrc
        FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal""",
    "migrations": "SELECT app, name FROM django_migrations",
}


def migrate(environment, *, at_once):
    arguments = ["migrate", "-v0"] if at_once else ["shell", "-v0", "-c", BY_MIGRATIONS]
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, check=True)
    check = [sys.executable, "manage.py", "migrate", "--check"]
    assert subprocess.run(check, cwd=ROOT, env=environment).returncode == 0


def on_sqlite(path):
    """Return what a file holds by kind and name; columns in whatever order."""
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    applied = connection.execute("SELECT app, name FROM django_migrations").fetchall()
    connection.close()
    made = {(kind, name): parts(sql or "") for kind, name, sql in found}
    return made | {"migrations": set(applied)}


def parts(sql):
    """Return the parts of a statement between the commas that stand in its outer brackets."""
    flat = " ".join(sql.replace('"', " ").split())
    if not flat.startswith("CREATE TABLE"):
        return {flat}
    depth, found = 0, [""]
    for character in flat[flat.index("(") + 1 : flat.rindex(")")]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return {re.sub(r"\s+", " ", part).strip() for part in found}


def on_postgresql(url):
    import psycopg

    with psycopg.connect(url) as connection:
        return {name: set(connection.execute(sql).fetchall()) for name, sql in POSTGRESQL.items()}


@pytest.mark.dialect
def test_they_are_the_same(empty_environment):
    address = empty_environment["DATABASE_URL"]
    migrate(empty_environment, at_once=True)
    made = held(address)
    clear(address)
    migrate(empty_environment, at_once=False)
    found = held(address)
    assert found.keys() == made.keys()
    assert {name: found[name] ^ made[name] for name in made if found[name] != made[name]} == {}
    assert len(made["migrations"]) > 30


def held(address):
    return on_postgresql(address) if address.startswith("postgres") else on_sqlite(path_in(address))


def clear(address):
    if not address.startswith("postgres"):
        path_in(address).unlink()
        return
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def path_in(address):
    return Path(address.removeprefix("sqlite:///"))
