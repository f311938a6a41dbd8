"""A restore that is killed at any step says so to whoever starts, and is undone as a whole."""

import os
import sys

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from config.backup import journal
from config.backup.making import back_up, this_engine
from config.backup.manifest import BackupError
from config.backup.restoring import undo
from config.health.upkeep import backups
from corpus.models import Study
from tests.fixtures.backups import NOON, all_files, site_with_files

pytestmark = pytest.mark.django_db(transaction=True)
STEPS = {"os.rename", "os.link", "os.remove", "subprocess.Popen"}
KILLED = 9


@pytest.fixture
def changed(settings, tmp_path):
    """A site that was changed after its backup, and the backup."""
    site = site_with_files(settings, tmp_path)
    backup = back_up(site / "backups", keep=3, now=NOON)
    Study.objects.update(title="Not to be lost")
    (site / "files" / "exports" / "1.zip").write_text("changed")
    (site / "secret_key").write_text("changed")
    return site, backup


def killed_at(step, site, *arguments):
    """Restore in another process, which dies before one of its steps; say whether it did."""
    connection.close()
    child = os.fork()
    if child == 0:
        left = [step]

        def count(event, _):
            if event in STEPS and (site / journal.NAME).exists():
                left[0] -= 1
                if left[0] < 0:
                    os._exit(KILLED)

        sys.addaudithook(count)
        try:
            call_command("restore", *arguments, stdout=open(os.devnull, "w"))  # noqa: SIM115
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


def test_a_restore_that_is_killed_at_any_step_is_undone(changed):
    site, backup = changed
    before, rows = all_files(site), this_engine().contents()
    steps = 0
    while killed_at(steps, site, str(backup), "--replace"):
        steps += 1
        assert (site / journal.NAME).exists()
        # What undoes it may be killed, too.
        killed_at(steps % 2, site, "--undo")
        call_command("restore", "--undo")
        assert Study.objects.get().title == "Not to be lost"
        assert this_engine().contents() == rows
        found = all_files(site)
        assert {name: found[name] for name in before} == before
        assert [name for name in found if "before-restore" in name] == []
    assert steps >= (7 if connection.vendor == "sqlite" else 5)
    assert Study.objects.get().title == "A small study"
    assert not (site / journal.NAME).exists()


def test_nothing_starts_on_it_and_each_says_what_to_do(changed):
    site, backup = changed
    assert killed_at(4, site, str(backup), "--replace")
    words = "restore --undo"
    for command in ("serve", "backup"):
        with pytest.raises(CommandError, match=words):
            call_command(command)
    with pytest.raises(SystemCheckError, match=words):
        call_command("work", until_idle=True, skip_checks=False)
    found = backups()
    assert (found.state, words in found.remedy) == ("broken", True)
    call_command("restore", str(backup), "--replace")
    assert Study.objects.get().title == "A small study"


def test_one_that_still_runs_is_not_undone(changed, monkeypatch, capsys):
    _, backup = changed

    def try_to_undo(*_, **__):
        with pytest.raises(BackupError, match="A restore is running"):
            undo()
        raise BackupError("seen")

    monkeypatch.setattr("config.backup.restoring._exchange", try_to_undo)
    with pytest.raises(CommandError, match="seen"):
        call_command("restore", str(backup), "--replace")
    assert Study.objects.get().title == "Not to be lost"
    call_command("restore", "--undo")
    assert "nothing was changed" in capsys.readouterr().out
