"""One visit to a tool: everything is measured once, with nothing else running."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks.peers.load import Load, lost, over_rated, rate, reason_of
from benchmarks.peers.processes import DidNotStart
from benchmarks.peers.tool import Rater, Text, Tool
from benchmarks.peers.weight import weight_of

RACE_ITEMS, RACE_RATERS, RACE_SECONDS = 100, 20, 15
KILL_ITEMS, KILLED_AFTER, LONGEST_KILL = 5000, 2, 30
WARM_UP = 10
"""Ratings by one rater before a load, in a second at most: some tools load much at the first."""
LARGE = 20_000
"""Items of which so few are rated under a load that the next one needs no new project."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured.

    Parameters
    ----------
    imported
        Numbers of items that are imported, ascending.
    rated
        Those of them at which raters rate.
    clients
        Numbers of raters who rate at once, ascending.
    seconds
        For how long.
    minutes
        After which nothing more is begun.
    begun
        When the sitting began, by the monotonic clock.
    """

    imported: tuple[int, ...]
    rated: tuple[int, ...]
    clients: tuple[int, ...]
    seconds: float
    minutes: float = 600
    begun: float = field(default_factory=time.monotonic)

    @property
    def all(self) -> list[int]:
        """Return all numbers of items, ascending."""
        return sorted({*self.imported, *self.rated})

    @property
    def large(self) -> list[int]:
        """Return those of large projects."""
        return [each for each in self.all if each >= LARGE]

    @property
    def too_late(self) -> bool:
        """Say whether the time is over."""
        return time.monotonic() - self.begun > 60 * self.minutes


@dataclass
class Record:
    """What was measured of one tool with one database.

    Parameters
    ----------
    tool
    database
    figures
        Values by name, one for each round.
    reasons
        Why a figure could not be measured, by name.
    """

    tool: str
    database: str
    figures: dict[str, list[float]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def add(self, **figures: float) -> None:
        """Add figures; two underscores in a name stand for a point."""
        for name, value in figures.items():
            self.figures.setdefault(name.replace("__", "."), []).append(round(value, 4))
            print(f"    {name.replace('__', '.'):28} {value:12,.2f}", flush=True)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Record why a step failed; the others are measured all the same."""
        try:
            yield
        except Exception as error:
            self.reasons[name] = reason_of(error)
            print(f"    {name:28} failed: {self.reasons[name]}", flush=True)


