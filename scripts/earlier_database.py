"""Write a small database as an earlier version made it, for the tests of upgrading.

Check that version out and run this there, with the programs of this version::

    git worktree add --detach ../earlier COMMIT
    cd ../earlier && python ../touchstone/scripts/earlier_database.py OUTPUT.sql

The database has three segments of the demonstration study with their ratings and scores, a
campaign that two annotators have begun, with a panel that sends people to it, a frozen report, a
collection with one task, and a job that waits, as far as that version knows them.
With DATABASE_URL naming an empty PostgreSQL database the dump is one of PostgreSQL.
"""

import csv
import importlib
import os
import sqlite3.dump  # now: the settings may put a newer SQLite in its place
import subprocess  # nosec B404  # for developers; no shell
import sys
import tempfile
import uuid
from pathlib import Path

SEGMENTS = {"if01", "if02", "if03"}
DEMO = Path("demo/formality-demo")


def main(output: Path) -> None:
    """Make the database in the current folder's version and dump it."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"TOUCHSTONE_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        sys.path.insert(0, os.getcwd())
        import django
        from django.core.management import call_command, get_commands
        from django.db import connection

        django.setup()
        call_command("migrate", verbosity=0)
        if "import_study" in get_commands() and DEMO.exists():
            study = Path(folder) / "earlier"
            cut(study)
            call_command("import_study", str(study), verbosity=0)
        for step in (rate, freeze, recruit, collect, ask):
            try:
                step()
            except ImportError as error:
                sys.stderr.write(f"{step.__name__}: not in this version ({error})\n")
        connection.close()
        dump(connection.settings_dict, output)


def cut(folder: Path) -> None:
    """Copy the demonstration study with a few of its segments."""
    folder.mkdir()
    (folder / "study.json").write_text((DEMO / "study.json").read_text())
    for path in DEMO.glob("*.csv"):
        with path.open(newline="") as read, (folder / path.name).open("w", newline="") as written:
            rows = csv.DictReader(read)
            writer = csv.DictWriter(written, rows.fieldnames or ())
            writer.writeheader()
            writer.writerows(r for r in rows if r.get("segment_id", "if01") in SEGMENTS)


def rate() -> None:
    """Start a campaign in the shared queue and let two annotators judge three items each."""
    launching = importlib.import_module("annotation.launch.launching")
    submitting = importlib.import_module("annotation.rating.submitting")
    handing_out = importlib.import_module("annotation.queue.handing_out")
    statements = importlib.import_module("annotation.statements")
    models = importlib.import_module("annotation.models")
    from corpus.models import Study

    campaign = models.Campaign.objects.create(
        study=Study.objects.get(), slug="live", title="Live", protocol="direct_assessment",
        origin="live", state="draft", design="shared_queue", ratings_per_item=2, seed=1,
    )  # fmt: skip
    for person in launching.launch(campaign, 2):
        annotator = statements.find_annotator(person.public_id)
        screen = handing_out.next_assignments(annotator)
        for number in range(3):
            answers = {aspect: str(10 * number + 5) for aspect in ("style", "content", "fluency")}
            sent = submitting.Sent(uuid.uuid4(), 1, [answers], active_seconds=3.0)
            screen = submitting.submit(annotator, screen[0].public_id, sent).following


def freeze() -> None:
    """Freeze a report."""
    service = importlib.import_module("analysis.frozen.service")
    from analysis.filter.question import Question
    from corpus.models import Study

    service.freeze(Study.objects.get(), "ranking", Question(), None, "As it was")


def recruit() -> None:
    """Set a panel up for the campaign."""
    settings = importlib.import_module("annotation.panels.settings")
    models = importlib.import_module("annotation.models")
    from django.contrib.auth.models import User

    panel = settings.new_panel(models.Campaign.objects.get(slug="live"))
    settings.keep_panel(panel, {"events_secret": "known"}, User.objects.create(username="owner"))


def collect() -> None:
    """Make a collection of one task."""
    changing = importlib.import_module("analysis.collections.changing")
    from corpus.models import Study

    task = changing.NewTask(
        study=Study.objects.get(), statistic="system-pearson", question={"aspect": "content"}
    )
    changing.create_collection("one", "One task", [task], None, draws=100)


def ask() -> None:
    """Ask for an export, which waits for a worker."""
    queue = importlib.import_module("corpus.jobs.queue")
    from corpus.models import Study

    queue.ask_for_job("export", "export", study=Study.objects.get(), user=None, parameters={})


def dump(settings: dict[str, str], output: Path) -> None:
    """Write the database as SQL."""
    if "sqlite" in settings["ENGINE"]:
        with sqlite3.connect(settings["NAME"]) as database:
            output.write_text("\n".join(database.iterdump()) + "\n")
        return
    command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", os.environ["DATABASE_URL"]]
    written = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
    # Lines with a backslash are for psql alone.
    output.write_text("".join(x for x in written.splitlines(True) if not x.startswith("\\")))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
