"""Every answer of a campaign as a file, at any time."""

import csv
import io
import zipfile

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from annotation.models import Annotator, Campaign, Rating
from annotation.people.withdrawing import withdraw
from corpus.models import Output, Study
from tests.fixtures.campaigns import answers_for, following, make_campaign, send

pytestmark = pytest.mark.django_db


def page_of(campaign: Campaign) -> str:
    return f"/studies/small/campaigns/{campaign.slug}/"


def test_the_history_has_every_revision_once_and_runs_no_formula(owner, study):
    campaign, [first, second] = make_campaign(study, annotators=2)
    annotator, screen = following(first)
    send(annotator, screen[0], comment='=HYPERLINK("x")', active_seconds=12.5)
    send(annotator, screen[0], answers_for(campaign, 70), revision=2, warned=True)
    annotator, screen = following(second)
    send(annotator, screen[0], {}, reason="@broken")
    answer = owner.get(f"{page_of(campaign)}answers.csv")
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert [row["revision"] for row in rows] == ["1"] * 3 + ["2"] * 3 + ["1"]
    assert [row["latest"] for row in rows] == ["no"] * 3 + ["yes"] * 4
    assert [row["aspect"] for row in rows[:3]] == ["style", "content", "fluency"]
    assert [row["value"] for row in rows[:3]] == ["50.0"] * 3
    assert rows[0]["comment"] == '\'=HYPERLINK("x")'
    assert rows[0]["active_seconds"] == "12.5"
    assert [row["warned"] for row in rows] == ["no"] * 3 + ["yes"] * 3 + ["no"]
    assert (rows[6]["reason"], rows[6]["aspect"], rows[6]["value"]) == ("'@broken", "", "")
    assert {row["annotator"] for row in rows} == {"annotator 1", "annotator 2"}
    assert {row["withdrawn"] for row in rows} == {"no"}
    withdraw(
        Annotator.objects.select_related("campaign__study").get(pk=first.pk),
        "left",
        study.memberships.get().user,
    )
    answer = owner.get(f"{page_of(campaign)}answers.csv")
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert [row["withdrawn"] for row in rows] == ["yes"] * 6 + ["no"]


def test_a_chosen_side_is_written_as_the_system_behind_it(owner, study):
    campaign, [person] = make_campaign(study, "output_against_output", annotators=1)
    annotator, screen = following(person)
    send(annotator, screen[0], {"overall": "a"})
    answer = owner.get(f"{page_of(campaign)}answers.csv")
    [row] = csv.DictReader(io.StringIO(answer.getvalue().decode()))
    item = screen[0].item
    shown_as_a = item.second if screen[0].swapped else item.first
    shown = Output.objects.select_related("system").get(pk=shown_as_a.pk)
    assert row["chosen"] == shown.system.name
    assert row["choice"] == ("second" if screen[0].swapped else "first")


def test_the_exported_study_holds_what_counts_and_can_be_imported(study, tmp_path):
    controls = {"controls": {"repeats": 2, "degraded": 2}}
    campaign, [first, second] = make_campaign(study, annotators=2, selection=controls)
    for person in (first, second):
        annotator, screen = following(person)
        while screen:
            send(annotator, screen[0])
            annotator, screen = following(person)
    send(annotator, annotator.assignments.first(), answers_for(campaign, 70), revision=2)
    withdraw(
        Annotator.objects.select_related("campaign__study").get(pk=first.pk),
        "left",
        User.objects.create_user("ada"),
    )
    file = tmp_path / "small.zip"
    call_command("export_study", "small", output=file, verbosity=0)
    with zipfile.ZipFile(file) as bundle:
        [name] = [each for each in bundle.namelist() if each.endswith("ratings.csv")]
        rows = list(csv.DictReader(io.StringIO(bundle.read(name).decode())))
    assert {row["rater"] for row in rows} == {"annotator 2"}
    assert len(rows) == 18 * 3 + 3
    call_command("import_study", file, study="copy", verbosity=0)
    copy = Study.objects.get(slug="copy")
    assert Rating.objects.counted(copy).count() == Rating.objects.counted(study).count() == 54
