"""Backups of the whole site: made while annotators rate, restored whole or not at all."""

import hashlib
import json
import re
import shutil
import stat
import threading
from dataclasses import asdict, replace
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.models import Rating, Submission
from config.backup.making import back_up, name_at, this_engine
from config.backup.manifest import BackupError, Manifest, stored_file
from corpus.models import Study
from tests.fixtures.backups import NOON, all_files, site_with_files
from tests.fixtures.campaigns import judge, make_campaign, make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(settings, tmp_path):
    """The data folder of a site with a study, an export and what can be made anew."""
    return site_with_files(settings, tmp_path)


@pytest.fixture
def backup(site):
    """A backup of that site."""
    return back_up(site / "backups", keep=3, now=NOON)


@pytest.mark.dialect
def test_what_was_rated_before_a_backup_is_in_it_and_what_it_holds_is_whole(site, capsys):
    people = make_campaign(make_study(segments=40, slug="rated"))[1]
    begun, stop, acknowledged = threading.Event(), threading.Event(), []

    def rate(person):
        try:
            for _ in range(120):
                judge(person, 1)
                acknowledged.append(person.pk)
                if len(acknowledged) > 4:
                    begun.set()
                if stop.is_set():
                    break
        finally:
            connection.close()

    raters = [threading.Thread(target=rate, args=(person,)) for person in people]
    for each in raters:
        each.start()
    assert begun.wait(60)
    before = len(acknowledged)
    made = back_up(site / "backups", keep=3, now=NOON)
    stop.set()
    for each in raters:
        each.join()
    held = Manifest.read(made).contents.rows["annotation_submission"]
    assert 5 <= before <= held <= len(acknowledged) == Submission.objects.count()

    judge(people[0], 1)
    Study.objects.filter(slug="small").update(title="Changed after the backup")
    (site / "files" / "exports" / "1.zip").write_text("changed")
    (site / "secret_key").write_text("changed")
    call_command("restore", str(made), "--replace")
    said = capsys.readouterr().out
    assert Submission.objects.count() == held
    assert Rating.objects.count() == 3 * held
    assert Study.objects.get(slug="small").title == "A small study"
    assert (site / "files" / "exports" / "1.zip").read_text() == "exports/1.zip"
    assert not (site / "files" / "columns").exists()
    assert (site / "secret_key").read_text() == "the key"
    assert "3 files verified" in said
    # What was there before is named, and is whole.
    assert "before" in said
    [aside] = site.glob("files.before-restore-*")
    assert (aside / "exports" / "1.zip").read_text() == "changed"
    assert len(re.findall("What was there before is in", said)) == 3
    judge(people[1], 1)


@pytest.mark.dialect
def test_a_backup_is_restored_into_an_empty_site(site, backup):
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        connection.close()
        connection.settings_dict["NAME"] = str(site / "elsewhere.sqlite3")
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
    shutil.rmtree(site / "files")
    try:
        call_command("restore", str(backup))
        assert Study.objects.get().title == "A small study"
        contents = this_engine().contents()
        assert contents == Manifest.read(backup).contents
        if connection.vendor == "sqlite":
            path = site / "elsewhere.sqlite3"
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA foreign_key_check")
                assert cursor.fetchall() == []
    finally:
        if connection.vendor == "sqlite":
            connection.close()
            connection.settings_dict["NAME"] = name


@pytest.mark.sqlite
def test_a_damaged_database_is_replaced_and_never_backed_up(site, backup):
    name = connection.settings_dict["NAME"]
    connection.close()
    damaged = site / "damaged.sqlite3"
    content = bytearray((backup / "database.sqlite3").read_bytes())
    content[100:5000] = bytes(4900)
    damaged.write_bytes(content)
    (site / "damaged.sqlite3-wal").write_bytes(b"of another database")
    connection.settings_dict["NAME"] = str(damaged)
    try:
        with pytest.raises(Exception, match=r"damaged|malformed|not a database"):
            back_up(site / "backups", keep=1, now=NOON + timedelta(days=1))
        assert [path.name for path in (site / "backups").glob("[!.]*")] == [backup.name]
        call_command("restore", str(backup), "--replace")
        assert Study.objects.get().title == "A small study"
        [aside] = site.glob("damaged.sqlite3.before-restore-*Z")
        assert aside.read_bytes()[100:5000] == bytes(4900)
        assert list(site.glob("*.restoring*")) == []
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name


@pytest.mark.dialect
def test_a_backup_of_an_earlier_version_is_migrated_forward(site):
    call_command("migrate", "site", "zero", verbosity=0)
    older = back_up(site / "backups", keep=3, now=NOON)
    call_command("migrate", verbosity=0)
    call_command("restore", str(older), "--replace")
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    assert Study.objects.count() == 1


