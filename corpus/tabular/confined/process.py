"""The process that reads files of users, as the program that starts it holds it."""

from __future__ import annotations

import contextlib
import pickle  # nosec B403  # writes only, to a process that it started
import subprocess  # nosec B404  # starts this interpreter, no shell, with constant arguments
import sys
from pathlib import Path
from typing import IO, Any, cast

import corpus
from corpus.tabular.confined.frames import CHUNK, FrameReader
from corpus.tabular.limits import Limits

_FOLDER = Path(corpus.__file__).resolve().parent.parent
_PROGRAM = (
    f"import sys; sys.path.insert(0, {str(_FOLDER)!r}); "
    "from corpus.tabular.confined.child import main; main()"
)
# Other allocators of Arrow reserve a gibibyte at the start, which a limit of memory counts.
_ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"}
_SECONDS_TO_END = 10


class ReadingProcess:
    """A fresh interpreter that runs `child.main`, without this program's environment.

    Parameters
    ----------
    limits
        By which it limits itself.
    folder
        In which it may write.

    Attributes
    ----------
    frames
        What it answers.
    """

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT,
            # Ctrl-C at a terminal is for the program, which ends this process.
            process_group=0,
            pipesize=CHUNK,
        )
        self.frames = FrameReader(cast(IO[bytes], self._process.stdout).fileno(), limits.seconds)
        self.send((limits, folder))

    def send(self, what: Any) -> None:
        """Send a request; `BrokenPipeError` if the process has ended."""
        requests = cast(IO[bytes], self._process.stdin)
        requests.write(pickle.dumps(what))
        requests.flush()

    def end(self, *, at_once: bool = True) -> int:
        """End the process, or wait a little for its own end; return how it ended."""
        if not at_once:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_SECONDS_TO_END)
        self._process.kill()
        with contextlib.suppress(BrokenPipeError), self._process:
            pass
        return self._process.wait()
