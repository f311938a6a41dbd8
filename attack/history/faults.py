"""Faults in an order that a seed draws: each is made, lasts for a while, and is undone."""

import contextlib
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from attack.history.machine import Machine
from attack.history.operations import History

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
            yield Fault(
                round(draw.uniform(0.3, 2.5), 2),
                kind,
                round(draw.uniform(0.2, 2.5), 2),
                -amount if kind == "clock back" else amount,
            )


def why_not(kind: str, machine: Machine) -> str:
    """Return why a machine cannot have a kind of fault; empty if it can."""
    lacking = {
        "disk full": "" if machine.is_mounted else "only root may mount a disk of its own",
        "clock forward": "" if machine.has_clock else "there is no C compiler",
        "connections cut": "" if machine.postgres else "SQLite has no connections to cut",
        "database locked": "PostgreSQL locks rows" if machine.postgres else "",
    }
    return lacking.get("clock forward" if kind == "clock back" else kind, "")


def make_faults(machine: Machine, history: History, seed: int, seconds: float) -> None:
    """Make one fault after the other until the time is over."""
    for fault in drawn(seed):
        time.sleep(fault.calm)
        if history.now() + fault.lasts > seconds:
            break
        reason = why_not(fault.kind, machine)
        history.fault(**asdict(fault), began=history.now(), why_not=reason)
        if not reason:
            with made(fault, machine):
                time.sleep(fault.lasts)


@contextlib.contextmanager
def made(fault: Fault, machine: Machine) -> Any:
    """Let something fail inside a with statement."""
    with contextlib.ExitStack() as undone:
        match fault.kind:
            case "server killed":
                machine.kill()
                undone.callback(machine.start)
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