def test_nobody_else_may_read_a_backup_and_it_leaves_out_what_is_made_anew(backup):
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [backup, *backup.rglob("*")]}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
    engine = this_engine()
    files = Manifest.read(backup).files
    assert sorted(files) == sorted([engine.FILE, "files/exports/1.zip", "secret_key"])


def test_a_damaged_byte_is_refused_by_the_name_of_its_file(site, backup):
    for name in (this_engine().FILE, "files/exports/1.zip", "manifest.json"):
        whole = (backup / name).read_bytes()
        damaged = bytearray(whole)
        damaged[len(damaged) // 2] ^= 1
        (backup / name).write_bytes(damaged)
        refused_without_change(site, backup, name, "damaged")
        (backup / name).write_bytes(whole)
    (backup / "files" / "exports" / "1.zip").unlink()
    refused_without_change(site, backup, "files/exports/1.zip: cannot be read")


def test_what_does_not_fit_is_refused(site, backup):
    manifest = Manifest.read(backup)
    of_the_future = replace(manifest.contents, migrations={"corpus": "9999_of_the_future"})
    with_more = replace(manifest.contents, rows=manifest.contents.rows | {"corpus_study": 2})
    for changed, words in (
        (replace(manifest, version="99.0.0"), "newer than this one"),
        (replace(manifest, contents=of_the_future), "lacks corpus.9999_of_the_future"),
        (replace(manifest, engine="oracle"), "database in oracle"),
        (replace(manifest, contents=with_more), "corpus_study: 1 rows instead of 2"),
    ):
        write_again(changed, backup)
        refused_without_change(site, backup, words)


def forged(backup, change):
    """Change what the manifest of a backup says, and its hash with it."""
    path = backup / "manifest.json"
    plain = json.loads(path.read_text())
    del plain["sha256"]
    change(plain)
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(plain | {"sha256": digest}))


def test_a_manifest_of_any_wrong_shape_is_refused_in_one_sentence(site, backup):
    path = backup / "manifest.json"
    whole = path.read_text()
    number = "9" * 5000
    for text in ("", "null", "{}", "[" * 100_000, number, '{"sha256": NaN}'):
        path.write_text(text)
        refused_without_change(site, backup, f"{path} is damaged", "Take another backup.")
    path.write_bytes(b"\xff\xfe")
    refused_without_change(site, backup, "it is no JSON")
    names = ("version", "made_at", "engine", "database", "contents", "files")
    changes = [lambda plain, name=name: plain.update({name: None}) for name in names]
    changes += [lambda plain, name=name: plain.pop(name) for name in ("version", "files")]
    changes += [
        lambda plain: plain.update(more=1),
        lambda plain: plain.update(version="9" * 5000),
        lambda plain: plain["contents"].pop("rows"),
        lambda plain: plain["contents"]["rows"].update(corpus_study=True),
        lambda plain: plain["contents"]["rows"].update(corpus_study=10**4200),
        lambda plain: plain["contents"]["migrations"].update(corpus=["0001"]),
        lambda plain: plain["files"]["secret_key"].update(name="a"),
        lambda plain: plain["files"].pop(this_engine().FILE),
    ]
    for change in changes:
        path.write_text(whole)
        forged(backup, change)
        refused_without_change(site, backup, f"{path} is damaged", "Take another backup.")
    path.write_text(whole)
    forged(backup, lambda plain: plain.update(format="touchstone-backup/9"))
    refused_without_change(site, backup, "has the format 'touchstone-backup/9'")


def test_a_manifest_that_names_no_file_of_the_backup_is_refused(site, backup):
    path = backup / "manifest.json"
    whole = path.read_text()
    for name in ("../outside", "/etc/hostname", "a\0b", "\ud83d", "files", "a" * 999):
        path.write_text(whole)
        added = {name: {"sha256": "a", "bytes": 1}}
        forged(backup, lambda plain, added=added: plain["files"].update(added))
        refused_without_change(site, backup, "The backup is damaged; nothing was changed.")


@pytest.mark.sqlite
def test_a_damaged_database_in_a_backup_is_said_to_be_the_backups(site, backup):
    path = backup / "database.sqlite3"
    whole = path.read_bytes()
    middle = len(whole) // 2 & ~4095
    for content in (
        whole[:4096] + bytes(4096) + whole[8192:],
        whole[:middle],
        b"no database" * 900,
    ):
        path.write_bytes(content)
        stored = asdict(stored_file(path))
        forged(backup, lambda plain, stored=stored: plain["files"].update({path.name: stored}))
        refused_without_change(site, backup, "The database in the backup is damaged", str(path))


