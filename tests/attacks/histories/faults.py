"""Faults in an order that a seed draws: each begins, lasts for a while, and is undone."""

import contextlib
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from tests.attacks.histories.machine import Machine
from tests.attacks.histories.operations import History

KINDS = (
    "server killed", "worker killed", "web process killed", "web process paused", "disk full",
    "clock forward", "clock back", "connections cut", "database locked",
)  # fmt: skip
HOUR = 3600


@dataclass(frozen=True)
class Fault:
    """After how many seconds of calm something fails, for how long, and by how much."""

    calm: float
    kind: str
    lasts: float
    amount: int = 0


def drawn(seed: int) -> Iterator[Fault]:
    """Yield faults without end: every kind once in random order, then again."""
    draw = random.Random(f"faults {seed}")
    while True:
        for kind in draw.sample(KINDS, len(KINDS)):
            amount = draw.randint(1, 26) * HOUR if kind.startswith("clock") else 0
            calm, lasts = round(draw.uniform(0.3, 2.5), 2), round(draw.uniform(0.2, 2.5), 2)
            yield Fault(calm, kind, lasts, -amount if kind == "clock back" else amount)


def why_not(kind: str, machine: Machine) -> str:
    """Return why a machine cannot have a kind of fault; empty if it can."""
    if kind == "disk full" and not machine.is_mounted:
        return "only root may mount a disk of its own"
    if kind.startswith("clock") and not machine.has_clock:
        return "there is no C compiler"
    if kind == "connections cut" and not machine.postgres:
        return "SQLite has no connections to cut"
    return "PostgreSQL locks rows" if kind == "database locked" and machine.postgres else ""


def let_fail(machine: Machine, history: History, seed: int) -> None:
    """Let one thing fail after the other until the time is over."""
    for fault in drawn(seed):
        time.sleep(fault.calm)
        if history.now() + fault.lasts > history.seconds:
            break
        reason = why_not(fault.kind, machine)
        history.faults.append(asdict(fault) | {"began": history.now(), "why_not": reason})
        if not reason:
            with _failing(fault, machine):
                time.sleep(fault.lasts)


@contextlib.contextmanager
def _failing(fault: Fault, machine: Machine) -> Iterator[None]:
    with contextlib.ExitStack() as undone:
        match fault.kind:
            case "server killed":
                undone.enter_context(machine.without_server())
            case "worker killed":
                machine.kill_worker()
            case "web process killed":
                machine.kill_web_process()
            case "web process paused":
                undone.enter_context(machine.paused())
            case "disk full":
                undone.enter_context(machine.full_disk())
            case "clock forward" | "clock back":
                undone.enter_context(machine.clock_off_by(fault.amount))
            case "connections cut":
                machine.cut_connections()
            case "database locked":
                undone.enter_context(machine.locked_database())
        yield
