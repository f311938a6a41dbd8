"""Plans in archives: the same bytes, with their hash; pages say so and nothing is confirmatory."""

import csv
import io
import json
import zipfile

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from analysis.data import matrices
from analysis.datasheets.datasheet import datasheet, datasheet_json, methods
from analysis.filter.question import Question
from analysis.models import Preregistration
from analysis.preregistration.marks import mark_of
from analysis.preregistration.service import FORMAT, canonical, register
from analysis.reports.service import report
from analysis.tables.flat_table import csv_text
from analysis.tables.of_reports import flat_tables
from annotation.models import Campaign
from corpus.exports.bundle import write_bundle
from corpus.models import Study
from tests.fixtures.campaigns import judge, make_campaign, make_study
from tests.fixtures.import_pages import ImportPages, finished
from tests.fixtures.study_files import TABLES, import_path, imported_study, write_files

pytestmark = pytest.mark.django_db
ASKED = Question(campaign="campaign-1", aspect="fluency", resamples=100)
SAID = "imported, stated by the file"


@pytest.fixture(autouse=True)
def _forget():
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def campaign():
    made = make_campaign(make_study(6, 2), annotators=2)[0]
    for annotator in made.annotators.all():
        judge(annotator, 12, lambda item: 30 + item.pk % 50)
    return made


def stated(**changed):
    """Return a plan of 2019 as a file states it."""
    return {
        "format": FORMAT,
        "study": "small",
        "campaign": "campaign-1",
        "title": "",
        "version": 1,
        "registered_at": "2019-01-01T00:00:00+00:00",
        "question": "Is system-0 more fluent?",
        "exclusions": "",
        "notes": "",
        "primary": {"kind": "system-comparison", "question": ASKED.to_query()},
        "design": {"seed": 1},
    } | changed


def table_of(content, **changed):
    plan = content if isinstance(content, str) else canonical(content)
    row = {"campaign": "campaign-1", "version": 1, "plan": plan}
    row |= {"sha256": Preregistration.hash_of(plan), "public": "true"} | changed
    out = io.StringIO()
    writer = csv.DictWriter(out, list(row))
    writer.writeheader()
    writer.writerow(row)
    return out.getvalue()


def test_a_plan_of_2019_is_refused_for_a_campaign_that_was_made_here(
    campaign, tmp_path, client, capsys
):
    """By the page and by the command: what a file states does not become a plan of this server."""
    client.force_login(User.objects.create_superuser("owner"))
    pages, table = ImportPages(client), table_of(stated())
    job = finished(pages.press(*pages.upload({"preregistrations.csv": table})))
    assert job.state == "failed"
    assert "campaign campaign-1 was made here" in str(job.result)
    file = tmp_path / "preregistrations.csv"
    file.write_text(table)
    with pytest.raises(CommandError, match="1 problem"):
        call_command("import_study", str(file), study=campaign.study.slug)
    assert "campaign campaign-1 was made here" in capsys.readouterr().err
    assert not Preregistration.objects.exists()
    assert mark_of(campaign.study, "system-comparison", ASKED) is None


