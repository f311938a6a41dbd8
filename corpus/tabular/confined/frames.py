"""What the reading process says: frames of a kind, a length and JSON, trusted in nothing."""

import json
import os
import select
import struct
import time
from collections.abc import Callable
from typing import IO, Any, Final

HEADER = struct.Struct(">BI")
NUMBER = struct.Struct(">i")
"""What is said of a process: its number, and how it ended."""
ROWS, ANSWER, REFUSED, UNKNOWN = range(4)
"""Some rows; the answer, which ends a request; problems that end it; a traceback that does."""
LONGEST: Final = 64 << 20
"""A record of 8 Mi characters, each escaped, is shorter."""
CHUNK = 1 << 20
SECONDS_AT_ONCE = 1.0
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


class BrokenFrameError(Exception):
    """Bytes that are no frame, or an end where one should be."""


class TooLongError(Exception):
    """More than a frame may hold."""


class TimeUpError(Exception):
    """Waiting took longer than all waiting may."""


def write_frame(stream: IO[bytes], kind: int, content: Any) -> None:
    """Send one frame; `TooLongError` if it would be longer than whoever reads it takes."""
    # Python reads halves of surrogate pairs out of some files; whoever reads them looks at that.
    data = _encode(content).encode("utf-8", "surrogatepass")
    if len(data) > LONGEST:
        raise TooLongError
    stream.write(HEADER.pack(kind, len(data)))
    stream.write(data)
    stream.flush()


class FrameReader:
    """Frames out of a pipe, waiting only for so long.

    Parameters
    ----------
    pipe
        File descriptor of the pipe.
    seconds
        How long may be waited in all.

    Attributes
    ----------
    seconds
        How long may still be waited.
    waiting
        Is called after each second without an answer; what it raises ends the waiting.
    """

    def __init__(self, pipe: int, seconds: float) -> None:
        self.seconds = seconds
        self.waiting: Callable[[], object] = lambda: None
        self._pipe = pipe
        self._poll = select.poll()
        self._poll.register(pipe, select.POLLIN | select.POLLHUP)
        self._held = bytearray()

    def read(self) -> tuple[int, int, Any]:
        """Return kind, length and content of the next frame.

        Raises
        ------
        BrokenFrameError
            If there is none.
        TimeUpError
            If it does not come in time.
        """
        kind, length = HEADER.unpack(self._exactly(HEADER.size))
        if kind > UNKNOWN or length > LONGEST:
            raise BrokenFrameError("no frame")
        try:
            return kind, length, json.loads(self._exactly(length))
        except (ValueError, RecursionError) as error:
            raise BrokenFrameError("no JSON") from error

    def _exactly(self, size: int) -> bytes:
        held = self._held
        while len(held) < size:
            begin = time.monotonic()
            ready = self._poll.poll(min(max(self.seconds, 0), SECONDS_AT_ONCE) * 1000)
            self.seconds -= time.monotonic() - begin
            if not ready and self.seconds <= 0:
                raise TimeUpError
            if not ready:
                self.waiting()
                continue
            data = os.read(self._pipe, CHUNK)
            if not data:
                raise BrokenFrameError("the end")
            held += data
        taken = bytes(held[:size])
        del held[:size]
        return taken
