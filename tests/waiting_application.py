"""A WSGI application whose pages wait until somebody rated."""

import threading

rated = threading.Event()


def application(environ, start_response):
    """Answer `/rate/` at once and everything else after it."""
    if environ["PATH_INFO"].startswith("/rate/"):
        rated.set()
    done = rated.wait(30)
    start_response("200 OK" if done else "503 Nobody rated", [("Content-Length", "0")])
    return []
