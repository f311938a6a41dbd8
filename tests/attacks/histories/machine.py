"""The machine that fails: server, worker, clock, disk and database of one site."""

import contextlib
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fixtures.served_sites import children, family, free_port, kill, new_database, serve

CLOCK = Path(__file__).with_name("clock.c")
ROOM = 256 << 20
SECONDS_TO_START = 60
TRIES = 100


class Machine:
    """Serve from a folder, on SQLite or in a PostgreSQL database of its own.

    Inside a with statement; what was mounted or made is gone afterwards.
    """

    def __init__(self, folder: Path, postgres: str = "") -> None:
        self.folder, self.postgres = folder, postgres
        self.clock = folder / "clock"
        self.name = f"touchstone_history_{os.getpid()}"
        self.port = free_port()
        self.server: Any = None
        self.variables = {"BACKUP_HOURS": "0", "JOB_LEASE_SECONDS": "2", "REDIS_URL": ""}

    def __enter__(self) -> "Machine":
        with contextlib.ExitStack() as stack:
            self._make(stack)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def _make(self, stack: contextlib.ExitStack) -> None:
        # Where PostgreSQL, which another user runs, may look into.
        self.disk = Path(tempfile.mkdtemp(prefix="touchstone-disk-"))
        stack.callback(shutil.rmtree, self.disk, ignore_errors=True)
        self.disk.chmod(0o755)
        # Only root may mount; elsewhere no disk can be filled.
        options = ["-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(self.disk)]
        mounted = subprocess.run(["mount", *options], check=False, capture_output=True)
        self.is_mounted = mounted.returncode == 0
        if self.is_mounted:
            stack.callback(subprocess.run, ["umount", "--lazy", str(self.disk)], check=True)
        data = self.folder / "data" if self.postgres else self.disk
        data.mkdir(exist_ok=True)
        self.variables |= {"TOUCHSTONE_DATA": str(data)}
        if self.postgres:
            self.variables |= self._database(stack)
        self._set_clock(0)
        library = self.folder / "clock.so"
        compiler = shutil.which("cc")
        self.has_clock = compiler is not None
        if compiler:
            command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(CLOCK), "-ldl"]
            subprocess.run(command, check=True)

    def _database(self, stack: contextlib.ExitStack) -> dict[str, str]:
        """Make a database, on the disk that can be filled if there is one."""
        with self._admin() as connection:
            if self.is_mounted:
                [(folder,)] = connection.execute("SHOW data_directory").fetchall()
                os.chown(self.disk, Path(folder).stat().st_uid, -1)
                connection.execute(f"CREATE TABLESPACE {self.name} LOCATION '{self.disk}'")
                stack.callback(self._execute, f"DROP TABLESPACE {self.name}")
        place = f"TABLESPACE {self.name}" if self.is_mounted else ""
        variables = new_database(self.postgres, self.name, place)
        stack.callback(self._execute, f"DROP DATABASE {self.name} WITH (FORCE)")
        return variables

    def _execute(self, statement: str) -> None:
        with self._admin() as connection:
            connection.execute(statement)

    def _admin(self) -> Any:
        """Connect to the PostgreSQL server, outside the database that fails."""
        import psycopg

        return psycopg.connect(self.postgres, autocommit=True)

    def connect(self) -> Any:
        """Connect to the database that fails."""
        if self.postgres:
            import psycopg

            return psycopg.connect(self.variables["DATABASE_URL"])
        # Python's own library may have the fault for which Touchstone brings another.
        import pysqlite3

        return pysqlite3.connect(self.disk / "touchstone.sqlite3", timeout=30)

    # Server

    def start(self) -> None:
        """Serve, and wait for the first answer."""
        clock = {"LD_PRELOAD": str(self.folder / "clock.so"), "HISTORY_CLOCK": str(self.clock)}
        variables = self.variables | (clock if self.has_clock else {})
        self.server = serve(self.folder, self.port, **variables)
        self.stack.callback(kill, self.server)

    def stop(self) -> None:
        """Let the server end what it has begun."""
        self.server.terminate()
        self.server.wait()

    @property
    def _parts(self) -> list[int]:
        """The processes that the server started: the web server's first, then the worker's."""
        end = time.monotonic() + SECONDS_TO_START
        while len(found := children(self.server.pid)) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        return found

    @contextlib.contextmanager
    def without_server(self) -> Iterator[None]:
        """Kill the server, what it started, and what that started; then start it again."""
        kill(self.server)
        yield
        self.start()

    def kill_worker(self) -> None:
        """Kill the worker of jobs; the server starts another."""
        for pid in family(self._parts[-1]):
            os.kill(pid, signal.SIGKILL)

    def kill_web_process(self) -> None:
        """Kill one of the processes that answer requests; gunicorn starts another."""
        os.kill(children(self._parts[0])[0], signal.SIGKILL)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Let a process that answers requests stand still, in the midst of whatever it does."""
        pid = children(self._parts[0])[-1]
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    # Disk, clock and database

    @contextlib.contextmanager
    def full_disk(self) -> Iterator[None]:
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
    def clock_off_by(self, seconds: int) -> Iterator[None]:
        """Let server and worker believe in another time."""
        self._set_clock(seconds)
        try:
            yield
        finally:
            self._set_clock(0)

    def _set_clock(self, seconds: int) -> None:
        # Not a new file: processes have this one in their memory.
        with self.clock.open("r+b" if self.clock.exists() else "wb") as file:
            file.write(struct.pack("=q", seconds))

    def cut_connections(self) -> None:
        """End every connection to the database."""
        self._execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.name}'"
        )

    @contextlib.contextmanager
    def locked_database(self) -> Iterator[None]:
        """Hold SQLite's lock of writers, as a backup or another program might."""
        with contextlib.closing(self.connect()) as connection:
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                connection.execute("ROLLBACK")
