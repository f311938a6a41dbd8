"""Measure Touchstone and other tools in turns, and write `docs/benchmarks.md`.

    scripts/with_services.sh --fsync python -m benchmarks.peers [--trial | --full | --large]

Each tool is installed, pinned, into an environment of its own that is kept in the user's cache
folder, and is started as its README says, one after the other, with nothing else running. What
cannot be measured is named with the reason. All is kept in `benchmarks/measured.json`, of which the
page is written.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.peers import environments
from benchmarks.peers.doccano import Doccano
from benchmarks.peers.label_studio import LabelStudio
from benchmarks.peers.machine import commit, machine
from benchmarks.peers.measured import keep, write_page
from benchmarks.peers.page import page_of
from benchmarks.peers.pearmut import Pearmut
from benchmarks.peers.potato import Potato
from benchmarks.peers.sitting import Record, Sizes, first_start, visit, visit_large
from benchmarks.peers.tool import Place, Tool
from benchmarks.peers.touchstone import Touchstone

TOOLS: tuple[type[Tool], ...] = (Touchstone, Pearmut, Potato, LabelStudio, Doccano)
TRIAL = Sizes((200,), (500,), (1, 4), 0.5)
QUICK = Sizes((1000, 5000, 100_000), (5000, 100_000), (1, 20, 100), 3)
LARGE = Sizes((100_000,), (100_000,), (1, 20, 100), 3)
FULL = Sizes((1000, 5000, 100_000), (5000, 100_000), (1, 20, 100), 20)
KINDS = {"trial": TRIAL, "large": LARGE, "full": FULL}
ROUNDS = 2
LARGE_TURN = "large projects"
MINUTES = 21
LARGE_MINUTES = 60
Visit = Callable[[Tool, Sizes, Record], bool]


@dataclass
class Entry:
    """A tool with one database; the tool is None where it cannot be measured, or not be started."""

    record: Record
    make: Callable[[], Tool] | None = None
    tool: Tool | None = None


def entries(tool: type[Tool], folder: Path, server: str) -> list[Entry]:
    """Return a tool with each database, or a record of why it cannot be measured."""
    records = [Record(tool.title, database) for database in (tool.storage, "PostgreSQL")]
    programs = Path(sys.executable).parent
    try:
        if tool.package.requirements:
            print(f"installing {tool.title}, if it is not there", flush=True)
            programs = environments.installed(tool.package)
    except environments.NotInstalled as reason:
        for record in records:
            record.reasons["all"] = f"could not be installed: {reason}"
        return [Entry(record) for record in records]
    made = []
    for record, address in zip(records, ("", server), strict=True):
        if record.database == "PostgreSQL" and (tool.no_postgresql or not server):
            record.reasons["all"] = tool.no_postgresql or "no PostgreSQL server was there"
            made.append(Entry(record))
            continue

        def make(address: str = address) -> Tool:
            place = Path(tempfile.mkdtemp(prefix=f"{tool.__name__}-", dir=folder))
            return tool(Place(place, programs, address))

        made.append(Entry(record, make))
    return made


def main() -> None:
    """Measure what was asked for, in turns."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--page", action="store_true", help="only write the page anew")
    parser.add_argument("--trial", action="store_true", help="small, and nothing is kept")
    parser.add_argument("--full", action="store_true", help="longer loads; an hour or more")
    parser.add_argument(
        "--large", action="store_true", help="only large projects, in a sitting of their own"
    )
    parser.add_argument("--rounds", type=int, help=f"turns; {ROUNDS}, or 1 with --trial")
    parser.add_argument("--only", nargs="*", help="titles of tools", metavar="TITLE")
    parser.add_argument("--items", type=int, nargs="*", help="sizes of imports")
    parser.add_argument("--rated", type=int, nargs="*", help="sizes at which people rate")
    parser.add_argument("--clients", type=int, nargs="*", help="raters at once")
    parser.add_argument("--seconds", type=float, help="of each load")
    parser.add_argument(
        "--minutes", type=float,
        help=f"after which nothing more is begun; {MINUTES}, {LARGE_MINUTES} with --large, or none "
        "with --full",
    )  # fmt: skip
    options = parser.parse_args()
    if options.page:
        return write_page()
    default = next((size for name, size in KINDS.items() if getattr(options, name)), QUICK)
    sizes = Sizes(
        tuple(options.items or default.imported),
        tuple(options.rated or default.rated),
        tuple(options.clients or default.clients),
        options.seconds or default.seconds,
        options.minutes or (600 if options.full else LARGE_MINUTES if options.large else MINUTES),
    )
    rounds = 0 if options.large else options.rounds or (1 if options.trial else ROUNDS)
    chosen = [tool for tool in TOOLS if not options.only or tool.title in options.only]
    server = os.environ.get("TEST_POSTGRES_URL", "")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="touchstone-peers-") as name:
        known = [each for tool in chosen for each in entries(tool, Path(name), server)]
        about = machine()
        turns: list[tuple[str, Visit]] = [
            (f"round {turn + 1}", partial(visit, first=turn == 0)) for turn in range(rounds)
        ]
        turns += [(LARGE_TURN, visit_large)] * bool(sizes.large)
        with suppress(KeyboardInterrupt):  # What was measured until then is kept.
            for number, (title, turn) in enumerate(turns):
                for entry in reversed(known) if number == 1 else known:
                    take_turn(entry, title, turn, sizes)
        about |= {"minutes": round((time.monotonic() - begun) / 60), "rounds": max(1, rounds)}
    measured = {
        "about": about,
        "sizes": {
            **{"imported": sizes.imported, "rated": sizes.rated, "clients": sizes.clients},
            "seconds": sizes.seconds,
        },
        "tools": {tool.title: described(tool) for tool in chosen},
        "records": [vars(entry.record) for entry in known],
    }
    if options.trial:
        return print(page_of({"peers": measured}))
    return keep("large" if options.large else "peers", measured)


def take_turn(entry: Entry, title: str, turn: Visit, sizes: Sizes) -> None:
    """Measure a tool; one that does not even start stops no other."""
    begun, record = time.monotonic(), entry.record
    if entry.make is None or "all" in record.reasons:
        return
    if sizes.too_late:
        record.reasons.setdefault(title, f"the sitting had taken {sizes.minutes:g} minutes")
        return
    print(f"-- {record.tool}, {record.database}, {title}", flush=True)
    tool, entry.tool = entry.tool, None
    with record.step("again" if record.figures else "all"):
        if tool is None:
            tool = entry.make()
            first_start(tool, record)
            tool.server.stop()
        if turn(tool, sizes, record):
            entry.tool = tool
    if tool:
        tool.server.kill()
    print(f"   {time.monotonic() - begun:.0f} s", flush=True)


def described(tool: type[Tool]) -> dict[str, Any]:
    """Return what the reader is told about a tool, and all that is installed for it."""
    ours = not tool.package.requirements
    return {
        "version": commit() if ours else tool.package.requirements[0].partition("==")[2],
        "python": "" if ours else environments.python_of(tool.package),
        "driven": tool.driven,
        "repaired": tool.package.repaired,
        "installed": [] if ours else environments.versions(tool.package),
    }


if __name__ == "__main__":
    main()
