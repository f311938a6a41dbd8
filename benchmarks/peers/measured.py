"""What was measured last, kept as JSON beside the benchmarks, and the page written of it."""

import json
from pathlib import Path
from typing import Any

from benchmarks.fresh_site import ROOT
from benchmarks.peers.page import page_of

MEASURED = ROOT / "benchmarks" / "measured.json"
PAGE = ROOT / "docs" / "benchmarks.md"


def read(path: Path = MEASURED) -> dict[str, Any]:
    """Return what was measured: by name of the benchmark."""
    measured: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return measured


def keep(name: str, measured: dict[str, Any]) -> None:
    """Keep what a benchmark measured in place of the time before, and write the page anew."""
    everything = read() | {name: measured}
    MEASURED.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")
    write_page()


def write_page() -> None:
    """Write the page of what was measured."""
    PAGE.write_text(page_of(read()), encoding="utf-8")
