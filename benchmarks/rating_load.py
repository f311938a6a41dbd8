"""How many submissions a second the rating pages take from annotators without think time.

    python -m benchmarks.rating_load [--items 1000 5000 100000] [--designs balanced_overlap]

Each run has a database of its own and a server as `make run` starts it. Clients share the machine
with it, and rate through real HTTP: each submits all aspects of an item and takes the next one out
of the reply. On PostgreSQL, too, where TEST_POSTGRES_URL names a server.
"""

import argparse
import html
import http.client
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.site import ROOT, Session, environment, free_port, manage

SECONDS_TO_START = 180
FASTEST = 1000  # Submissions a second.
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
SETUP = """
import json
from annotation.people.invitations import new_links
from annotation.launch.launching import launch
from annotation.models import Annotator, Campaign
from benchmarks.site import plain_study
from corpus.storage.write_turn import write_turn
from django.utils import timezone
campaign = Campaign.objects.create(study=plain_study("load", {items}), slug="load",
    protocol="direct_assessment", origin="live", state="draft", design="{design}",
    ratings_per_item={ratings_per_item}, seed=1)
people = launch(campaign, {clients}, turn=write_turn)
Annotator.objects.update(guidelines_read_at=timezone.now())
links = new_links(people)
print(json.dumps([[str(p.public_id), links[p.pk]] for p in people]))
"""


class Client(threading.Thread, Session):
    """One annotator who rates without pause."""

    def __init__(self, port: int, public_id: str, token: str) -> None:
        threading.Thread.__init__(self)
        Session.__init__(self, port, {"X-Requested-With": "fetch"})
        self.public_id, self.token = public_id, token
        self.until = 0.0
        self.submits: list[float] = []
        self.errors: list[str] = []

    def enter(self) -> dict[str, str]:
        """Follow the link; return the form of the first item."""
        self.ask("GET", f"/join/{self.token}/")
        return self.open_page()

    def open_page(self) -> dict[str, str]:
        """Return the form of the item that is shown."""
        return form_in(self.ask("GET", f"/rate/{self.public_id}/")[1])

    def run(self) -> None:
        """Rate until time is over."""
        try:
            form = self.enter()
            while form and time.perf_counter() < self.until:
                form = self.submit(form)
        except (OSError, http.client.HTTPException) as error:
            self.errors.append(repr(error))
        finally:
            self.connection.close()

    def submit(self, form: dict[str, str]) -> dict[str, str]:
        """Submit all aspects; return the form of the next item."""
        answers = {f"answer-0-{aspect}": "50" for aspect in ("style", "content", "fluency")}
        started = time.perf_counter()
        status, page = self.ask("POST", f"/rate/{self.public_id}/submit/", form | answers)
        self.submits.append(time.perf_counter() - started)
        if status != 200:
            self.errors.append(f"submit {status}")
        following = form_in(page)
        if following.get("assignment") == form["assignment"]:
            self.errors.append("the same item again")
        return following


def form_in(page: str) -> dict[str, str]:
    """Return what a rating page sends besides the answers."""
    return {name: html.unescape(value) for name, value in HIDDEN.findall(page)}


def prepare(
    folder: Path, items: int, clients: int, design: str, ratings_per_item: int, **variables: str
) -> list[list[str]]:
    """Make the database and a campaign; return the public id and the link of each annotator."""
    manage(folder, "migrate", "-v0", **variables)
    code = SETUP.format(
        items=items, clients=clients, design=design, ratings_per_item=ratings_per_item
    )
    made = manage(folder, "shell", "-v0", "-c", code, **variables)
    people: list[list[str]] = json.loads(made.strip().splitlines()[-1])
    return people


def new_database(server: str, name: str = "touchstone_load") -> dict[str, str]:
    """Make a database, in place of that of the run before; return the variable that names it."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
    return {"DATABASE_URL": f"{server.rpartition('/')[0]}/{name}"}


def serve(folder: Path, port: int, **variables: str) -> "subprocess.Popen[bytes]":
    """Start the server; return it once it answers."""
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--no-demo"]
    env = environment(folder) | variables
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
    end = time.monotonic() + SECONDS_TO_START
    while server.poll() is None and time.monotonic() < end:
        session = Session(port)
        try:
            session.ask("GET", "/sign-in/")
            return server
        except OSError:
            time.sleep(0.1)
        finally:
            session.connection.close()
    said = (folder / "server.log").read_text()
    if server.poll() is None:
        server.kill()
        raise TimeoutError(f"{said}the server did not answer within {SECONDS_TO_START} s")
    raise SystemExit(f"{said}the server did not start")


def measure(port: int, people: list[list[str]], seconds: float) -> list[Client]:
    """Let everybody rate for some seconds."""
    clients = [Client(port, public_id, token) for public_id, token in people]
    end = time.perf_counter() + seconds
    for client in clients:
        client.until = end
        client.start()
    for client in clients:
        client.join()
    return clients


def quantile(times: list[float], share: float) -> float:
    """Return a quantile of seconds, in milliseconds."""
    if not times:
        return float("nan")
    ordered = sorted(times)
    return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def run_anew(
    items: int, design: str, server: str, clients: int, seconds: float
) -> tuple[float, float, int]:
    """Return submissions a second, the p95 of their milliseconds, and how many errors came."""
    # No run may come to the end of the pool, however fast it is.
    each = min(clients, max(3, math.ceil(FASTEST * seconds / items)))
    with tempfile.TemporaryDirectory(prefix="touchstone-load-") as name:
        folder, port = Path(name), free_port()
        variables = new_database(server) if server else {}
        people = prepare(folder, items, clients, design, each, **variables)
        process = serve(folder, port, **variables)
        try:
            rated = measure(port, people, seconds)
        finally:
            process.terminate()
            process.wait()
    times = [each for client in rated for each in client.submits]
    errors = sum(len(client.errors) for client in rated)
    return len(times) / seconds, quantile(times, 0.95), errors


def main() -> None:
    """Print a line for each database, design and number of items."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--items", type=int, nargs="+", default=[1000, 5000, 100_000])
    parser.add_argument("--designs", nargs="+", default=["balanced_overlap", "shared_queue"])
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--runs", type=int, default=3, help="of which medians are shown")
    options = parser.parse_args()
    if FASTEST * options.seconds > (most := options.clients * min(options.items)):
        parser.error(f"there are only {most:,} assignments: let it run for a shorter time")
    print(
        f"{'database':12}{'design':18}{'items':>10}{'submissions/s':>15}{'p95, ms':>9}{'errors':>8}"
    )
    for server in dict.fromkeys(["", os.environ.get("TEST_POSTGRES_URL", "")]):
        for design in options.designs:
            for items in options.items:
                runs = [
                    run_anew(items, design, server, options.clients, options.seconds)
                    for _ in range(options.runs)
                ]
                rates, late, errors = zip(*runs, strict=True)
                print(
                    f"{'PostgreSQL' if server else 'SQLite':12}{design:18}{items:10,}"
                    f"{statistics.median(rates):15,.0f}{statistics.median(late):9.1f}"
                    f"{sum(errors):8}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
