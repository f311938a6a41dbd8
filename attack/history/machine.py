"""The machine that is attacked: server, worker, clock, disk and database; each may fail."""

import contextlib
import http.client
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.rating_load import ROOT, free_port

CLOCK = Path(__file__).with_name("clock.c")
ROOM = 256 << 20
SECONDS_TO_START = 60
TRIES = 100


class Machine:
    """Serve from a folder of its own, on SQLite or in a PostgreSQL database of its own.

    Inside a with statement; what was mounted or made is gone afterwards.
    """

    def __init__(self, folder: Path, postgres: str = "") -> None:
        self.folder, self.postgres = folder, postgres
        self.disk, self.clock = Path(), folder / "clock"
        self.name = f"touchstone_history_{os.getpid()}"
        self.port = free_port()
        self.server: subprocess.Popen[bytes] | None = None
        self.has_clock = False
        self.is_mounted = False
        self.stack = contextlib.ExitStack()

    def __enter__(self) -> "Machine":
        with self.stack:
            self._make()
            self.stack = self.stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def _make(self) -> None:
        # Where PostgreSQL, which another user runs, may look into.
        self.disk = Path(tempfile.mkdtemp(prefix="touchstone-disk-"))
        self.stack.callback(shutil.rmtree, self.disk, ignore_errors=True)
        self.disk.chmod(0o755)
        # Only root may mount; elsewhere no disk can be filled.
        options = ["-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(self.disk)]
        mounted = subprocess.run(["mount", *options], check=False, capture_output=True)
        self.is_mounted = mounted.returncode == 0
        if self.is_mounted:
            self.stack.callback(subprocess.run, ["umount", "--lazy", str(self.disk)], check=True)
        self._set_clock(0)
        compile_it = ["cc", "-shared", "-fPIC", "-O2", "-o", str(self.folder / "clock.so")]
        with contextlib.suppress(FileNotFoundError):
            compiled = subprocess.run([*compile_it, str(CLOCK), "-ldl"], check=False)
            self.has_clock = compiled.returncode == 0
        data = self.folder / "data" if self.postgres else self.disk
        data.mkdir(exist_ok=True)
        self.environment = {"TOUCHSTONE_DATA": str(data), "BACKUP_HOURS": "0"}
        self.environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "JOB_LEASE_SECONDS": "2"}
        self.environment |= {"DATABASE_URL": self._database() if self.postgres else ""}
        self.environment |= {"REDIS_URL": ""}

    def _database(self) -> str:
        """Make a database, on the disk that can be filled if there is one; return its address."""
        with self.admin() as connection:
            place = ""
            if self.is_mounted:
                [(folder,)] = connection.execute("SHOW data_directory").fetchall()
                os.chown(self.disk, Path(folder).stat().st_uid, -1)
                connection.execute(f"CREATE TABLESPACE {self.name} LOCATION '{self.disk}'")
                self.stack.callback(self._forget, f"DROP TABLESPACE {self.name}")
                place = f" TABLESPACE {self.name}"
            connection.execute(f"CREATE DATABASE {self.name}{place}")
            self.stack.callback(self._forget, f"DROP DATABASE {self.name} WITH (FORCE)")
        return f"{self.postgres.rpartition('/')[0]}/{self.name}"

    def _forget(self, statement: str) -> None:
        with self.admin() as connection:
            connection.execute(statement)

    def admin(self) -> Any:
        """Connect to the PostgreSQL server, beside the database that is attacked."""
        import psycopg

        return psycopg.connect(self.postgres, autocommit=True)

    def connect(self) -> Any:
        """Connect to the database that is attacked."""
        if self.postgres:
            import psycopg

            return psycopg.connect(self.environment["DATABASE_URL"])
        # Python's own library may have the fault for which Touchstone brings another.
        import pysqlite3

        return pysqlite3.connect(self.disk / "touchstone.sqlite3", timeout=30)

    # Server

    def start(self) -> None:
        """Serve, and wait for the first answer."""
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port), "--no-demo"]
        own = dict(self.environment)
        if self.has_clock:
            own |= {"LD_PRELOAD": str(self.folder / "clock.so"), "HISTORY_CLOCK": str(self.clock)}
        with (self.folder / "server.log").open("ab") as log:
            self.server = subprocess.Popen(
                command, cwd=ROOT, env=os.environ | own, stdout=log, stderr=log
            )
        self.stack.callback(self.kill)
        end = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < end:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            with (
                contextlib.suppress(OSError, http.client.HTTPException),
                contextlib.closing(connection),
            ):
                connection.request("GET", "/sign-in/")
                with connection.getresponse() as answer:
                    answer.read()
                return
            time.sleep(0.1)
        raise TimeoutError((self.folder / "server.log").read_text() + "the server did not start")

    def kill(self) -> None:
        """Kill the server, what it started, and what that started."""
        if self.server is None:
            return
        for pid in family(self.server.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.server.wait()
        self.server = None

    def stop(self) -> None:
        """Let the server end what it has begun."""
        assert self.server is not None
        self.server.terminate()
        self.server.wait()
        self.server = None

    @property
    def _parts(self) -> list[int]:
        """The processes that the server started: the web server's first, then the worker's."""
        assert self.server is not None
        end = time.monotonic() + SECONDS_TO_START
        while len(found := children(self.server.pid)) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        return found

    def kill_worker(self) -> None:
        """Kill the worker of jobs; the server starts another."""
        for pid in family(self._parts[-1]):
            os.kill(pid, signal.SIGKILL)

    def kill_web_process(self) -> None:
        """Kill one of the processes that answer requests; gunicorn starts another."""
        os.kill(children(self._parts[0])[0], signal.SIGKILL)

    @contextlib.contextmanager
    def paused(self) -> Any:
        """Let a process that answers requests stand still, in the midst of whatever it does."""
        pid = children(self._parts[0])[-1]
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    # What it stands on

    @contextlib.contextmanager
    def full_disk(self) -> Any:
        """Take all room that is left on the disk of the database."""
        # What is written meanwhile makes the disk too small for what is on it; then once more.
        for _ in range(TRIES):
            info = os.statvfs(self.disk)
            if self._resize((info.f_blocks - info.f_bfree) * info.f_frsize):
                break
        else:
            raise RuntimeError("the disk could not be filled")
        try:
            yield
        finally:
            self._resize(ROOM)

    def _resize(self, size: int) -> bool:
        command = ["mount", "-o", f"remount,size={size}", str(self.disk)]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0

    @contextlib.contextmanager
    def clock_off_by(self, seconds: int) -> Any:
        """Let server and worker believe in another time."""
        self._set_clock(seconds)
        try:
            yield
        finally:
            self._set_clock(0)

    def _set_clock(self, seconds: int) -> None:
        # Not a new file: processes have this one in their memory.
        with open(self.clock, "r+b" if self.clock.exists() else "wb") as file:
            file.write(struct.pack("=q", seconds))

    def cut_connections(self) -> int:
        """End every connection to the database; return how many there were."""
        with self.admin() as connection:
            ended = connection.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s",
                [self.name],
            )
            return int(ended.fetchone()[0])

    @contextlib.contextmanager
    def locked_database(self) -> Any:
        """Hold SQLite's lock of writers, as a backup or another program might."""
        with contextlib.closing(self.connect()) as connection:
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                connection.execute("ROLLBACK")


def children(pid: int) -> list[int]:
    """Return the processes that a process started and that still run, the oldest first."""
    found: list[int] = []
    for each in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, each.read_text().split())
    return sorted(found)


def family(pid: int) -> list[int]:
    """Return a process, what it started, and what that started."""
    found = [pid]
    for each in found:
        found += children(each)
    return found
