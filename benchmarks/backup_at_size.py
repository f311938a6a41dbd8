"""How long a backup and its restoring take while annotators rate, and whether anything is lost.

    python -m benchmarks.backup_at_size [--scores 10000000] [--postgresql URL]

Fills a database as `benchmarks.growth` does, starts the server as `make run` does, and lets clients
rate without pause in another campaign. Some seconds later `manage.py backup` runs beside it. The
backup is then restored into an empty database, and looked at: each submission that was acknowledged
before the backup began must be in it, once, with all its ratings, and no row may be there by half:
an assignment is submitted if and only if it has a submission. It ends with an error otherwise.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import show_figure
from benchmarks.fresh_site import ROOT, start_django, timed
from benchmarks.rating_load import Client, free_port, new_database, prepare, quantile, serve

ITEMS = 5000
ASPECTS = 3


class Recorder(Client):
    """An annotator who notes which submissions were acknowledged, and when."""

    def __init__(self, port: int, public_id: str, token: str) -> None:
        super().__init__(port, public_id, token, drafts=False)
        self.acknowledged: list[tuple[float, str]] = []

    def submit(self, form: dict[str, str]) -> dict[str, str]:
        """Submit, and note the assignment if the answer says that it was taken."""
        refused = len(self.errors)
        following = super().submit(form)
        if len(self.errors) == refused:
            self.acknowledged.append((time.perf_counter(), form["assignment"]))
        return following


def fill_site(options: argparse.Namespace) -> None:
    """Make the database and fill it."""
    from django.core.management import call_command

    from benchmarks.grown_site import database_size, fill

    call_command("migrate", verbosity=0)
    for _ in fill(options.scores, 20, 1):
        pass
    show_figure("backup_at_size.database", database_size() / 1e6, "MB")


def look(options: argparse.Namespace) -> None:
    """Compare a restored database with what clients were told, and with itself."""
    from django.db.models import Count, Exists, OuterRef

    from annotation.models import Assignment, Submission

    told = json.loads(Path(options.told).read_text(encoding="utf-8"))
    pairs = Submission.objects.filter(item=OuterRef("item"), annotator=OuterRef("annotator"))
    submitted = Assignment.objects.filter(state="submitted")
    of_load = Submission.objects.filter(item__campaign__slug="load")
    held = {str(key) for key in submitted.values_list("public_id", flat=True)}
    found = {
        "held": of_load.count(),
        "lost": len(set(told) - held),
        "without_submission": submitted.filter(~Exists(pairs)).count(),
        "open_with_submission": Assignment.objects.exclude(state="submitted")
        .filter(Exists(pairs))
        .count(),
        "without_all_ratings": of_load.annotate(n=Count("ratings")).exclude(n=ASPECTS).count(),
    }
    print(json.dumps(found))


STEPS = {step.__name__: step for step in (fill_site, look)}


def run_step(environment: dict[str, str], step: str, *arguments: str) -> str:
    """Run a step in a process of its own, with Django."""
    command = [sys.executable, "-m", "benchmarks.backup_at_size", "--of-process", step, *arguments]
    return subprocess.run(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def manage(environment: dict[str, str], *arguments: str) -> None:
    """Run a command of the site."""
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


def rate_beside_backup(
    port: int, people: Sequence[Sequence[str]], seconds: float, environment: dict[str, str]
) -> tuple[list[Recorder], float, float]:
    """Let clients rate before, during and after a backup; return them and when it ran."""
    clients = [Recorder(port, public_id, token) for public_id, token in people]
    for client in clients:
        client.until = float("inf")
        client.start()
    time.sleep(seconds)
    begun = time.perf_counter()
    try:
        manage(environment, "backup")
    finally:
        ended = time.perf_counter()
        time.sleep(seconds)
        for client in clients:
            client.until = 0.0
        for client in clients:
            client.join()
    return clients, begun, ended


def measure(options: argparse.Namespace, folder: Path) -> list[str]:
    """Measure everything in a folder; return what is wrong."""
    site, other = folder / "site", folder / "restored"
    for each in (site, other):
        each.mkdir(mode=0o700)
    here = {"DATABASE_URL": f"sqlite:///{site}/site.sqlite3"}
    there = {"DATABASE_URL": f"sqlite:///{other}/restored.sqlite3"}
    if options.postgresql:
        here = new_database(options.postgresql, "touchstone_backup")
        there = new_database(options.postgresql, "touchstone_restored")
    here |= {"TOUCHSTONE_DATA": str(site), "LOG_LEVEL": "ERROR", "BACKUP_HOURS": "0"}
    there |= {"TOUCHSTONE_DATA": str(other), "LOG_LEVEL": "ERROR"}
    environment = os.environ | here
    print(run_step(environment, "fill_site", "--scores", str(options.scores)), end="", flush=True)
    people = prepare(site, ITEMS, options.clients, "balanced_overlap", options.clients, **here)
    port = free_port()
    server = serve(site, port, **here)
    try:
        clients, begun, ended = rate_beside_backup(port, people, options.seconds, environment)
    finally:
        server.terminate()
        server.wait()
    [backup] = (site / "backups").glob("2*")
    size = sum(path.stat().st_size for path in backup.rglob("*") if path.is_file())
    show_figure("backup_at_size.backup", ended - begun, "s")
    show_figure("backup_at_size.size", size / 1e6, "MB")
    _show_rates(clients, begun, ended, options.seconds)
    restoring = timed(lambda: manage(os.environ | there, "restore", str(backup)))[0]
    show_figure("backup_at_size.restore", restoring, "s")
    told = [name for client in clients for at, name in client.acknowledged if at < begun]
    (folder / "told.json").write_text(json.dumps(told), encoding="utf-8")
    found = json.loads(
        run_step(os.environ | there, "look", "--told", str(folder / "told.json")).splitlines()[-1]
    )
    held = found.pop("held")
    every = sum(len(client.acknowledged) for client in clients)
    print(f"  acknowledged before {len(told):,}, held {held:,}, acknowledged in all {every:,}")
    for name, count in found.items():
        show_figure(f"backup_at_size.{name}", count, "rows")
    wrong = [f"{count} {name}" for name, count in found.items() if count]
    if not told or not len(told) <= held <= every:
        wrong.append(f"{held} held of {len(told)} to {every}")
    return wrong + [text for client in clients for text in client.errors][:1]


def _show_rates(clients: list[Recorder], begun: float, ended: float, seconds: float) -> None:
    at = [moment for client in clients for moment, _ in client.acknowledged]
    before = sum(begun - seconds / 2 < moment < begun for moment in at) / (seconds / 2)
    during = sum(begun < moment < ended for moment in at) / (ended - begun)
    show_figure("backup_at_size.before", before, "submissions/s")
    show_figure("backup_at_size.during", during, "submissions/s")
    waits = [
        took
        for client in clients
        for (moment, _), took in zip(client.acknowledged, client.submits, strict=False)
        if begun < moment < ended
    ]
    show_figure("backup_at_size.during.p95", quantile(waits, 0.95), "ms")
    show_figure("backup_at_size.during.longest", 1000 * max(waits, default=0.0), "ms")


def main() -> None:
    """Measure, and end with an error if anything was lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--scores", type=int, default=10_000_000)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=8.0, help="before and after the backup")
    parser.add_argument("--postgresql", metavar="URL", help="a server to make databases on")
    parser.add_argument("--of-process", help=argparse.SUPPRESS)
    parser.add_argument("--told", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.of_process:
        start_django()
        STEPS[options.of_process](options)
        return
    with tempfile.TemporaryDirectory(prefix="touchstone-backup-") as name:
        if wrong := measure(options, Path(name)):
            raise SystemExit(f"wrong: {'; '.join(wrong)}")
    print("nothing is lost, and no row is there by half")


if __name__ == "__main__":
    main()