def test_a_study_that_is_imported_elsewhere_says_imported_wherever_its_plan_is_shown(
    tmp_path, client
):
    here = make_campaign(make_study(6, 2), annotators=2)[0]
    kept = register(
        here, "system-comparison", ASKED, {"question": "Which?"}, public=True, actor=None
    )
    for annotator in here.annotators.all():
        judge(annotator, 12, lambda item: 30 + item.pk % 50)
    write_bundle(here.study, tmp_path / "small.zip")
    job = import_path(tmp_path / "small.zip", slug="elsewhere")
    assert job.state == "done", job.error
    study = Study.objects.get(slug="elsewhere")
    campaign = study.campaigns.get()
    plan = Preregistration.objects.get(study=study)
    assert (plan.sha256, plan.is_imported) == (kept.sha256, True)

    made = report(study, "system-comparison", ASKED)
    assert made["registration"]["standing"] == "imported plan"
    table = flat_tables(made)[0]
    assert any(line.startswith("registration: the analysis of an imp") for line in table.sources)
    assert "confirmatory" not in csv_text(table)
    client.force_login(User.objects.create_superuser("owner"))
    where = [study.slug, campaign.slug]
    report_page = reverse("study-system-comparison", args=where[:1])
    for page in (
        client.get(report_page, ASKED.to_query()).text,
        client.get(reverse("campaign-preregistration", args=where)).text,
        client.get(reverse("preregistration-file", args=[*where, 1, "txt"])).text,
        methods(campaign),
        datasheet(campaign),
        json.dumps(datasheet_json(campaign)),
    ):
        assert SAID in page.casefold()
        assert "before the first rating (version" not in page
    [listed] = client.get(f"/api/v1/studies/{study.slug}/preregistrations/").json()
    assert listed["imported_at"]
    assert listed["is_before_ratings"] is None
    file = client.get(reverse("preregistration-file", args=[*where, 1, "json"]))
    assert "imported-preregistration-" in file["Content-Disposition"]
    # At home, its own table changes nothing, and the public address shows the plan of here.
    with zipfile.ZipFile(tmp_path / "small.zip") as archive:
        files = {"preregistrations.csv": archive.read("preregistrations.csv").decode()}
    again = import_path(write_files(tmp_path / "again", files), slug="small")
    assert again.state == "done", again.error
    assert mark_of(here.study, "system-comparison", ASKED)["standing"] == "confirmatory"
    public = client.get(reverse("public-preregistration", args=[kept.sha256, "txt"])).text
    assert SAID not in public


def test_ratings_that_were_imported_or_are_of_other_campaigns_confirm_nothing(tmp_path, campaign):
    """A plan that was registered here before is not about them."""
    study = campaign.study
    later = make_campaign(study, slug="later", annotators=2)[0]
    everything = ASKED.but(campaign="")
    register(later, "system-comparison", everything, {"question": "?"}, public=False, actor=None)
    assert mark_of(study, "system-comparison", everything)["standing"] == "exploratory"
    about = ASKED.but(campaign="later")
    register(later, "system-comparison", about, {"question": "?"}, public=False, actor=None)
    assert mark_of(study, "system-comparison", about)["standing"] == "confirmatory"
    Campaign.objects.filter(pk=later.pk).update(origin=Campaign.Origin.IMPORTED)
    mark = mark_of(study, "system-comparison", about)
    assert (mark["standing"], mark["unseen"]) == ("imported plan", "its ratings were imported")


def kept(study, version=1):
    """Store a plan as if it had been registered here."""
    at = timezone.now().replace(microsecond=0)
    content = stated(
        campaign="main",
        version=version,
        registered_at=at.isoformat(),
        question="Wird „x“ besser?\nJa, um 5 %.",
    )
    text = canonical(content)
    return Preregistration.objects.create(
        study=study,
        campaign="main",
        version=version,
        content_json=text,
        sha256=Preregistration.hash_of(text),
        public=version == 1,
        registered_at=at,
    )


def test_plans_travel_with_their_study_to_the_byte(tmp_path):
    study = imported_study(tmp_path / "files", TABLES)
    plans = [kept(study, version) for version in (1, 2)]
    write_bundle(study, tmp_path / "first.zip")
    Study.objects.filter(slug="small").update(slug="elsewhere")
    job = import_path(tmp_path / "first.zip")
    assert job.state == "done", job.error
    there = Study.objects.get(slug="small")
    write_bundle(there, tmp_path / "second.zip")
    assert (tmp_path / "second.zip").read_bytes() == (tmp_path / "first.zip").read_bytes()
    columns = ("version", "content_json", "sha256", "public", "registered_at")
    found = Preregistration.objects.filter(study=there).values_list(*columns)
    assert list(found) == [tuple(getattr(each, name) for name in columns) for each in plans]
    assert import_path(tmp_path / "first.zip").state == "done"
    assert Preregistration.objects.filter(study=there).count() == 2


def test_a_plan_that_was_changed_outside_is_refused(tmp_path):
    changed = table_of(
        stated(campaign="main", question="Another?"), campaign="main", sha256="0" * 64
    )
    files = {**TABLES, "preregistrations.csv": changed}
    job = import_path(write_files(tmp_path / "files", files))
    assert job.state == "failed"
    assert "the content is not the one that was registered" in job.error + str(job.result)
    assert not Preregistration.objects.exists()
