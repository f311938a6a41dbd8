"""How CI runs the tests: which on PostgreSQL too, which first."""

import pytest
from django.db import connection

from tests.fixtures.dialect import ROOT, Watch, modules

LIST = ROOT / "tests" / "on_postgresql.txt"


def test_the_list_is_sorted_and_names_files_that_exist():
    names = LIST.read_text(encoding="utf-8").splitlines()
    assert names == sorted(set(names))
    assert [name for name in names if not (ROOT / name).is_file()] == []


def test_modules_with_sql_of_their_own_are_found():
    found = modules()
    assert {"annotation/queue/statements.py", "corpus/triggers.py", "corpus/jobs/queue.py"} <= found
    assert "analysis/filter/question.py" not in found


def test_files_that_come_first_exist():
    names = (ROOT / "tests" / "longest_first.txt").read_text(encoding="utf-8").split()
    assert len(names) == len(set(names))
    assert set(names) <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}


@pytest.mark.django_db
def test_the_watch_notes_where_a_query_comes_from():
    watch = Watch()
    with connection.execute_wrapper(watch.note), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert __file__ in watch.files
