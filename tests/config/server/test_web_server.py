"""The web server that `serve` starts: slow clients, and HTTP as clients really speak it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from tests.fixtures import databases
from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import PATIENCE, wait_until

LARGE_FILE = "vendor/vega.min.js"
GET = b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\n"
RATING = b"GET /rate/1/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\n"

pytestmark = pytest.mark.slow


def start(folder):
    """Start `serve` with one server process on a migrated database; return it and its port."""
    if databases.of_this_run.is_file:
        shutil.copyfile(databases.of_this_run.template, folder / "own.sqlite3")
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{folder / 'own.sqlite3'}",
        "TOUCHSTONE_DATA": str(folder),
        "PYTHONUNBUFFERED": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--no-demo", "--web-workers", "1", "--port", "0"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    for line in process.stdout:
        if found := re.search(r"Touchstone is at http://[^:]+:(\d+)/", line):
            return process, int(found[1])
    raise AssertionError("the server did not start")


def stop(process):
    process.send_signal(signal.SIGTERM)
    status = process.wait(PATIENCE)
    process.stdout.close()
    return status


@pytest.fixture(scope="module")
def port(tmp_path_factory, django_db_setup):
    process, port = start(tmp_path_factory.mktemp("site"))
    yield port
    assert stop(process) == 0


@pytest.fixture
def connect(port):
    """Open sockets to the server; none outlives the test."""
    opened = []

    def connect(sent=b"", receive_buffer=None):
        sock = socket.socket()
        opened.append(sock)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(PATIENCE)
        sock.connect(("127.0.0.1", port))
        sock.sendall(sent)
        return sock

    yield connect
    for sock in opened:
        sock.close()


def answers(sock, number=1):
    """Read so many answers with a stated length; return status and body of each."""
    found = []
    with sock.makefile("rb") as file:
        while len(found) < number:
            status = int(file.readline().split()[1])
            headers = dict(iter(lambda: tuple(file.readline().rstrip().split(b": ", 1)), (b"",)))
            found.append((status, file.read(int(headers.get(b"Content-Length", 0)))))
    return found


SLOW_CLIENTS = {
    "silent": b"",
    "in the middle of a header": GET + b"X-Slow: ",
    "in the middle of a body": POST + b"Content-Length: 1000\r\n\r\nx",
    "hardly reading": f"GET /static/{LARGE_FILE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
    "never closing": GET + b"Connection: close\r\n\r\n",
}


@pytest.mark.parametrize("opening", SLOW_CLIENTS.values(), ids=SLOW_CLIENTS)
def test_a_page_is_answered_beside_clients_that_are_slow(connect, opening):
    for _ in range(20):
        connect(opening, receive_buffer=4096)
    for _ in range(3):
        assert answers(connect(GET + b"\r\n"))[0][0] == 200


def test_a_client_that_sends_more_connections_than_are_held_shuts_nobody_out(connect):
    for _ in range(450):
        connect()
    assert answers(connect(GET + b"\r\n"))[0][0] == 200


def test_a_request_that_comes_byte_by_byte_is_answered(connect):
    sock = connect()
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in POST + b"Content-Length: 3\r\n\r\na=b":
        sock.sendall(bytes([byte]))
    [(status, body)] = answers(sock)
    assert status == 403
    assert b"this browser has lost its cookies" in body


def test_a_large_file_arrives_whole_at_a_client_that_reads_slowly(connect):
    sock = connect(SLOW_CLIENTS["hardly reading"], receive_buffer=4096)
    time.sleep(0.5)
    [(status, body)] = answers(sock)
    assert (status, body) == (200, (ROOT / "static" / LARGE_FILE).read_bytes())


def test_requests_sent_at_once_are_answered_in_their_order_on_one_connection(connect):
    missing = GET.replace(b"sign-in", b"nowhere")
    form = POST + b"Content-Length: 3\r\n\r\na=b"
    sock = connect(missing + b"\r\n" + form + GET + b"\r\n")
    assert [status for status, _ in answers(sock, 3)] == [404, 403, 200]
    sock.sendall(500 * (missing + b"\r\n") + GET + b"\r\n")
    assert [status for status, _ in answers(sock, 501)] == 500 * [404] + [200]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (GET + b"Content-Length: x\r\n\r\n", 400),
        (GET + b"X-Large: " + 70_000 * b"x", 431),
    ],
    ids=["no HTTP", "no length", "headers without end"],
)
def test_what_is_no_request_is_refused(connect, sent, status):
    assert answers(connect(sent))[0][0] == status


@pytest.mark.parametrize(
    ("header", "status", "word"),
    [
        (b"Content-Length: 3000000", 413, b"1.0\xc2\xa0MB"),
        (b"Transfer-Encoding: chunked", 411, b"Content-Length"),
    ],
    ids=["too large", "in chunks"],
)
def test_a_body_that_is_refused_is_answered_before_it_is_sent(connect, header, status, word):
    [(answered, body)] = answers(connect(POST + header + b"\r\n\r\n"))
    assert answered == status
    assert word in body


@contextmanager
def waiting_server(folder, workers):
    """Serve pages that wait until somebody rated, with so many processes; yield its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        port = listener.getsockname()[1]
        process = subprocess.Popen(
            [
                *(
                    sys.executable,
                    "-m",
                    "gunicorn",
                    "tests.fixtures.waiting_application:application",
                ),
                *("--bind", f"fd://{listener.fileno()}", "--workers", str(workers)),
                *("--worker-class", "config.server.worker.BufferingWorker"),
                *("--worker-tmp-dir", str(folder), "--no-control-socket"),
            ],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            pass_fds=[listener.fileno()],
        )
    try:
        yield port
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_a_rating_page_is_answered_beside_pages_that_take_long(tmp_path):
    page = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with (
        waiting_server(tmp_path, workers=1) as port,
        socket.create_connection(("127.0.0.1", port), PATIENCE) as first,
    ):
        first.sendall(page + page)
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as second:
            second.sendall(RATING)
            assert answers(second)[0][0] == 200
        assert [status for status, _ in answers(first, 2)] == [200, 200]


