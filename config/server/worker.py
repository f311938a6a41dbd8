"""A gunicorn worker that meets every client without waiting for it.

One loop reads requests as they come and sends answers as they are taken; the application is called
for requests that have arrived whole. So a client that is silent, sends byte by byte or reads slowly
costs a socket and its buffers, and never a thread. Who rates comes first: the loop itself answers
rating pages. Other pages are answered one after the other in a thread beside it, and requests with
bodies too large to buffer, which are uploads, in a few threads of their own.

Who waits longest is answered first: by the poller's order, whoever it names last would find the
next turn begun before they have sent anything, and so miss every other one.

Connections are divided evenly: a worker that holds more than another leaves a new client to that
one, and takes it only if the other does not come for `SECONDS_TO_LEAVE`, because it hangs.
"""

import contextlib
import errno
import math
import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from gunicorn import util
from gunicorn.http import wsgi
from gunicorn.workers.base import Worker

from config.server.connection import NOT_SERVING, Connection, OpenConnections
from config.watching.log_lines import SecretAddresses, write_json

SECONDS_FOR_A_REQUEST = 60.0  # From its first byte to its last; uploads may take longer.
SECONDS_WITHOUT_PROGRESS = 60.0  # Of an answer that is read, or an upload that is sent.
SECONDS_TO_LINGER = 2.0
SECONDS_TO_LEAVE = 0.5  # A new client to a worker that holds fewer connections.
MOST_ACCEPTED_AT_ONCE = 16
SECONDS_TO_LOOK_AGAIN = 0.001  # Whether that worker has come.
ANSWERED_FIRST = ("/rate/", "/join", "/static/", "/healthz")
MOST_HELD = 128 << 20  # Bytes of requests and answers in memory.


