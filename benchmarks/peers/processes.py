"""The processes of a server: started until they answer, measured, stopped and killed."""

import contextlib
import http.client
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.second_start import free_port, megabytes_of, processes_of

LONGEST_START = 300
OWN = ("DATABASE_URL", "REDIS_URL", "TOUCHSTONE_DATA", "DJANGO_SETTINGS_MODULE", "PYTHONPATH")


class DidNotStart(Exception):
    """A command failed, or a server did not answer."""


@dataclass
class Server:
    """One or more commands that serve together on one port.

    Parameters
    ----------
    folder
        Where they run, and where their log is.
    commands
        `{port}` stands for the port.
    variables
        Their environment beside this process's.
    ready
        The page that answers once people can sign in.
    in_the_way
        A file that a killed server leaves, and that has to be deleted before the next start.
    """

    folder: Path
    commands: Sequence[Sequence[str]]
    variables: Mapping[str, str]
    ready: str = "/"
    in_the_way: Path | None = None
    port: int = 0
    running: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    @property
    def log(self) -> Path:
        """Return the file of what the commands print."""
        return self.folder / "server.log"

    def environment(self) -> dict[str, str]:
        """Return the environment of the commands."""
        kept = {name: value for name, value in os.environ.items() if name not in OWN}
        return kept | {"HOME": str(self.folder)} | dict(self.variables)

    def run(self, *command: str, given: str = "") -> str:
        """Run another command of the tool to its end; return what it printed."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment(), input=given, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if done.returncode:
            raise DidNotStart(f"{Path(command[0]).name} {command[1]}: {_last_line(done.stdout)}")
        return done.stdout

    def start(self) -> None:
        """Start, and return when the page answers."""
        self.port = self.port or free_port()
        with self.log.open("wb") as log:
            for command in self.commands:
                parts = [part.replace("{port}", str(self.port)) for part in command]
                self.running.append(
                    subprocess.Popen(
                        parts,
                        cwd=self.folder,
                        env=self.environment(),
                        stdout=log,
                        stderr=log,
                        stdin=subprocess.DEVNULL,
                        start_new_session=True,
                    )
                )
        end = time.monotonic() + LONGEST_START
        while not self._answers():
            ended = any(process.poll() is not None for process in self.running)
            if ended or time.monotonic() > end:
                self.kill()
                late = "" if ended else f"no answer after {LONGEST_START} s: "
                raise DidNotStart(late + _last_line(self.log.read_text(errors="replace")))
            time.sleep(0.02)

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", self.ready)
            return connection.getresponse().status < 400
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def megabytes(self) -> float:
        """Return what all processes hold; of pages that several share, their parts."""
        return sum(megabytes_of_all(process.pid) for process in self.running)

    def stop(self) -> None:
        """Stop as one does who presses Ctrl+C, and kill what does not listen."""
        for process in self.running:
            process.send_signal(signal.SIGINT)
        for process in self.running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(15)
        self.kill()

    def kill(self) -> None:
        """Kill every process at once, as `kill -9` does."""
        family = [
            int(each.name)
            for process in self.running
            if process.poll() is None
            for each in processes_of(process.pid)
        ]
        for pid in family:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        for process in self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.running = []
        if self.in_the_way:
            self.in_the_way.unlink(missing_ok=True)


def megabytes_of_all(pid: int) -> float:
    """Return what a process and all that it started hold, shared pages counted once."""
    total = 0.0
    for each in processes_of(pid):
        with contextlib.suppress(OSError, StopIteration):  # It may just have ended.
            total += megabytes_of(each)
    return total


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "ended without a word"
