"""Modules whose SQL differs between databases, and whether a run on PostgreSQL reaches them all.

`tests/on_postgresql.txt` lists the tests that CI runs on PostgreSQL too. `pytest --dialect` watches
every query there and fails at the end if none came from one of these modules.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SIGNS = (
    *(r"\.vendor\b", r"\.cursor\(", r"connection\.(features|ops)\b", "statements import"),
    *("select_for_update", "ignore_conflicts", "KeyTransform", r"iterator\(chunk_size"),
    *("IntegrityError", "OperationalError", r"\bDatabaseError\b(?!\")"),
)
"""Raw SQL, locks of rows, JSON in SQL, cursors on the server, and what a broken rule raises."""
ELSEWHERE = {"corpus/management/commands/work.py"}
"""Runs in processes that tests start, where nobody watches."""


def modules() -> set[str]:
    """Return the modules that bear a sign, as paths in the repository."""
    signs = re.compile("|".join(SIGNS))
    return {
        str(path.relative_to(ROOT))
        for app in ("analysis", "annotation", "corpus", "metrics", "config")
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts and signs.search(path.read_text(encoding="utf-8"))
    } - ELSEWHERE


class Watch:
    """Plugin that notes from which files queries come, in all processes of a run."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def pytest_sessionstart(self) -> None:
        """Watch the connections of all threads."""
        from django.db.backends.signals import connection_created

        connection_created.connect(self._watch)

    def _watch(self, connection: Any, **_: Any) -> None:
        if self.note not in connection.execute_wrappers:
            connection.execute_wrappers.append(self.note)

    def note(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        """Note the files of all frames, then run the query."""
        frame = sys._getframe(1)
        while frame := frame.f_back:
            self.files.add(frame.f_code.co_filename)
        return execute(*arguments)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand what was noted to the first process; fail there if something was not reached."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["files"] = sorted(self.files)
            return
        missed = [name for name in sorted(modules()) if str(ROOT / name) not in self.files]
        if missed:
            writer = session.config.get_terminal_writer()
            writer.line("\n  ".join(["No query on PostgreSQL came from:", *missed]), red=True)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what another process has noted; one that crashed hands over nothing."""
        self.files.update(getattr(node, "workeroutput", {}).get("files", ()))
