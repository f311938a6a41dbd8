"""How many submissions a second the rating pages take from annotators without think time.

Run ``python -m benchmarks.rating_load``. It makes a database of its own, starts the server as
``make run`` does, and lets clients rate through real HTTP: each submits all aspects of an item and
takes the next one out of the reply. Clients share the machine with the server. Every run has a
database of its own; figures are medians over runs, and name the number of clients unless it is 20.
"""

import argparse
import html
import http.client
import json
import math
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

from benchmarks.figures import show_figure

ROOT = Path(__file__).resolve().parent.parent
DRAFT_SECONDS = 10
SECONDS_TO_START = 180
CLIENTS = 20
FASTEST = 900  # Submissions a second.
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
SETUP = """
import json
from annotation.people.invitations import new_links
from annotation.launch.launching import launch
from annotation.models import Annotator, Campaign
from benchmarks.plain_study import plain_study
from corpus.write_turn import write_turn
from django.utils import timezone
items, clients, design, rule = {items}, {clients}, "{design}", {rule}
study = plain_study("load", items)
selection = {{"stopping": rule}} if rule else {{}}
campaign = Campaign.objects.create(study=study, slug="load", protocol="direct_assessment",
    origin="live", state="draft", design=design, ratings_per_item={ratings_per_item}, seed=1,
    selection=selection)
people = launch(campaign, clients, turn=write_turn)
Annotator.objects.update(guidelines_read_at=timezone.now())
links = new_links(people)
print(json.dumps([[str(p.public_id), links[p.pk]] for p in people]))
"""


