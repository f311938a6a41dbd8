"""The processes of a site, and what memory and processor time they take."""

import contextlib
import os
import re
import threading
from pathlib import Path

from attack.site import Site

PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


def processes(site: Site) -> set[int]:
    """Return the site's first process and all that came from it."""
    found, waiting = set(), [site.process]
    while waiting:
        found.add(process := waiting.pop())
        with contextlib.suppress(OSError):
            for children in Path(f"/proc/{process}/task").glob("*/children"):
                waiting += map(int, children.read_text().split())
    return found


def resident_megabytes(process: int) -> int:
    """Return the most memory that a process has had."""
    with contextlib.suppress(OSError):
        if peak := PEAK.search(Path(f"/proc/{process}/status").read_text()):
            return int(peak[1]) >> 10
    return 0


def processor_seconds(site: Site) -> float:
    """Return what a site's processes and those that they waited for have taken of a processor.

    Unlike the time that passes, it is the same on a machine that does other work besides.
    """
    ticks = 0
    for process in processes(site):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


class MemoryWatch(threading.Thread):
    """Remember the most memory that one process of a site has had, inside a with statement."""

    def __init__(self, site: Site) -> None:
        super().__init__(daemon=True)
        self.site, self.most, self.stopped = site, 0, threading.Event()

    def __enter__(self) -> "MemoryWatch":
        for process in processes(self.site):
            # What was the most until now is forgotten.
            Path(f"/proc/{process}/clear_refs").write_text("5")
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stopped.set()
        self.join()

    def run(self) -> None:
        while not self.stopped.wait(0.1):
            self.most = max(self.most, *map(resident_megabytes, processes(self.site)))
