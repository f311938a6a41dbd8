"""One connection of a client, and how many each process of the web server holds."""

import mmap
import os
import socket
from collections import deque
from itertools import count
from typing import IO, Any
from weakref import WeakValueDictionary

from gunicorn import http
from gunicorn.config import Config
from gunicorn.http.body import ChunkedReader
from gunicorn.http.errors import LimitRequestHeaders

LARGEST_HEAD = 64 << 10
LARGEST_BUFFERED_BODY = 1 << 20
MOST_HEARD_OUT = 4 << 20  # Bytes that a client may send on after its last answer.
PIECE = 64 << 10
NOT_SERVING = 0


class FilePart:
    """A part of an answer that is still in its file."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        # The application closes its file before a slow client has read it.
        self.handle = os.dup(file.fileno())
        self.start, self.size = start, size

    def __len__(self) -> int:
        return 0  # None of it is in memory.

    def close(self) -> None:
        os.close(self.handle)


class Connection:
    """A socket with buffers on both sides, which gunicorn reads requests from and answers to.

    Nothing here waits for the client, unless the socket has been given a timeout.
    """

    def __init__(self, cfg: Config, sock: socket.socket, client: Any, server: Any) -> None:
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.raw, self.client, self.server = sock, client, server
        self.received = bytearray()
        self.unsent: deque[bytearray | FilePart] = deque()
        self.request: Any = None
        self.parser = http.get_parser(cfg, self, client)
        self.deadline = 0.0
        self.heard_out = 0
        self.away = self.closing = self.lingering = self.began_answer = False

    @property
    def held(self) -> int:
        """How many bytes are in memory for this client."""
        return len(self.received) + sum(map(len, self.unsent))

    # The request

    def receive(self) -> bool:
        """Take what has arrived; say whether the client is still there."""
        data = self.raw.recv(PIECE)
        if not self.lingering:
            self.received += data
            return bool(data)
        self.heard_out += len(data)
        return bool(data) and self.heard_out < MOST_HEARD_OUT

    def whole_request(self) -> Any:
        """Return the next request if it can be answered without waiting for this client.

        A request with a larger body than is buffered is returned as soon as its head is there;
        `is_large` is true for it.
        """
        if self.request is None:
            # Servers ignore empty lines before a request (RFC 9112, section 2.2).
            del self.received[: len(self.received) - len(self.received.lstrip(b"\r\n"))]
            if b"\r\n\r\n" not in self.received:
                if len(self.received) > LARGEST_HEAD:
                    raise LimitRequestHeaders("the headers are too large")
                return None
            self.request = next(self.parser)
            self.received[:0] = self.parser.unreader.take_buffered()
            if self.request._expected_100_continue:
                self.request._expected_100_continue = False
                self.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                self.flush()
        missing = self._body_size() - len(self.received)
        return self.request if missing <= 0 or self.is_large else None

    @property
    def is_large(self) -> bool:
        """Whether the request's body is too large to be buffered."""
        return self._body_size() > LARGEST_BUFFERED_BODY

    @property
    def is_chunked(self) -> bool:
        """Whether the body comes in chunks: of unknown size, so it is refused unread."""
        return isinstance(self.request.body.reader, ChunkedReader)

    def _body_size(self) -> int:
        return 0 if self.is_chunked else int(self.request.body.reader.length)

    def end_request(self) -> bool:
        """Forget the request that was answered; say whether another may follow."""
        followed = bool(self.parser.finish_body())
        self.received[:0] = self.parser.unreader.take_buffered()
        self.request = None
        return followed

    # What gunicorn takes for a socket

    def recv(self, size: int) -> bytes:
        """Return what has arrived; wait for more only if the socket may."""
        data = bytes(self.received[:size])
        del self.received[:size]
        return data or self.raw.recv(size)

    def sendall(self, data: bytes) -> None:
        """Keep a part of the answer until `flush`."""
        self.began_answer = True
        if self.unsent and isinstance(self.unsent[-1], bytearray):
            self.unsent[-1] += data
        else:
            self.unsent.append(bytearray(data))

    send = sendall

    def sendfile(self, file: IO[bytes], offset: int, count: int) -> None:
        """Do the same with a part of a file."""
        self.unsent.append(FilePart(file, offset, count))

    def gettimeout(self) -> float:
        """Say that nothing waits: gunicorn asks before it sends an error."""
        return 0.0

    # The answer

    def flush(self) -> bool:
        """Send what the client takes now; say whether that was all."""
        try:
            while self.unsent:
                self._send_part(self.unsent[0])
        except BlockingIOError:
            return False
        return True

    def _send_part(self, part: bytearray | FilePart) -> None:
        if isinstance(part, bytearray):
            del part[: self.raw.send(part[: 16 * PIECE])]
            left = len(part)
        else:
            sent = os.sendfile(self.raw.fileno(), part.handle, part.start, part.size)
            if part.size and not sent:
                raise ConnectionError("the file became shorter while it was sent")
            part.start += sent
            part.size -= sent
            left = part.size
        if not left:
            self._drop_part()

    def _drop_part(self) -> None:
        part = self.unsent.popleft()
        if isinstance(part, FilePart):
            part.close()

    def forget_answer(self) -> None:
        """Drop what was not sent."""
        while self.unsent:
            self._drop_part()

    def linger(self) -> None:
        """Say that no more follows, and hear the client out, or it would lose the answer."""
        self.lingering = True
        self.received.clear()
        self.raw.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Let go of the socket and of what was not sent."""
        self.forget_answer()
        self.raw.close()


class OpenConnections:
    """A number for each worker, in memory that is shared with all workers that are forked later.

    It is one more than the number of open connections, or `NOT_SERVING`. The main process gives
    places before it forks, and each worker writes the number of its own place. Once the main
    process has noticed the end of a worker, the next one gets that place.
    """

    def __init__(self) -> None:
        self.numbers = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("i")
        self.workers: WeakValueDictionary[int, object] = WeakValueDictionary()

    def place(self, worker: object) -> int:
        """Return a place that no other worker has."""
        place = next(each for each in count() if each not in self.workers)
        self.workers[place] = worker
        self.numbers[place] = NOT_SERVING
        return place

    def has_fewest(self, place: int) -> bool:
        """Return whether no other serving worker holds fewer connections."""
        own = self.numbers[place]
        return not any(NOT_SERVING < number < own for number in self.numbers)