def test_connections_are_divided_evenly_among_processes(tmp_path):
    answered_by = []
    with waiting_server(tmp_path, workers=3) as port, ExitStack() as clients:

        def connect(number):
            socks = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(number)]
            for sock in socks:
                clients.enter_context(sock).sendall(RATING)
            answered_by.extend(int(answers(sock)[0][1]) for sock in socks)
            return Counter(each for each in answered_by if each not in ended)

        ended = set()
        wait_until(lambda: len(connect(1)) == 3)  # All processes have started.
        counts = connect(31)
        assert max(counts.values()) - min(counts.values()) <= 1

        ended = {killed := answered_by[-1]}
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: len(connect(1)) == 3)
        counts = connect(31)
        assert max(counts.values()) - min(counts.values()) <= 1

        hanging = answered_by[-1]
        os.kill(hanging, signal.SIGSTOP)
        try:
            assert connect(3)[hanging] == counts[hanging]
        finally:
            os.kill(hanging, signal.SIGCONT)


def test_clients_who_ask_without_pause_are_answered_equally_often(tmp_path):
    counts = Counter()

    def ask(client, sock):
        with sock:
            while counts.total() < 600:
                sock.sendall(RATING.replace(b"/1/", b"/slow/"))
                assert answers(sock)[0][0] == 200
                counts[client] += 1

    with waiting_server(tmp_path, workers=1) as port:
        address = ("127.0.0.1", port)
        socks = [socket.create_connection(address, PATIENCE) for _ in range(8)]
        with ThreadPoolExecutor(len(socks)) as clients:
            list(clients.map(ask, range(len(socks)), socks))
    assert min(counts.values()) > 0.8 * max(counts.values())


def test_it_stops_although_clients_read_nothing(tmp_path, django_db_setup):
    process, port = start(tmp_path)
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", port))
        sock.sendall(20 * SLOW_CLIENTS["hardly reading"])
        assert sock.recv(1)
        assert stop(process) == 0
