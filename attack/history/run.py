"""A history from beginning to end: studies, clients, faults, and what the checker says."""

import contextlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from attack.history.annotator import Annotator
from attack.history.browser import Browser
from attack.history.checker import Violation, check
from attack.history.faults import make_faults
from attack.history.machine import Machine
from attack.history.onlookers import Onlooker, Owner
from attack.history.operations import OK, History
from attack.history.stored import Stored, read_stored
from attack.history.studies import Studies, prepare_studies

STUDY = "alpha"
OTHER = "beta"
MEMBERS = frozenset({"owner-of-alpha", "owner-of-beta", "researcher-of-beta"})
Client = Annotator | Onlooker | Owner


@dataclass(frozen=True)
class Account:
    """What was done, what was made to fail, and what did not hold."""

    operations: Counter[tuple[str, str]]
    acknowledged: int
    surplus: int
    faults: Counter[str]
    not_made: dict[str, str]
    violations: list[Violation]
    failures: list[str]

    def __str__(self) -> str:
        lines = [
            f"{sum(self.operations.values()):,} requests; {self.acknowledged:,} submissions "
            f"acknowledged, {self.surplus:,} stored as extra ratings"
        ]
        for do in sorted({do for do, _ in self.operations}):
            each = {outcome: n for (what, outcome), n in self.operations.items() if what == do}
            lines.append(f"  {do}: " + ", ".join(f"{n:,} {each}" for each, n in each.items()))
        lines.append("faults: " + ", ".join(f"{n} × {kind}" for kind, n in self.faults.items()))
        lines += [f"  not made: {kind}, for {why}" for kind, why in self.not_made.items()]
        lines += [f"VIOLATION {each.promise}: {each.what}" for each in self.violations]
        lines += [f"FAILURE {each}" for each in self.failures]
        held = not self.violations and not self.failures
        return "\n".join([*lines, "held" if held else "BROKEN"])


def run_history(folder: Path, seed: int, seconds: float, postgres: str = "") -> Account:
    """Rate under faults for so many seconds, in a folder that is empty, and check the history.

    Parameters
    ----------
    folder
        Where the site has its data; the history stays there as ``history.jsonl``.
    seed
        Draws faults and what each client does.
    seconds
    postgres
        Address of a PostgreSQL server; empty for SQLite.
    """
    with Machine(folder, postgres) as machine:
        studies = prepare_studies(machine.environment, seconds)
        machine.start()
        with History(folder / "history.jsonl", seconds) as history:
            clients = _clients(machine.port, history, studies, seed)
            _live_through(clients, machine, history, seed)
        machine.stop()
        with contextlib.closing(machine.connect()) as connection:
            stored = read_stored(connection)
            if not postgres:
                [integrity] = connection.execute("PRAGMA integrity_check").fetchone()
                stored = replace(stored, integrity=integrity)
    failures = [f"{each.name}: {each.failure}" for each in clients if each.failure]
    return _account(history, stored, failures)


def _live_through(clients: list[Client], machine: Machine, history: History, seed: int) -> None:
    """Let clients work under faults, and look once more at everything when all is healed."""
    for each in clients:
        each.start()
    try:
        make_faults(machine, history, seed, history.seconds)
    finally:
        for each in clients:
            each.stopped.set()
        for each in clients:
            each.join()
    for each in clients:
        if isinstance(each, Annotator) and not each.failure:
            each.look_at_everything()
        if isinstance(each, Owner):
            each.wait_for_jobs()
            each.read_everything()


def _clients(port: int, history: History, studies: Studies, seed: int) -> list[Client]:
    known: dict[str, list[str]] = {public_id: [] for _, public_id, _ in studies.raters}
    raters: list[Client] = [
        Annotator(
            port, history, f"a{number}", study, public_id, link, known, f"{seed} a{number}"
        )
        for number, (study, public_id, link) in enumerate(studies.raters)
    ]  # fmt: skip

    def browser(name: str, study: str) -> Browser:
        made = Browser(port, history, name, study)
        if name in studies.tokens:
            made.headers["Authorization"] = f"Token {studies.tokens[name]}"
        return made

    others: list[Client] = [
        Onlooker(browser("stranger", ""), STUDY, list(known), f"{seed} stranger"),
        Onlooker(browser("researcher-of-beta", OTHER), STUDY, list(known), f"{seed} researcher"),
        Owner(browser("owner-of-alpha", STUDY), f"{seed} alpha"),
        Owner(browser("owner-of-beta", OTHER), f"{seed} beta"),
    ]
    return raters + others


def _account(history: History, stored: Stored, failures: list[str]) -> Account:
    made = [each for each in history.faults if not each["why_not"]]
    told = {
        each.sent["uuid"]
        for each in history.operations
        if each.do == "submit" and each.outcome == OK
    }
    return Account(
        Counter((each.do, each.outcome) for each in history.operations),
        len(told),
        sum(each.surplus for each in stored.submissions),
        Counter(each["kind"] for each in made),
        {each["kind"]: each["why_not"] for each in history.faults if each["why_not"]},
        check(history.operations, stored, MEMBERS),
        failures,
    )
