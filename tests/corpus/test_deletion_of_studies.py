"""Studies and campaigns are deleted by rule: hidden first, taken back for some days, then gone."""

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from django.apps import apps
from django.conf import settings as site
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from analysis.filter.question import Question
from analysis.frozen.service import freeze, share
from annotation.models import Annotator, Campaign, Rating
from annotation.people.invitations import new_links
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import run_next
from corpus.models import AccessEntry, AuditEntry, Job, Output, Permission, RateLimit, Study
from metrics.resources.stored_embeddings import stored_embeddings
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study, send
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def study(small_study, db):
    return Study.objects.get(slug="small")


@pytest.fixture
def ada(study):
    return signed_in("ada", study)


def rows() -> dict[str, int]:
    kept = {"admin", "auth", "authtoken", "contenttypes", "sessions", "site", "usersessions"}
    return {
        model._meta.label: count
        for model in apps.get_models()
        if model._meta.app_label not in kept
        and model is not RateLimit
        and (count := model._default_manager.count())
    }


def rated(study, slug="live") -> tuple[Campaign, Annotator]:
    campaign, [annotator] = make_campaign(study, annotators=1, slug=slug)
    screen = annotator.assignments.filter(lead=True).first()
    send(Annotator.objects.select_related("campaign__study").get(pk=annotator.pk), screen)
    return campaign, annotator


def days_pass(days: int = 15) -> None:
    past = timezone.now() - timedelta(days=days)
    for model in (Study, Campaign):
        model.objects.filter(deletion_asked_at__isnull=False).update(deletion_asked_at=past)


def ask(client, **typed):
    return client.post("/studies/small/data/", typed)


def test_a_study_is_hidden_at_once_and_can_be_taken_back(ada, study):
    _, annotator = rated(study)
    [token] = new_links([annotator]).values()
    rater = Client()
    rating_page = rater.get(f"/join/{token}/", follow=True).redirect_chain[-1][0]
    assert rater.get(rating_page).status_code == 200
    frozen = freeze(study, "agreement", Question(resamples=100), owner())
    share(frozen, owner())
    frozen.refresh_from_db()
    shared = frozen.token
    assert Client().get(f"/shared/{shared}/").status_code == 200
    assert ask(ada, name="smal").status_code == 400
    assert ada.get("/studies/small/").status_code == 200
    assert ask(ada, name="small").status_code == 302
    for client in (ada, signed_in("eve", study, "researcher")):
        assert client.get("/studies/small/").status_code == 404
        assert client.get("/api/v1/studies/small/").status_code == 404
    assert rater.get(rating_page).status_code == 403
    assert Client().get(f"/shared/{shared}/").status_code == 404
    assert "Studies to be deleted" in ada.get("/").text
    assert "Studies to be deleted" not in signed_in("eve", study, "researcher").get("/").text
    call_command("delete_due")
    assert signed_in("eve").post("/studies/small/take-back/").status_code == 404
    assert ada.post("/studies/small/take-back/").status_code == 302
    assert ada.get("/studies/small/").status_code == 200
    assert rater.get(rating_page).status_code == 200
    days_pass()
    call_command("delete_due")
    assert Study.objects.filter(pk=study.pk).exists()


@pytest.mark.dialect
def test_nothing_of_a_study_is_left_but_one_audit_entry_and_a_log_without_names(tmp_path, capsys):
    other = make_study(2, 2, slug="other")
    rated(other)
    before = rows()
    assert import_path(write_files(tmp_path / "second", TABLES), slug="second").state == "done"
    study = Study.objects.get(slug="second")
    ada = signed_in("ada", study)
    rated(study)
    freeze(study, "agreement", Question(resamples=100), owner())
    export = ask_for_job("export", "export", study=study, user=owner(), parameters={})
    assert run_next().state == "done"
    file = Path(site.MEDIA_ROOT) / "exports" / f"{export.pk}.zip"
    assert file.exists()
    stored_embeddings(study.pk).keep("encoder", {"a text": np.zeros(8, dtype=np.float32)})
    ada.post("/studies/second/data/", {"name": "second"})
    days_pass()
    call_command("delete_due")
    assert "deleted study second" in capsys.readouterr().out
    assert not file.exists()
    assert not stored_embeddings(study.pk).folder.exists()
    entry = AuditEntry.objects.get(study=None)
    assert (entry.action, entry.object, entry.actor.username) == ("delete study", "second", "ada")
    logged = AccessEntry.objects.values_list("detail", flat=True)
    assert not any("second" in detail for detail in logged)
    assert rows() == before | {
        "corpus.AuditEntry": before.get("corpus.AuditEntry", 0) + 1,
        "corpus.AccessEntry": len(logged),
    }


def test_a_deletion_that_was_cut_off_goes_on_the_next_time(ada, study, monkeypatch):
    ask(ada, name="small")
    days_pass()
    with monkeypatch.context() as patched:
        patched.setattr("corpus.studies.deletion.export_path", None)
        patched.setattr("corpus.studies.deletion.discard_upload", None)
        with pytest.raises(TypeError):
            call_command("delete_due")
    assert Study.objects.filter(pk=study.pk).exists()
    call_command("delete_due")
    assert not Study.objects.exists()


def test_a_study_with_a_job_under_way_waits_for_its_end(ada, study):
    ask(ada, name="small")
    days_pass()
    Job.objects.create(kind="score", key="x", study=study, state="running")
    call_command("delete_due")
    assert Study.objects.exists()
    assert Job.objects.get(key="x").cancel_requested


@pytest.mark.dialect
def test_a_campaign_is_deleted_likewise_and_the_study_stays(ada, study, capsys):
    _, annotator = rated(study)
    kept, _ = rated(study, "kept")
    revision = Study.objects.get(pk=study.pk).revision
    page = "/studies/small/campaigns/live/delete/"
    assert ada.post(page, {"name": "other"}).status_code == 400
    assert ada.post(page, {"name": "live"}).status_code == 302
    assert "to be deleted" in ada.get("/studies/small/data/").text
    [token] = new_links([annotator]).values()
    assert Client().get(f"/join/{token}/", follow=True).status_code == 403
    ada.post(f"{page}take-back/")
    assert Client().get(f"/join/{token}/", follow=True).status_code == 200
    ada.post(page, {"name": "live"})
    days_pass()
    call_command("delete_due")
    assert "deleted campaign live of study small" in capsys.readouterr().out
    assert not Campaign.objects.filter(slug="live").exists()
    assert Rating.objects.filter(submission__item__campaign=kept).exists()
    assert Study.objects.get(pk=study.pk).revision > revision
    entry = AuditEntry.objects.get(action="delete campaign")
    assert entry.before == {"ratings": 3, "answers": 1}


@pytest.mark.dialect
@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("", lambda: Rating.objects.all().delete()),
        ("update", lambda: Rating.objects.all().delete()),
        ("update", lambda: Rating.objects.update(value=1)),
        ("delete", lambda: Output.objects.update(text="changed")),
        ("delete", lambda: AuditEntry.objects.update(action="changed")),
    ],
)
def test_the_permission_is_for_one_thing_and_goes_with_its_transaction(study, what, change):
    assert AuditEntry.objects.exists()

    def with_permission():
        Permission.objects.create(what=what)
        change()

    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        with_permission()
    assert not Permission.objects.exists()


def test_only_owners_see_and_do_this(study):
    reader = signed_in("eve", study, "researcher")
    assert ask(reader, name="small").status_code == 403
    assert reader.get("/studies/small/data/").status_code == 403
    assert Client().get("/privacy/").status_code == 200


def owner():
    return User.objects.get(username="ada")
