"""Old exports, uploads that nobody imports and cut-off files go; what is used stays."""

import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.utils import timezone

from config.celery import delete_due
from corpus.exports.run import export_path
from corpus.exports.whole_file import whole_file
from corpus.imports.uploads import keep_upload, upload_files, upload_path
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import run_next
from corpus.models import ImportDraft, Job
from corpus.storage.pruning import left_over, prune
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def study():
    return make_study(2, 2, slug="small")


def names(days: float = 0) -> list[str]:
    return [each.name for each in left_over(timezone.now() + timedelta(days=days))]


def exported(client, **fields) -> Job:
    client.post("/studies/small/export/", fields)
    return run_next()


def uploaded() -> str:
    return keep_upload([SimpleUploadedFile("outputs.csv", b"segment,system,output\n")])


def test_a_zip_goes_after_its_days_and_its_job_offers_to_export_again(study):
    ada = signed_in("ada", study)
    job = exported(ada, **{"for": "spreadsheets"})
    assert names(29) == []
    [gone] = prune(timezone.now() + timedelta(days=31))
    assert gone.name == f"exports/{job.pk}.zip"
    assert gone.size == job.result["bytes"]
    page = ada.get(f"/jobs/{job.pk}/").text
    assert "The zip no longer exists: zips are kept for 30 days." in page
    assert "Download small.zip" not in page
    assert ada.get(f"/api/v1/jobs/{job.pk}/").json()["download"] is None
    # The button sends what was asked for before.
    assert '<input type="hidden" name="for" value="spreadsheets">' in page
    again = exported(ada, **{"for": "spreadsheets"})
    assert export_path(again).exists()
    assert again.parameters == job.parameters
    page = ada.get(f"/jobs/{again.pk}/").text
    assert "Download small.zip" in page
    assert "Export again" not in page


@pytest.mark.parametrize("parameter", ["path", "request"])
def test_an_upload_that_a_job_waits_for_stays(study, parameter):
    path = str(upload_path(uploaded()))
    wanted = path if parameter == "path" else {"path": path}
    job = ask_for_job("import", "import", study=study, user=None, parameters={parameter: wanted})
    assert names(30) == []
    Job.objects.filter(pk=job.pk).update(state="failed")
    assert len(names(30)) == 1


def test_an_upload_whose_mapping_was_changed_lately_stays_and_then_goes_with_its_drafts(study):
    upload = uploaded()
    signed_in("ada", study)
    owner = study.memberships.get().user
    draft = ImportDraft.objects.create(study=study, upload=upload, user=owner)
    later = timezone.now() + timedelta(days=5)
    ImportDraft.objects.filter(pk=draft.pk).update(changed_at=later)
    assert names(8) == []
    prune(timezone.now() + timedelta(days=13))
    assert not upload_files(upload)
    assert not ImportDraft.objects.exists()


def test_files_of_killed_processes_go_after_a_day_and_models_stay(media, study):
    left = ("exports/7.zip.0123.part", "columns/1/unfinished-x/state/a.npy", "work/import-9-x/a")
    left += ("models/1/abc.part/manifest.json", "language-models/.news.part/a")
    kept = ("models/1/abc/manifest.json", "language-models/news.part/a", "publications/1.zip")
    kept += ("embeddings/1/minilm-1.npy", "columns/1/scores-1.npy", "uploads-of-others/x.part")
    for name in left + kept:
        (media / name).parent.mkdir(parents=True, exist_ok=True)
        (media / name).write_bytes(b"12345")
    assert names(0.5) == []
    gone = prune(timezone.now() + timedelta(days=1000))
    assert sum(each.size for each in gone) == 5 * len(left)
    assert [name for name in left if (media / name).exists()] == []
    assert [name for name in kept if not (media / name).exists()] == []


def test_what_a_killed_command_left_elsewhere_goes_after_a_day(media, tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    with whole_file(folder / "whole.zip") as unfinished:
        unfinished.write_bytes(b"whole")
        assert names(2) == [str(folder / "whole.zip.part")]
    assert names(2) == []
    child = os.fork()
    if child == 0:
        with whole_file(folder / "cut.zip") as unfinished:
            unfinished.write_bytes(b"half")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert sorted(path.name for path in folder.iterdir()) == ["cut.zip.part", "whole.zip"]
    assert names(0.9) == []
    assert [each.size for each in prune(timezone.now() + timedelta(days=2))] == [4]
    assert [path.name for path in folder.iterdir()] == ["whole.zip"]
    assert names(9) == []


def test_a_file_that_cannot_be_removed_keeps_none_from_going(media, monkeypatch, caplog):
    (media / "exports").mkdir()
    for name in ("1.zip", "2.zip"):
        (media / "exports" / name).write_bytes(b"")
    unlink = Path.unlink

    def refuse_the_first(path, **options):
        if path.name == "1.zip":
            raise PermissionError("not yours")
        unlink(path, **options)

    monkeypatch.setattr(Path, "unlink", refuse_the_first)
    assert [each.name for each in prune(timezone.now() + timedelta(days=31))] == ["exports/2.zip"]
    assert "exports/1.zip is left over and cannot be removed" in caplog.text


def test_the_command_says_what_would_go_and_then_removes_it(media, capsys):
    path = media / "exports" / "1.zip"
    path.parent.mkdir()
    path.write_bytes(b"x" * 1234)
    long_ago = (timezone.now() - timedelta(days=31)).timestamp()
    os.utime(path, (long_ago, long_ago))
    call_command("prune", "--dry-run")
    assert capsys.readouterr().out == "exports/1.zip: 1,234 bytes\n1,234 bytes would be removed\n"
    assert path.exists()
    call_command("prune")
    assert "1,234 bytes removed" in capsys.readouterr().out
    assert not path.exists()


@pytest.mark.parametrize("worker", ["embedded", "celery"])
def test_workers_do_it_with_what_is_to_be_deleted(media, monkeypatch, worker):
    path = media / "exports" / "1.zip"
    path.parent.mkdir()
    path.touch()
    os.utime(path, (0, 0))
    if worker == "embedded":
        monkeypatch.setattr("corpus.management.commands.work.SECONDS_BEFORE_DELETIONS", -1)
        monkeypatch.setattr("corpus.management.commands.work.close_old_connections", lambda: None)
        call_command("work", until_idle=True)
    else:
        delete_due()
    assert not path.exists()
