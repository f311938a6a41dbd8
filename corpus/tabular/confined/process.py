"""The process that reads files of users, as the program that starts it holds it."""

import atexit
import contextlib
import fcntl
import os
import pickle  # nosec B403  # writes only, to a process that it started
import select
import signal
import socket
import subprocess  # nosec B404  # starts this interpreter, no shell, with constant arguments
import sys
import threading
from pathlib import Path
from typing import Any

import corpus
from corpus.tabular.confined.frames import CHUNK, NUMBER, BrokenFrameError, FrameReader
from corpus.tabular.limits import Limits

_FOLDER = Path(corpus.__file__).resolve().parent.parent
_PROGRAM = (
    f"import sys; sys.path.insert(0, {str(_FOLDER)!r}); "
    "from corpus.tabular.confined.child import main; main()"
)
# Other allocators of Arrow reserve a gibibyte at the start, which a limit of memory counts.
_ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"}
_SECONDS_TO_END = 10


class _Nursery:
    """What starts copies of an interpreter that has loaded everything, without our environment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None

    def copy(self, *pipes: int, anew: bool = False) -> None:
        """Start a copy with some pipes; a nursery that has ended is replaced."""
        with self._lock:
            if self._control is not None and self._owner == os.getpid() and not anew:
                with contextlib.suppress(OSError):
                    socket.send_fds(self._control, [b"."], pipes)
                    return
            socket.send_fds(self._start(), [b"."], pipes)

    def close(self) -> None:
        """Let the nursery end; one of a program of which this is a fork stays."""
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            self._process.wait()

    def _start(self) -> socket.socket:
        self.close()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-c", _PROGRAM],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_ENVIRONMENT,
                # Ctrl-C at a terminal is for the program, which ends these processes.
                process_group=0,
            )
        self._owner = os.getpid()
        return self._control


_nursery = _Nursery()
atexit.register(_nursery.close)


class ReadingProcess:
    """A copy of an interpreter that runs `child.main`, without this program's environment.

    Parameters
    ----------
    limits
        By which it limits itself.
    folder
        In which it may write.

    Attributes
    ----------
    number
        Its number.
    frames
        What it answers.
    returned
        How it ended; None until then.
    """

    def __init__(self, limits: Limits, folder: Path) -> None:
        # A nursery may end amid a request, because nobody asked it for long.
        started = self._start(anew=False) or self._start(anew=True)
        if started is None:
            raise BrokenFrameError("no process")
        self.number = started
        try:
            self._handle = os.pidfd_open(self.number)
        except ProcessLookupError:
            self._close()
            raise BrokenFrameError("the end") from None
        self.frames = FrameReader(self._answers, limits.seconds)
        self.returned: int | None = None
        try:
            self.send((limits, folder))
        except BrokenPipeError:
            self.end()
            raise

    def _start(self, *, anew: bool) -> int | None:
        """Return the number of a new process; None if there is none."""
        theirs, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._status, status = os.pipe()
        with contextlib.suppress(PermissionError):  # somebody's pipes are large enough already
            fcntl.fcntl(answers, fcntl.F_SETPIPE_SZ, CHUNK)
        try:
            _nursery.copy(theirs, answers, status, anew=anew)
        finally:
            for place in (theirs, answers, status):
                os.close(place)
        number = self._said()
        if number is None:
            self._close()
        return number

    def send(self, what: Any) -> None:
        """Send a request; `BrokenPipeError` if the process has ended."""
        with os.fdopen(self._requests, "wb", closefd=False) as requests:
            requests.write(pickle.dumps(what))

    def end(self, *, at_once: bool = True) -> int:
        """End the process, or wait a little for its own end; return how it ended."""
        if not at_once:
            ending = select.poll()  # a server may hold more than `select` can count
            ending.register(self._handle, select.POLLIN)
            ending.poll(_SECONDS_TO_END * 1000)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        ended = self._said()
        os.close(self._handle)
        self._close()
        self.returned = -signal.SIGKILL if ended is None else ended
        return self.returned

    def _said(self) -> int | None:
        """Return what the nursery says next of the process: its number, then how it ended."""
        said = os.read(self._status, NUMBER.size)
        return int(NUMBER.unpack(said)[0]) if said else None

    def _close(self) -> None:
        for place in (self._requests, self._answers, self._status):
            os.close(place)
