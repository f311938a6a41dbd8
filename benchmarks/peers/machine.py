"""What figures were measured on."""

import datetime as dt
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.fresh_site import ROOT


def machine() -> dict[str, Any]:
    """Return processor, memory, system, day, and the load before anything is measured."""
    processor = next(
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "processor": processor,
        "cores": os.cpu_count(),
        "memory": round(memory),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
    }


def commit() -> str:
    """Return which commit of Touchstone is measured."""
    asked = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    found = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return f"commit {found}" if found else "no commit"
