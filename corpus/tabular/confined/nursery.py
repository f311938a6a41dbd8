"""The process of which reading processes are copies: it has loaded what they need, and no file.

    python -I -c "…; from corpus.tabular.confined.nursery import main; main()"

A fresh interpreter takes a fifth of a second for DuckDB and what reads; a copy takes a hundredth.
The nursery holds neither secrets nor locks of other threads, and ends when nobody can ask it any
more, or has for some time.
"""

from __future__ import annotations

import os
import select
import socket

from corpus.tabular.confined import child
from corpus.tabular.confined.frames import NUMBER

IDLE_SECONDS = 60.0


def main() -> None:
    """Copy this process whenever two pipes come on the socket that is standard input."""
    control = socket.socket(fileno=os.dup(0))
    poll = select.poll()
    poll.register(control, select.POLLIN)
    living: dict[int, tuple[int, int]] = {}
    while ready := poll.poll(None if living else IDLE_SECONDS * 1000):
        for place, _ in ready:
            if place in living:
                poll.unregister(place)
                _say_the_end(place, *living.pop(place))
                continue
            _, pipes, _, _ = socket.recv_fds(control, 1, 3)
            if len(pipes) != 3:
                return
            born = _copy(control, pipes, living)
            living[born[0]] = born[1:]
            poll.register(born[0], select.POLLIN)


def _copy(
    control: socket.socket, pipes: list[int], living: dict[int, tuple[int, int]]
) -> tuple[int, int, int]:
    """Start a copy that reads and writes two pipes; return how to hear of its end."""
    requests, answers, status = pipes
    number = os.fork()
    if number == 0:
        os.setpgid(0, 0)
        os.dup2(requests, 0)
        os.dup2(answers, 1)
        control.close()
        for place in (*pipes, *living, *(status for _, status in living.values())):
            os.close(place)
        code = 1
        try:
            child.main()
            code = 0
        finally:
            os._exit(code)
    os.close(requests)
    os.close(answers)
    os.write(status, NUMBER.pack(number))
    return os.pidfd_open(number), number, status


def _say_the_end(place: int, number: int, status: int) -> None:
    _, ended = os.waitpid(number, 0)
    os.write(status, NUMBER.pack(os.waitstatus_to_exitcode(ended)))
    os.close(status)
    os.close(place)