def write_again(manifest, backup):
    (backup / "manifest.json").unlink()
    manifest.write(backup)


@pytest.mark.dialect
def test_a_database_in_use_is_not_replaced(site, backup):
    opened, done = threading.Event(), threading.Event()

    def use():
        Study.objects.count()
        opened.set()
        done.wait(60)
        connection.close()

    user = threading.Thread(target=use)
    user.start()
    assert opened.wait(60)
    try:
        refused_without_change(site, backup, "in use")
    finally:
        done.set()
        user.join()


@pytest.mark.dialect
def test_what_fails_in_the_end_is_undone(site, backup, monkeypatch):
    def fail(*_, **__):
        raise BackupError("a migration failed")

    monkeypatch.setattr("config.backup.restoring.call_command", fail)
    refused_without_change(site, backup, "a migration failed")


def refused_without_change(site, backup, *words, replacing=True):
    """Hold that a backup is refused with some words, and that the site is as it was."""
    Study.objects.update(title="Not to be lost")
    files, contents = all_files(site), this_engine().contents()
    with pytest.raises(CommandError) as refusal:
        call_command("restore", str(backup), replace=replacing)
    for word in words:
        assert word in str(refusal.value)
    assert Study.objects.get().title == "Not to be lost"
    assert this_engine().contents() == contents
    assert all_files(site) == files


def test_the_newest_are_kept_and_what_others_made_is_not_touched(site):
    folder = site / "backups"
    days = [NOON + timedelta(days=number) for number in range(4)]
    first = back_up(folder, keep=2, now=days[0])
    elsewhere = folder / name_at(NOON - timedelta(days=9))
    shutil.copytree(first, elsewhere)
    write_again(replace(Manifest.read(elsewhere), database="of another site"), elsewhere)
    (folder / name_at(NOON - timedelta(days=8))).mkdir()  # No manifest.
    (folder / "by hand").mkdir()
    unfinished = folder / f"unfinished-{name_at(NOON)}"
    unfinished.mkdir()
    others = {path.name for path in folder.iterdir()} - {first.name, unfinished.name}
    for day in days[1:]:
        back_up(folder, keep=2, now=day)
    assert {path.name for path in folder.iterdir()} == others | {
        name_at(days[2]),
        name_at(days[3]),
        *([".turn"] if connection.vendor == "sqlite" else []),
    }


def test_a_backup_that_fails_leaves_nothing_behind(site, backup, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("config.backup.making.copy_kept", fail)
    with pytest.raises(OSError, match="No space"):
        back_up(site / "backups", keep=1, now=NOON + timedelta(days=1))
    assert [path.name for path in (site / "backups").glob("[!.]*")] == [backup.name]


def test_one_is_made_by_itself_only_if_it_is_due(site, settings):
    def backups():
        return len(list((site / "backups").glob("[!.]*")))

    settings.BACKUP_HOURS = 0
    call_command("backup", if_due=True)
    assert not (site / "backups").exists()
    settings.BACKUP_HOURS = 24
    call_command("backup", if_due=True)
    call_command("backup", if_due=True)
    assert backups() == 1
    [made] = (site / "backups").glob("[!.]*")
    made.rename(made.with_name(name_at(NOON - timedelta(days=4000))))
    call_command("backup", if_due=True)
    assert backups() == 2


def test_a_second_one_waits_for_nobody(site):
    with this_engine().alone((site / "backups").parent) as first:
        assert first
    (site / "backups").mkdir()

    def hold():
        with this_engine().alone(site / "backups"):
            held.set()
            done.wait(60)
        connection.close()

    held, done = threading.Event(), threading.Event()
    other = threading.Thread(target=hold)
    other.start()
    assert held.wait(60)
    try:
        call_command("backup", if_due=True)
        with pytest.raises(CommandError, match="Another process is making a backup"):
            call_command("backup")
    finally:
        done.set()
        other.join()


def test_the_commands_of_the_page_run_in_their_order(site, settings, tmp_path, monkeypatch):
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    section = text.split("\n## Backup\n")[1].split("\n## ")[0]
    commands = re.findall(r"^\.venv/bin/python manage\.py (.*)$", section, re.MULTILINE)
    monkeypatch.setattr("config.management.commands.backup.timezone.now", lambda: NOON)
    for command in at_least_one(commands):
        said = re.sub(r"\S*/\d{8}T\d{6}Z", str(site / "backups" / name_at(NOON)), command)
        if said.startswith("backup /"):
            said = f"backup {tmp_path / 'elsewhere'}{said.partition('/backup')[2]}"
        call_command(*said.split())
    assert json.loads((tmp_path / "elsewhere" / name_at(NOON) / "manifest.json").read_text())
