"""Every connection to SQLite has the settings that keep ratings safe, or is refused."""

import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

from config import FIRST_SOUND_VERSION
from config.database.sqlite import base
from tests.fixtures.machine import ROOT

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _on_sqlite():
    if connection.vendor != "sqlite":
        pytest.skip("this run's database is not SQLite")


@pytest.fixture
def wrapper(tmp_path):
    """A connection of its own to a new file."""
    settings = connection.settings_dict | {"NAME": str(tmp_path / "own.sqlite3")}
    wrapper = base.DatabaseWrapper(settings)
    yield wrapper
    wrapper.close()


def counted_elsewhere(name):
    """Let another process, with the library that Python links, count rows and end."""
    count = "SELECT count(*) FROM kept"
    code = (
        f"import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('{count}').fetchone())"
    )
    command = [sys.executable, "-c", code, name]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)


def value(pragma, wrapper):
    with wrapper.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        return cursor.fetchone()[0]


def test_a_second_connection_leaves_the_first_its_locks(wrapper):
    """A process that opens and closes the file by itself loses all its locks on it.

    Another process that ends then deletes the write-ahead log under those that go on writing.
    """
    name = wrapper.settings_dict["NAME"]
    with wrapper.cursor() as cursor:
        cursor.execute("CREATE TABLE kept (number INTEGER)")
    second = base.DatabaseWrapper(wrapper.settings_dict)
    assert value("journal_mode", second) == "wal"
    second.close()
    assert counted_elsewhere(name) == 0
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO kept VALUES (1)")
    assert counted_elsewhere(name) == 1


@pytest.mark.django_db(transaction=True)
def test_a_transaction_takes_its_write_lock_at_once(wrapper):
    wrapper.settings_dict["OPTIONS"] = wrapper.settings_dict["OPTIONS"] | {"timeout": 0.1}
    wrapper.settings_dict["NAME"] = connection.settings_dict["NAME"]
    with transaction.atomic():
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM corpus_study")
        with pytest.raises(base.sqlite3.OperationalError, match="locked"):
            wrapper.connection.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize("pragma", ["journal_mode=DELETE", "synchronous=NORMAL"])
def test_a_connection_without_these_settings_is_refused(wrapper, pragma):
    options = wrapper.settings_dict["OPTIONS"]
    wrapper.settings_dict["OPTIONS"] = options | {
        "init_command": f"{options['init_command']}; PRAGMA {pragma}"
    }
    with pytest.raises(ImproperlyConfigured, match="expected wal and 2"):
        wrapper.connect()


def test_a_library_with_the_reset_bug_is_refused(wrapper, monkeypatch):
    monkeypatch.setattr(base.sqlite3, "sqlite_version_info", (3, 51, 2))
    with pytest.raises(ImproperlyConfigured, match=r"3\.51\.2 can corrupt"):
        wrapper.connect()


def test_a_fresh_process_uses_a_sound_library_whatever_python_links(empty_environment):
    code = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "with connection.cursor() as cursor:\n"
        "    cursor.execute('SELECT sqlite_version()')\n"
        "    print(cursor.fetchone()[0])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=empty_environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert tuple(map(int, result.stdout.split("."))) >= FIRST_SOUND_VERSION