class BufferingWorker(Worker):  # type: ignore[misc]
    """Call the application for whole requests only, and let nobody wait for a slow client."""

    open_connections = OpenConnections()

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.place = self.open_connections.place(self)

    def init_process(self) -> None:
        """Prepare the loop, and start it."""
        self.connections: set[Connection] = set()
        self.poller = selectors.DefaultSelector()
        self.uploads = ThreadPoolExecutor(self.cfg.threads)
        # One: pages may run language models, which are not made for several threads.
        self.pages = ThreadPoolExecutor(1)
        self.answered: deque[Connection] = deque()
        self.latest_answers: dict[int, float] = {}  # Their times, by the file of the connection.
        self.next_look = 0.0
        self.left: list[socket.socket] = []  # Listeners whose next client another worker may take.
        self.left_until = math.inf
        self.log.error_log.addFilter(SecretAddresses())
        if os.environ.get("LOG_FORMAT", "").lower() == "json":
            write_json(self.log.error_log)
        super().init_process()

    # The loop

    def run(self) -> None:
        """Serve until told to stop, then end what was begun."""
        self._watch(self.PIPE[0], self._wake)
        for listener in self.sockets:
            listener.setblocking(False)
            self._watch(listener, partial(self._accept, listener))
        self._count()
        while self.alive and self.ppid == os.getppid():
            self._turn()
        self._count()
        for listener in set(self.sockets).difference(self.left):
            self.poller.unregister(listener)
        self.left = []
        end = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < end and any(
            each.unsent or each.away for each in self.connections.copy()
        ):
            self._turn()
        for conn in self.connections.copy():
            with contextlib.suppress(OSError):
                conn.raw.shutdown(socket.SHUT_RDWR)  # Also ends what an upload waits for.

    def _turn(self) -> None:
        self.notify()
        left, self.left = self.left, []
        ready = self.poller.select(SECONDS_TO_LOOK_AGAIN if left else 1.0)
        if not left and not any(key.fileobj in self.sockets for key, _ in ready):
            self.left_until = math.inf  # Nobody waits to be accepted.
        ready.sort(key=lambda each: self.latest_answers.get(each[0].fd, 0))
        for key, _ in ready:
            # An event before this one may have closed the connection.
            if key.fd in self.poller.get_map():
                key.data()
        for listener in left:
            self._watch(listener, partial(self._accept, listener))
        if time.monotonic() > self.next_look:
            self._close_late()
            self.next_look = time.monotonic() + 1

    def _watch(self, file: Any, react: Callable[[], Any]) -> None:
        self.poller.register(file, selectors.EVENT_READ, react)

    def _accept(self, listener: Any) -> None:
        """Take clients who wait, or leave them to a worker that holds fewer connections."""
        for _ in range(MOST_ACCEPTED_AT_ONCE):
            if self.open_connections.has_fewest(self.place):
                self.left_until = math.inf
            elif (now := time.monotonic()) < self.left_until:
                self.left_until = min(self.left_until, now + SECONDS_TO_LEAVE)
                self.poller.unregister(listener)
                self.left.append(listener)
                return
            if not self._take(listener):
                return

    def _take(self, listener: Any) -> bool:
        """Accept a client; return whether there was one."""
        if len(self.connections) >= self.cfg.worker_connections:
            self._close_nearest_deadline()
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._close_nearest_deadline()
            return False
        util.close_on_exec(sock)
        conn = Connection(self.cfg, sock, client, listener.getsockname())
        conn.deadline = time.monotonic() + self.cfg.keepalive
        self.connections.add(conn)
        self._count()
        self._watch(sock, partial(self._read, conn))
        return True

    def _count(self) -> None:
        open_now = NOT_SERVING + 1 + len(self.connections)
        self.open_connections.numbers[self.place] = open_now if self.alive else NOT_SERVING

    # One connection

    def _read(self, conn: Connection) -> None:
        if not conn.received and not conn.lingering:
            conn.deadline = time.monotonic() + SECONDS_FOR_A_REQUEST
        try:
            if not conn.receive():
                self._close(conn)
            elif not conn.lingering:
                self._answer_whole_requests(conn)
        except BlockingIOError:
            pass
        except OSError:
            self._close(conn)

    def _write(self, conn: Connection) -> None:
        conn.deadline = time.monotonic() + SECONDS_WITHOUT_PROGRESS
        try:
            if conn.flush():
                self.poller.modify(conn.raw, selectors.EVENT_READ, partial(self._read, conn))
                if self._stays(conn):
                    self._answer_whole_requests(conn)
        except OSError:
            self._close(conn)

    def _answer_whole_requests(self, conn: Connection) -> None:
        while request := self._next_request(conn):
            if conn.is_large or not request.path.startswith(ANSWERED_FIRST):
                self._hand_over(conn)
                return
            conn.closing = not self._answer(conn, request)
            self.latest_answers[conn.raw.fileno()] = time.monotonic()
            if not self._sent(conn):
                return

    def _next_request(self, conn: Connection) -> Any:
        try:
            return conn.whole_request()
        except (StopIteration, OSError):
            self._close(conn)
        except Exception as error:
            self.handle_error(None, conn, conn.client, error)
            conn.closing = True
            self._sent(conn)
        return None

    def _sent(self, conn: Connection) -> bool:
        """Send an answer as far as the client takes it; say whether another request may follow."""
        if conn.flush():
            return self._stays(conn)
        conn.deadline = time.monotonic() + SECONDS_WITHOUT_PROGRESS
        self.poller.modify(conn.raw, selectors.EVENT_WRITE, partial(self._write, conn))
        return False

    def _stays(self, conn: Connection) -> bool:
        """Begin the end of a connection whose last answer was sent; say whether it was not."""
        if conn.closing:
            conn.linger()
        conn.deadline = time.monotonic() + (
            SECONDS_TO_LINGER if conn.closing else self.cfg.keepalive
        )
        return not conn.closing

    def _answer(self, conn: Connection, request: Any) -> bool:
        """Call the application; return whether the connection stays."""
        conn.began_answer = False
        try:
            return self._call_application(conn, request) and conn.end_request()
        except Exception as error:
            if conn.began_answer:
                self.log.exception("Error while answering %s %s", request.method, request.uri)
                conn.forget_answer()
            elif not isinstance(error, OSError):
                self.handle_error(request, conn, conn.client, error)
            return False

    def _call_application(self, conn: Connection, request: Any) -> bool:
        response, environ = wsgi.create(request, conn, conn.client, conn.server, self.cfg)
        environ["wsgi.multithread"] = True
        if not self.alive or conn.is_large or conn.is_chunked:
            response.force_close()
        parts = self.wsgi(environ, response.start_response)
        try:
            if isinstance(parts, environ["wsgi.file_wrapper"]):
                response.write_file(parts)
            else:
                for part in parts:
                    response.write(part)
            response.close()
        finally:
            if hasattr(parts, "close"):
                parts.close()
        return not response.should_close()

    # Threads

    def _hand_over(self, conn: Connection) -> None:
        """Let a thread answer; it may wait for the client only if that is an upload."""
        self.poller.unregister(conn.raw)
        conn.away, conn.deadline = True, float("inf")
        if conn.is_large:
            conn.raw.settimeout(SECONDS_WITHOUT_PROGRESS)
        (self.uploads if conn.is_large else self.pages).submit(self._answer_away, conn)

    def _answer_away(self, conn: Connection) -> None:
        conn.closing = not self._answer(conn, conn.request)
        self.answered.append(conn)
        os.write(self.PIPE[1], b"1")

    def _wake(self) -> None:
        """Take back what threads have answered; a signal only ends the wait."""
        os.read(self.PIPE[0], 4096)
        while self.answered:
            conn = self.answered.popleft()
            conn.away = False
            conn.raw.setblocking(False)
            self._watch(conn.raw, partial(self._read, conn))
            try:
                if self._sent(conn):
                    self._answer_whole_requests(conn)
            except OSError:
                self._close(conn)

    # Limits

    def _close_late(self) -> None:
        """Close who is behind time; if too much is held for slow clients, close who holds most."""
        now = time.monotonic()
        for conn in [each for each in self.connections if each.deadline < now]:
            self._close(conn)
        by_size = sorted(
            (each for each in self.connections.copy() if not each.away),
            key=lambda each: each.held,
        )
        held = sum(each.held for each in by_size)
        while held > MOST_HELD:
            held -= by_size[-1].held
            self._close(by_size.pop())

    def _close_nearest_deadline(self) -> None:
        near = [each for each in self.connections if not each.away]
        if near:
            self._close(min(near, key=lambda each: each.deadline))

    def _close(self, conn: Connection) -> None:
        if conn in self.connections:
            self.connections.discard(conn)
            self._count()
            self.poller.unregister(conn.raw)
            self.latest_answers.pop(conn.raw.fileno(), None)
            conn.close()