class Client(threading.Thread):
    """One annotator who rates without pause."""

    def __init__(self, port: int, public_id: str, token: str, drafts: bool) -> None:
        super().__init__()
        self.port, self.public_id, self.token, self.drafts = port, public_id, token, drafts
        self.until = 0.0
        self.submits: list[float] = []
        self.saves: list[float] = []
        self.errors: list[str] = []
        self.cookies: dict[str, str] = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(self, method: str, path: str, data: dict[str, str] | None = None) -> tuple[int, str]:
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        body = None
        if data is not None:
            body = urllib.parse.urlencode(data)
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "X-Requested-With": "fetch",
            }
        self.connection.request(method, path, body, headers)
        reply = self.connection.getresponse()
        text = reply.read().decode()
        for value in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        return reply.status, text

    def enter(self) -> dict[str, str]:
        self.ask("GET", f"/join/{self.token}/")
        return self.open_page()

    def open_page(self) -> dict[str, str]:
        _, page = self.ask("GET", f"/rate/{self.public_id}/")
        return {name: html.unescape(value) for name, value in HIDDEN.findall(page)}

    def run(self) -> None:
        try:
            form = self.enter()
            while form and time.perf_counter() < self.until:
                if self.drafts:
                    started = time.perf_counter()
                    path = f"/rate/{self.public_id}/draft/"
                    status, _ = self.ask("POST", path, form | {"answer-0-style": "50"})
                    self.saves.append(time.perf_counter() - started)
                    if status != 200:
                        self.errors.append(f"draft {status}")
                form = self.submit(form)
        except (OSError, http.client.HTTPException) as error:
            self.errors.append(repr(error))
        finally:
            self.connection.close()

    def submit(self, form: dict[str, str]) -> dict[str, str]:
        answers = {f"answer-0-{aspect}": "50" for aspect in ("style", "content", "fluency")}
        started = time.perf_counter()
        status, page = self.ask("POST", f"/rate/{self.public_id}/submit/", form | answers)
        self.submits.append(time.perf_counter() - started)
        if status != 200:
            self.errors.append(f"submit {status}")
        following = {name: html.unescape(value) for name, value in HIDDEN.findall(page)}
        if following.get("assignment") == form["assignment"]:
            self.errors.append("the same item again")
        return following


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def environment(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    return kept | {"TOUCHSTONE_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}


def prepare(
    folder: Path,
    items: int,
    clients: int,
    design: str,
    ratings_per_item: int,
    rule: dict[str, object] | None = None,
    /,
    **variables: str,
) -> list[list[str]]:
    env = environment(folder) | variables
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
    code = SETUP.format(
        items=items, clients=clients, design=design, ratings_per_item=ratings_per_item, rule=rule
    )  # fmt: skip
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", code],
        cwd=ROOT, env=env, check=True, capture_output=True, text=True,
    )  # fmt: skip
    people: list[list[str]] = json.loads(made.stdout.strip().splitlines()[-1])
    return people


def new_database(server: str, name: str = "touchstone_load") -> dict[str, str]:
    """Make a database, in place of that of the run before."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
    return {"DATABASE_URL": f"{server.rpartition('/')[0]}/{name}"}


def serve(folder: Path, port: int, **variables: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--no-demo"]
    env = environment(folder) | variables
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
    end = time.monotonic() + SECONDS_TO_START
    while server.poll() is None and time.monotonic() < end:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/sign-in/")
            connection.getresponse().read()
            return server
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    said = (folder / "server.log").read_text()
    if server.poll() is None:
        server.kill()
        raise TimeoutError(f"{said}the server did not answer within {SECONDS_TO_START} s")
    raise SystemExit(f"{said}the server did not start")


def measure(port: int, people: list[list[str]], seconds: float, drafts: bool) -> list[Client]:
    clients = [Client(port, public_id, token, drafts) for public_id, token in people]
    end = time.perf_counter() + seconds
    for client in clients:
        client.until = end
        client.start()
    for client in clients:
        client.join()
    return clients


def fdatasync_milliseconds(folder: Path) -> float:
    """The median time of writing 4 KiB through to the disk."""
    times = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(b"0" * 4096)
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times)


def quantile(times: list[float], share: float) -> float:
    if not times:
        return float("nan")
    ordered = sorted(times)
    return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[5000, 100_000])
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--designs", nargs="+", default=["balanced_overlap", "shared_queue"])
    parser.add_argument("--postgresql", metavar="URL", help="a server to make databases on")
    options = parser.parse_args()
    # No run may come to the end of the pool, however fast it is.
    needed = FASTEST * (options.seconds + min(options.seconds, DRAFT_SECONDS))
    if needed > (most := options.clients * min(options.items)):
        parser.error(f"a run may need {needed:,.0f} assignments, there are {most:,}: shorten it")
    database = "PostgreSQL" if options.postgresql else "SQLite, synchronous=FULL"
    print(f"server: manage.py serve as in make run, {database}")
    print(f"machine: {os.cpu_count()} cores, shared with {options.clients} clients")
    print(
        f"{'design':<17}{'items':>8}{'run':>5}{'submits/s':>11}{'p50 ms':>8}{'p95 ms':>8}"
        f"{'draft p95':>11}{'errors':>8}{'fdatasync ms':>14}"
    )
    for design in options.designs:
        for items in options.items:
            each = min(options.clients, max(3, math.ceil(needed / items)))
            runs = []
            for run in range(1, options.runs + 1):
                print(f"{design:<17}{items:>8,}{run:>5}", end="", flush=True)
                runs.append(run_anew(design, items, each, options))
            name = f"rating_load.{'postgresql.' * bool(options.postgresql)}{design}.{items}"
            if options.clients != CLIENTS:
                name += f".{options.clients}_clients"
            rates, late = zip(*runs, strict=True)
            show_figure(name, statistics.median(rates), "submissions/s")
            show_figure(f"{name}.p95", statistics.median(late), "ms")


def run_anew(
    design: str, items: int, ratings_per_item: int, options: argparse.Namespace
) -> tuple[float, float]:
    """Run on a database of its own; return submissions a second, and the p95 of their times."""
    folder = Path(tempfile.mkdtemp(prefix="touchstone-load-"))
    try:
        variables = new_database(options.postgresql) if options.postgresql else {}
        people = prepare(folder, items, options.clients, design, ratings_per_item, **variables)
        port = free_port()
        server = serve(folder, port, **variables)
        try:
            return report(port, people, options.seconds, folder)
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def report(port: int, people: list[list[str]], seconds: float, folder: Path) -> tuple[float, float]:
    """Let clients rate, first without drafts and then with, and print the end of a line."""
    clients = measure(port, people, seconds, drafts=False)
    times = [each for client in clients for each in client.submits]
    errors = [each for client in clients for each in client.errors]
    drafting = measure(port, people, min(seconds, DRAFT_SECONDS), drafts=True)
    saves = [each for client in drafting for each in client.saves]
    errors += [each for client in drafting for each in client.errors]
    rate, late = len(times) / seconds, quantile(times, 0.95)
    print(
        f"{rate:>11.1f}{quantile(times, 0.5):>8.1f}{late:>8.1f}"
        f"{quantile(saves, 0.95):>11.1f}{len(errors):>8}{fdatasync_milliseconds(folder):>14.2f}",
        flush=True,
    )
    for text in sorted(set(errors)):
        print(f"  {errors.count(text)} × {text}")
    return rate, late


if __name__ == "__main__":
    main()
