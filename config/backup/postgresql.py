"""Backups of a PostgreSQL database, by pg_dump and pg_restore."""

import os
import subprocess  # nosec B404  # starts pg_dump and pg_restore, no shell
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction

from config.backup.manifest import BackupError, Contents
from config.private_files import private_file
from corpus.storage.locks import session_lock

FILE = "database.pgdump"
_LOCK = 0x6261636B7570  # Any number that no other lock of PostgreSQL has: the letters of "backup".


def address() -> str:
    """Return which database this is."""
    values = connection.settings_dict
    return f"{values['HOST']}:{values['PORT']}/{values['NAME']}"


def size() -> int:
    """Return 0: how much the dump is compressed is not known before."""
    return 0


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """Let one process on all machines make backups at a time; say whether it is this one."""
    with session_lock(_LOCK) as take:
        yield take(False)


def copy(target: Path) -> Contents:
    """Dump the database as it is at one moment, and count the rows of the same moment."""
    private_file(target).close()
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot(), current_schema()")
        snapshot, schema = cursor.fetchone()
        _run(
            "pg_dump",
            *("--format=custom", "--no-owner", "--no-privileges", f'--schema="{schema}"'),
            *(f"--snapshot={snapshot}", f"--file={target}"),
        )
        return contents()


def is_in_use() -> bool:
    """Whether anybody else is connected to the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return cursor.fetchone() is not None


def is_filled() -> bool:
    """Whether the database has tables."""
    return bool(connection.introspection.table_names())


@contextmanager
def restored(dump: Path, suffix: str) -> Iterator[Callable[[], str]]:
    """Restore a dump in one transaction; the present tables move to another schema.

    `put_back` undoes that. The function that is given returns where they are now.
    """
    aside = _schema_aside(suffix) if is_filled() else ""
    schema = _schema()
    if aside:
        _execute(f'ALTER SCHEMA "{schema}" RENAME TO "{aside}"', f'CREATE SCHEMA "{schema}"')
    _run(
        "pg_restore",
        *("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"),
        *(f"--schema={schema}", f"--dbname={connection.settings_dict['NAME']}"),
        str(dump),
    )
    yield lambda: f"schema {aside} of the database" if aside else ""


def put_back(suffix: str, *, had_one: bool) -> None:
    """Put the tables that were there before a restore back, however far that had come."""
    aside, schema = _schema_aside(suffix), _schema()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [aside])
        was_moved = cursor.fetchone() is not None
    if was_moved or not had_one:
        back = f'ALTER SCHEMA "{aside}" RENAME TO' if was_moved else "CREATE SCHEMA"
        _execute(f'DROP SCHEMA "{schema}" CASCADE', f'{back} "{schema}"')


def _schema_aside(suffix: str) -> str:
    return suffix.replace("-", "_").lower()


def _schema() -> str:
    """Return the schema in use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        return str(cursor.fetchone()[0])


def contents() -> Contents:
    """Return what the database holds."""
    with connection.cursor() as cursor:
        rows = {}
        for name in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT COUNT(*) FROM "{name}"')  # noqa: S608
            rows[name] = cursor.fetchone()[0]
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
        return Contents(rows, dict(cursor.fetchall()))


def _execute(*statements: str) -> None:
    """Run statements in one transaction, and forget what was prepared for the tables before."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    connection.close()


def _run(program: str, *arguments: str) -> None:
    values = connection.settings_dict
    _, given = connection.client.settings_to_cmd_args_env(values, [])
    names = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "NAME": "PGDATABASE"}
    where = {variable: str(values[name]) for name, variable in names.items() if values[name]}
    try:
        subprocess.run(  # noqa: S603
            [program, *arguments],
            env={**os.environ, **(given or {}), **where},
            check=True,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        raise BackupError(
            f"{program} is not installed on this machine. Install PostgreSQL's client programs, "
            "of the server's version or newer (Debian: postgresql-client)."
        ) from None
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program} failed: {error.stderr.strip()}") from None
