"""A connection to PostgreSQL that is sound costs no question; one that has ended is replaced."""

import psycopg
import pytest
from django.db import connection

from config.database.address import database_at

pytestmark = [pytest.mark.postgres, pytest.mark.dialect, pytest.mark.django_db]


def test_only_a_connection_that_looks_broken_is_asked(postgres_url):
    from config.database.postgresql.base import DatabaseWrapper

    wrapper = DatabaseWrapper(connection.settings_dict | database_at(postgres_url))
    try:
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT 2, pg_backend_pid()")
            process = cursor.fetchone()[1]
        with psycopg.connect(postgres_url, autocommit=True) as other:
            assert wrapper.is_usable()
            latest = "SELECT query FROM pg_stat_activity WHERE pid = %s"
            assert other.execute(latest, [process]).fetchone()[0].startswith("SELECT 2")
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
        assert not wrapper.is_usable()
        # As at the start of each request.
        wrapper.close_if_unusable_or_obsolete()
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            assert cursor.fetchone()[0] != process
    finally:
        wrapper.close()
    assert not wrapper.is_usable()
