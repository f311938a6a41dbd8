"""How long a start takes until a page is answered, as people meet it after `make run`.

    python -m benchmarks.starts [--starts 5]

The first start makes the database and the demo study; its page is that on which one signs in. Later
ones serve that page, an annotator's rating page, and a report that is stored. The clock runs from
the start of the command to the last byte of the answer. Processor seconds are those of all
processes by then, megabytes what they hold together, shared pages counted once.
"""

import argparse
import contextlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.rating_load import prepare
from benchmarks.site import ROOT, Session, environment, free_port

SIGN_IN = "/sign-in/"
REPORT = "/studies/formality-demo/correlation/"
TICK = os.sysconf("SC_CLK_TCK")


class Start(NamedTuple):
    """What was measured until one answer."""

    seconds: float
    processor: float
    megabytes: float


@dataclass
class Running:
    """A server that was started, and what it prints."""

    folder: Path
    port: int

    def __enter__(self) -> "Running":
        self.begun = time.perf_counter()
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.log = self.folder / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment(self.folder), stdout=log, stderr=log
            )
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    def first_answer(self, page: str, cookies: dict[str, str]) -> Start:
        """Ask for a page until it is answered."""
        session = Session(self.port)
        session.cookies = dict(cookies)
        while True:
            with contextlib.suppress(ConnectionRefusedError):
                status, _ = session.ask("GET", page)
                break
            if self.process.poll() is not None:
                raise SystemExit(f"the server did not start: {self.log.read_text()}")
            time.sleep(0.01)
        seconds = time.perf_counter() - self.begun
        if status != 200:
            raise SystemExit(f"{page} answers {status}")
        family = processes_of(self.process.pid)
        return Start(seconds, sum(map(processor_of, family)), held_megabytes(self.process.pid))

    def pages(self) -> dict[str, tuple[str, dict[str, str]]]:
        """Return pages with the cookies that open them, once the report is stored."""
        [[public_id, token]] = prepare(self.folder, 20, 1, "shared_queue", 1)
        rater, owner = Session(self.port), Session(self.port)
        rater.ask("GET", f"/join/{token}/")
        [link] = re.findall(r"Sign in once as .*:\d+(/\S+)", self.log.read_text())
        [guard, *_] = re.findall(
            r'name="csrfmiddlewaretoken" value="(\w+)"', owner.ask("GET", link)[1]
        )
        owner.ask("POST", link, {"csrfmiddlewaretoken": guard})
        while owner.ask("GET", REPORT)[0] == 202:
            time.sleep(0.5)
        return {
            "sign in": (SIGN_IN, {}),
            "rating page": (f"/rate/{public_id}/", rater.cookies),
            "report": (REPORT, owner.cookies),
        }


def processes_of(pid: int) -> list[Path]:
    """Return the folders in /proc of a process and of all that it started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):  # It has just ended.
            continue
    family = [pid]
    for each in family:
        family += [child for child, parent in parents.items() if parent == each]
    return [Path("/proc") / str(each) for each in family]


def processor_of(process: Path) -> float:
    """Return the processor seconds of a process and of its children that have ended."""
    return sum(map(int, (process / "stat").read_text().rpartition(")")[2].split()[11:15])) / TICK


def held_megabytes(pid: int) -> float:
    """Return what a process and all that it started hold, shared pages counted once."""
    total = 0.0
    for process in processes_of(pid):
        with contextlib.suppress(OSError):  # It may just have ended.
            found = re.search(r"^Pss: +(\d+)", (process / "smaps_rollup").read_text(), re.MULTILINE)
            total += int(found[1]) / 1024 if found else 0
    return total


def show(what: str, starts: list[Start]) -> None:
    """Print medians."""
    seconds, processor, megabytes = (statistics.median(each) for each in zip(*starts, strict=True))
    print(f"{what:24}{seconds:8.2f} s {processor:8.2f} s of a processor {megabytes:6.0f} MB")


def main() -> None:
    """Start again and again, each time for one page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--starts", type=int, default=5, help="of which medians are shown")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        firsts = []
        for number in range(options.starts):
            folder = Path(name) / str(number)
            folder.mkdir()
            with Running(folder, free_port()) as running:
                firsts.append(running.first_answer(SIGN_IN, {}))
                if number == options.starts - 1:
                    pages = running.pages()
        show("first start, sign in", firsts)
        for what, (page, cookies) in pages.items():
            taken = []
            for _ in range(options.starts):
                with Running(folder, free_port()) as running:
                    taken.append(running.first_answer(page, cookies))
            show(f"again, {what}", taken)


if __name__ == "__main__":
    main()