def timed(ask: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that something takes, and what it returns."""
    begun = time.perf_counter()
    answer = ask()
    return time.perf_counter() - begun, answer


def items_of(number: int) -> list[Text]:
    """Return so many items."""
    return [Text(n) for n in range(number)]


def first_start(tool: Tool, record: Record) -> None:
    """Make the data and start with it for the first time."""
    seconds, _ = timed(lambda: (tool.prepare(), tool.server.start()))
    record.add(start__first=seconds)


def visit(tool: Tool, sizes: Sizes, record: Record, *, first: bool = True) -> bool:
    """Measure small projects, and end with a stopped server; say whether it starts again.

    Raters come to the end of a project in the first round only, as it takes long. The kill comes
    last, as not every tool survives it.
    """
    if not tool.server.running:
        seconds, _ = timed(tool.server.start)
        record.add(start__again=seconds)
    record.add(memory__started=tool.server.megabytes())
    try:
        if first:
            with record.step("over_rated"):
                _race(tool, record)
        _projects(tool, [each for each in sizes.all if each < LARGE], sizes, record, first=first)
        with record.step("lost"):
            return _kill(tool, record)
        return False
    finally:
        tool.server.stop()


def visit_large(tool: Tool, sizes: Sizes, record: Record) -> bool:
    """Measure large projects once; some tools are busy with them for long after."""
    tool.server.start()
    try:
        _projects(tool, sizes.large, sizes, record, first=False)
        return True
    finally:
        tool.server.stop()


def _projects(
    tool: Tool, numbers: Sequence[int], sizes: Sizes, record: Record, *, first: bool
) -> None:
    for items in numbers:
        with record.step(f"import.{items}"):
            _fill(tool, items, sizes, record)
            if first and items == min(sizes.imported):
                _weigh(tool, record)
            if items in sizes.rated:
                _rate_all(tool, items, sizes, record)


def _rate_all(tool: Tool, items: int, sizes: Sizes, record: Record) -> None:
    """Measure each load; a project that is small has to be new for each."""
    for clients in sizes.clients:
        with record.step(f"rate.{items}.{clients}"):
            if items < LARGE and clients != sizes.clients[0]:
                _fill(tool, items, sizes, record)
            _rate(tool, items, clients, sizes.seconds, record)
    with record.step(f"export.{items}"):
        _export(tool, items, record)


def _fill(tool: Tool, items: int, sizes: Sizes, record: Record) -> None:
    seconds, _ = timed(lambda: tool.fill(items_of(items), max(RACE_RATERS, *sizes.clients)))
    record.add(**{f"import__{items}": seconds})


def raters_of(tool: Tool, number: int) -> list[Rater]:
    """Return raters who are known to the tool; accounts take long, two are made at once."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(tool.rater, range(number)))


def _race(tool: Tool, record: Record) -> None:
    """Let more raters than needed rate few items to the end."""
    tool.fill(items_of(RACE_ITEMS), RACE_RATERS)
    rate(raters_of(tool, RACE_RATERS), RACE_SECONDS)
    stored = tool.ratings_in(tool.export())
    record.add(
        over_rated=over_rated(stored),
        race__rated=len({each.item for each in stored}),
        race__ratings=len(stored),
    )


def _weigh(tool: Tool, record: Record) -> None:
    with record.step("page"):
        rater = tool.rater(0)
        rater.enter()
        weight = weight_of(rater, tool.server.port)
        record.add(page__kilobytes=weight.kilobytes, page__requests=weight.requests)
        if weight.elsewhere:
            record.reasons["page.elsewhere"] = ", ".join(weight.elsewhere)


def _rate(tool: Tool, items: int, clients: int, seconds: float, record: Record) -> None:
    raters = raters_of(tool, clients)
    rate(raters[:1], 1, most=WARM_UP)
    load = rate(raters, seconds)
    if not load.times:
        raise ValueError(f"no rating was stored: {_most_common(load.errors)}")
    name = f"{items}__{clients}"
    record.add(
        **{
            f"rate__{name}": load.rate,
            f"p50__{name}": load.quantile(0.5),
            f"p95__{name}": load.quantile(0.95),
            f"errors__{name}": len(load.errors),
            f"memory__{name}": tool.server.megabytes(),
        }
    )
    if load.errors:
        record.reasons[f"errors.{items}.{clients}"] = _most_common(load.errors)


def _most_common(errors: Sequence[str]) -> str:
    return max(set(errors), key=errors.count)[:160] if errors else "no item was shown"


def _export(tool: Tool, items: int, record: Record) -> None:
    seconds, content = timed(tool.export)
    record.add(
        **{
            f"export__{items}__seconds": seconds,
            f"export__{items}__ratings": len(tool.ratings_in(content)),
            f"export__{items}__kilobytes": len(content) / 1000,
        }
    )


def _kill(tool: Tool, record: Record) -> bool:
    """Kill the server while people rate, start it again, and count what it still has."""
    tool.fill(items_of(KILL_ITEMS), RACE_RATERS)

    def kill(load: Load) -> None:
        begun = time.monotonic()
        while (passed := time.monotonic() - begun) < LONGEST_KILL:
            if passed > KILLED_AFTER and len(load.acknowledged) >= RACE_RATERS:
                break
            time.sleep(0.01)
        load.stopped.set()
        tool.server.kill()

    load = rate(raters_of(tool, RACE_RATERS), LONGEST_KILL, meanwhile=kill)
    if not load.acknowledged:
        raise ValueError(f"no rating was stored before the kill: {_most_common(load.errors)}")
    try:
        seconds, _ = timed(tool.server.start)
    except DidNotStart as error:
        record.add(killed__dead=1)
        record.reasons["start.after_kill"] = f"did not start again: {error}"
        return False
    stored = tool.ratings_in(tool.export())
    record.add(
        start__after_kill=seconds,
        killed__dead=0,
        killed__acknowledged=len(load.acknowledged),
        lost=lost(load.acknowledged, stored),
    )
    return True
