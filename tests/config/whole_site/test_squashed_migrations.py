"""A new database takes the squashed migrations; one that began with the replaced goes on with them.

Both have the same schema, with its triggers.
"""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tests.fixtures.machine import ROOT
from tests.fixtures.migration_chain import steps
from tests.fixtures.nonempty import at_least_one

GO_ON = """
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from tests.fixtures.migration_chain import chain, steps
executor, begun = chain(), steps()[:{number}]
executor.migrate(begun)
recorder = MigrationRecorder(connection)
for step in set(recorder.applied_migrations()) - set(begun):
    assert "squashed" in step[1], step
    recorder.record_unapplied(*step)  # no earlier version knew it
call_command("migrate", verbosity=0)
"""
REPLACED = steps()


def schema(url):
    """Return the definitions of all tables, indexes, constraints, triggers and functions."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
            rows = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
            return sorted((*row, parts(sql)) for *row, sql in rows)
    dump = ["pg_dump", "--schema-only", "--no-owner", "--no-privileges", url]
    written = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
    # Lines with a backslash are for psql alone, and differ each time.
    return [line for line in written.splitlines() if not line.startswith("\\")]


def parts(sql):
    """Return columns and constraints in any order: SQLite puts a column that changed at the end."""
    return sorted(sql.rstrip(")").split(", ")) if sql else []


def stopped_after(number, env):
    """Apply so many of the replaced migrations to an empty database, then all that is left."""
    code = GO_ON.format(number=number)
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.django_db
def test_a_new_database_applies_the_squashed_migrations_alone():
    squashed = [key for key, each in MigrationLoader(None).disk_migrations.items() if each.replaces]
    plan = MigrationLoader(None).graph.forwards_plan
    assert {app for app, _ in squashed} == {"analysis", "annotation", "corpus", "metrics"}
    for key in squashed:
        assert not set(plan(key)) & set(MigrationLoader(None).disk_migrations[key].replaces)


def test_each_squashed_migration_replaces_every_earlier_one_of_its_app():
    migrations = MigrationLoader(None).disk_migrations
    squashed = (key for key, migration in migrations.items() if migration.replaces)
    for app, name in at_least_one(squashed):
        last = name.partition("_squashed_")[2]
        earlier = {key for key in migrations if key[0] == app and key[1] <= last and key[1] != name}
        assert set(migrations[app, name].replaces) == earlier


@pytest.mark.django_db
def test_the_squashed_migrations_make_the_schema_of_those_that_they_replace(empty_environment):
    stopped_after(len(REPLACED), empty_environment)
    assert schema(empty_environment["DATABASE_URL"]) == schema(url_of(connection.settings_dict))


@pytest.mark.nightly
@pytest.mark.django_db
@pytest.mark.parametrize("number", range(1, len(REPLACED)))
def test_a_database_that_stopped_midway_goes_on(number, empty_environment):
    stopped_after(number, empty_environment)
    assert schema(empty_environment["DATABASE_URL"]) == schema(url_of(connection.settings_dict))


def url_of(values):
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    server = os.environ["DATABASE_URL"].rpartition("/")[0]
    return f"{server}/{values['NAME']}"
