"""An attack in a process of its own, which is ended with all that it started.

``python -m attack.isolated MODULE`` writes what one attack found, each line as JSON.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import attack
from attack.finding import Line
from attack.patience import waited_in_vain

LONGEST = 1800 + float(os.environ.get("ATTACK_SECONDS", "60"))
"""Seconds that one attack may take in all."""
SECONDS_TO_END = 30
BROKE_OFF = "the attack broke off"


@dataclass
class Try:
    """What one try of an attack found, and whether waiting too long is all that broke it off."""

    lines: list[Line] = field(default_factory=list)
    waited: bool = False

    @property
    def again(self) -> bool:
        """Whether nothing speaks against it but time, which a loaded machine takes too."""
        return self.waited or any(line.state == "slow" for line in self.lines)


def attacks() -> dict[str, Any]:
    """Return the modules that replay an attack, by name."""
    names = [found.name for found in pkgutil.iter_modules(attack.__path__)]
    modules = [
        (name, importlib.import_module(f"attack.{name}")) for name in names if name[0] != "_"
    ]
    return {name: module for name, module in modules if hasattr(module, "replay")}


def tried(module: str, longest: float = LONGEST) -> Iterator[Try]:
    """Run an attack; yield what was found so far, line by line, the whole last."""
    found, name, late = Try(), module.rpartition(".")[2], threading.Event()
    with (
        tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True) as folder,
        subprocess.Popen(
            [sys.executable, "-m", "attack.isolated", module],
            stdout=subprocess.PIPE, text=True, start_new_session=True,
            env=os.environ | {"TMPDIR": folder},
        ) as running,
    ):  # fmt: skip
        # A database that another account runs has a folder below it; nobody else may list it.
        Path(folder).chmod(0o711)

        def end_late() -> None:
            late.set()
            _end(running)

        watch = threading.Timer(longest, end_late)
        watch.start()
        try:
            for text in running.stdout or ():
                said = json.loads(text)
                found.waited |= said.pop("waited", False)
                found.lines.append(Line(**said))
                yield found
            status = running.wait()
        finally:
            watch.cancel()
            _end(running)
    if late.is_set():
        found.lines.append(Line(name, BROKE_OFF, f"not done after {longest:.0f} s", False))
        found.waited = True
    elif status:
        found.lines.append(Line(name, BROKE_OFF, f"ended with status {status}", False))
    yield found


def _end(running: subprocess.Popen[str]) -> None:
    """Let a process undo what it made, then kill what is left of its group."""
    with contextlib.suppress(ProcessLookupError):
        if running.poll() is None:
            running.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(SECONDS_TO_END)
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def main(module: str) -> None:
    """Write what an attack finds to what was standard output; all else goes to standard error."""
    signal.signal(signal.SIGTERM, _stop)
    with os.fdopen(os.dup(1), "w", buffering=1) as out:
        os.dup2(2, 1)
        try:
            for line in importlib.import_module(module).replay():
                out.write(json.dumps(asdict(line)) + "\n")
        except Exception as error:
            why = f"{type(error).__name__}: {error}"[:300]
            said = asdict(Line(module.rpartition(".")[2], BROKE_OFF, why, False))
            out.write(json.dumps(said | {"waited": waited_in_vain(error)}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
