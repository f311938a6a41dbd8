"""`manage.py doctor` is content with a sound site, and finds each fault that it looks for."""

import json
import re
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config.backup.making import name_at, this_engine
from config.backup.manifest import Contents, Manifest, stored_file
from config.database.repairing import repair
from config.health import serving, upkeep
from corpus.models import Job, Worker
from tests.fixtures.machine import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site(settings, tmp_path):
    """The data folder of a sound site with a backup."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    settings.DATA_DIR, settings.BACKUP_FOLDER = folder, folder / "backups"
    (folder / "secret_key").touch(0o600)
    path = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        for each in (Path(path), Path(f"{path}-wal")):
            if each.exists():
                each.chmod(0o600)
    write_backup(folder, timezone.now())
    Worker.objects.create(name="here:1", kind="work", queues=["default", "gpu", "heavy"])
    return folder


def write_backup(folder, when):
    made = folder / "backups" / name_at(when)
    made.mkdir(parents=True)
    (made / "database").write_text("rows")
    files = {"database": stored_file(made / "database")}
    engine = this_engine()
    Manifest(
        "0.1.0", made.name, connection.vendor, engine.address(), Contents({}, {}), files
    ).write(made)


def examine(check):
    [found] = [each for each in (*serving.SERVING, *upkeep.UPKEEP) if each.name == check]
    return found.ask()


@pytest.mark.dialect
def test_a_sound_site_is_told_so_by_a_line_for_each_check(capsys):
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    [documented] = re.findall(r"^\.venv/bin/python manage\.py (doctor.*)$", text, re.MULTILINE)
    call_command(*documented.split())
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == list(upkeep.examination())
    assert [line for line in lines if ": ok. " not in line] == []


def test_programs_read_json_and_the_status(capsys, site):
    (site / "secret_key").chmod(0o644)
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", json=True)
    assert ended.value.code == 1
    found = {each["check"]: each for each in json.loads(capsys.readouterr().out)}
    assert found["permissions"]["state"] == "broken"
    assert found["permissions"]["remedy"] == f"Run chmod go= {site / 'secret_key'}"
    assert found["disk"]["state"] == "ok"


def newer(site, settings, monkeypatch):
    MigrationRecorder(connection).record_applied("corpus", "9999_of_the_future")


def other_library(site, settings, monkeypatch):
    monkeypatch.setattr(upkeep, "_installed", lambda name: "1.0" if name == "numpy" else "")


def small_disk(site, settings, monkeypatch):
    settings.BACKUP_FOLDER.mkdir(exist_ok=True)
    usage = shutil.disk_usage(site)
    free = {settings.BACKUP_FOLDER: serving.LEAST_FREE - 1}
    monkeypatch.setattr(
        "config.health.serving.shutil.disk_usage",
        lambda path: usage._replace(free=free.get(path, 2 * serving.LEAST_FREE)),
    )


def open_folder(site, settings, monkeypatch):
    site.chmod(0o755)


def no_access(site, settings, monkeypatch):
    monkeypatch.setattr("config.health.upkeep.os.access", lambda *_: False)


def waiting(site, settings, monkeypatch, **values):
    job = Job.objects.create(kind="export", key="a", **values)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=3))


def silent(site, settings, monkeypatch):
    long_ago = timezone.now() - timedelta(hours=3)
    Job.objects.create(kind="export", key="b", state="running", lease_until=long_ago)


def crowded(site, settings, monkeypatch):
    waiting(site, settings, monkeypatch)
    later = timezone.now() + timedelta(minutes=5)
    Job.objects.create(kind="export", key="b", state="running", lease_until=later)


def no_backup(site, settings, monkeypatch):
    shutil.rmtree(site / "backups")


def old_backup(site, settings, monkeypatch):
    no_backup(site, settings, monkeypatch)
    write_backup(site, timezone.now() - timedelta(days=5))


def damaged_backup(site, settings, monkeypatch):
    [path] = site.glob("backups/*/database")
    path.write_text("rowz")


def no_proxy(site, settings, monkeypatch):
    settings.HTTPS, settings.BEHIND_PROXY = True, False


def unreachable(site, settings, monkeypatch):
    def fail(*_):
        raise OperationalError("database disk image is malformed")

    monkeypatch.setattr(connection, "cursor", fail)


@pytest.mark.parametrize(
    ("fault", "check", "state", "words"),
    [
        (unreachable, "integrity", "broken", "The server's database is damaged"),
        (newer, "migrations", "broken", "of a newer version: corpus.9999_of_the_future"),
        (other_library, "libraries", "warning", "numpy 1.0 instead of"),
        (small_disk, "disk", "warning", "99 MiB are free in the folder of backups"),
        (open_folder, "permissions", "broken", "Other accounts may open"),
        (no_access, "permissions", "broken", "This account cannot write"),
        (waiting, "worker", "broken", "though a job has waited for 3 h 0 min"),
        (silent, "jobs", "broken", "The workers of 1 running jobs are silent"),
        (crowded, "jobs", "warning", "the oldest for 3 h 0 min; 1 are worked on"),
        (no_backup, "backups", "warning", "There is no backup"),
        (old_backup, "backups", "warning", "5 days old"),
        (damaged_backup, "backups", "broken", "database: its SHA-256 hash differs"),
        (no_proxy, "settings", "warning", "HTTPS is set and BEHIND_PROXY is not"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_each_fault_is_found(fault, check, state, words, site, settings, monkeypatch):
    fault(site, settings, monkeypatch)
    found = examine(check)
    assert (found.state, words in found.words) == (state, True), found
    assert found.remedy


@pytest.mark.dialect
def test_rules_that_the_database_no_longer_enforces_are_found():
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA defer_foreign_keys = ON")
            cursor.execute(
                "INSERT INTO auth_user_groups (user_id, group_id) VALUES (987654, 987654)"
            )
            words = "rows refer to missing ones (auth_user_groups)"
        else:
            cursor.execute("ALTER TABLE annotation_rating DISABLE TRIGGER USER")
            words = "triggers are disabled"
        found = examine("integrity")
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM auth_user_groups")
    assert found.state == "broken"
    assert words in found.words


def test_a_sound_site_has_nothing_to_repair():
    assert repair() == ([], [])
