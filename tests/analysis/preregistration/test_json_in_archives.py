"""Every JSON cell of an archive is read by a schema: refused in words, or every page shows it."""

import csv
import io
import json
import random
import zipfile

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from analysis.data import matrices
from analysis.datasheets.datasheet import datasheet, ethics_sheet
from analysis.filter.question import Question
from analysis.models import Preregistration
from analysis.preregistration.service import canonical, register
from analysis.reports.catalogue import LISTED
from annotation.models import Campaign
from corpus.exports.bundle import write_bundle
from corpus.jobs.worker import run_next
from corpus.models import Study
from corpus.tables.register import handlers
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
PLAN = ("preregistrations", "plan")
DEEP = json.loads("[" * 60 + "]" * 60)
WRONG = ["text", 5, -1, 10**40, 1.5, True, None, [], {}, [1], {"more": 1}, [{}], DEEP]
PAGES = ("study", "study-systems", "study-metrics", "study-campaigns", "study-import")
API = ("", "runs/", "preregistrations/", "scores/", "ratings/", "systems/")


def places(content, at=()):
    """Yield the place of every value inside decoded JSON, the whole first."""
    yield at
    if isinstance(content, dict) and len(at) < 4:
        for name, inner in content.items():
            yield from places(inner, (*at, name))
    elif isinstance(content, list) and len(at) < 4 and content:
        yield from places(content[0], (*at, 0))


def with_value(content, at, change):
    """Return JSON that differs in one place: another value, one key less or one more."""
    if not at:
        return change(content)
    copy = json.loads(json.dumps(content))
    inner = copy
    for name in at[:-1]:
        inner = inner[name]
    if change is LESS:
        del inner[at[-1]]
    else:
        inner[at[-1]] = change(inner[at[-1]])
    return copy


def LESS(_):
    """Remove the key."""


def MORE(value):
    """Add a key, or an entry."""
    return value | {"unheard of": 1} if isinstance(value, dict) else [value]


def archive(folder):
    """Return the members of the archive of a study that has JSON of every kind."""
    values = 'where,what,conditions,value,decimals\nT1,system-mean,"{""aspect"": ""style"", '
    values += '""system"": ""T5""}",50,0\n'
    job = import_path(write_files(folder / "small", TABLES | {"published_values.csv": values}))
    assert job.state == "done", job.error
    study = job.study
    ask_for_runs(study, [RunRequest("exact-match"), RunRequest("bleu")], None)
    while run_next():
        pass
    study.provenance = [{"sample": 4, "sample_seed": 1}]
    study.declarations |= {
        "publication": {"ethics": "board 7", "authors": [{"name": "King, Ada"}]},
        "aspects": {"adequacy": {"aspect": "content"}},
    }
    study.save()
    campaign = study.campaigns.get()
    Campaign.objects.filter(pk=campaign.pk).update(origin="live")
    later = Campaign.objects.create(study=study, slug="later", protocol="likert", origin="live")
    asked = Question(campaign=campaign.slug, aspect="style")
    register(later, "agreement", asked, {"question": "Do they agree?"}, public=True, actor=None)
    Campaign.objects.filter(pk=campaign.pk).update(origin="imported")
    write_bundle(study, folder / "small.zip")
    with zipfile.ZipFile(folder / "small.zip") as found:
        return {name: found.read(name).decode() for name in found.namelist()}


def cells(members):
    """Yield member, row, column and content of each cell that holds JSON."""
    yield "study.json", None, "", json.loads(members["study.json"])
    columns = {(h.spec.name, f.name) for h in handlers() for f in h.spec.fields if f.kind == "json"}
    for table, column in sorted(columns | {PLAN}):
        rows = list(csv.DictReader(io.StringIO(members[f"{table}.csv"])))
        yield f"{table}.csv", rows, column, json.loads(rows[0][column])


def mutations(members):
    """Return every archive that differs in one place of one cell, as what makes it."""
    made = []
    for member, rows, column, content in cells(members):
        for at in places(content):
            changes = [LESS, MORE, *(lambda _, wrong=wrong: wrong for wrong in WRONG)]
            made += [(member, rows, column, content, at, change) for change in changes if at]
            if not at and rows:
                made += [(member, rows, column, content, at, change) for change in changes[1:]]
    return made


def changed(members, mutation):
    """Return the members of an archive with one cell changed; sums are those of the change."""
    member, rows, column, content, at, change = mutation
    content = with_value(content, at, change)
    files = {name: text for name, text in members.items() if name != "manifest.json"}
    if rows is None:
        files[member] = json.dumps(content)
        return files
    first = dict(rows[0])
    first[column] = canonical(content)
    if (member.removesuffix(".csv"), column) == PLAN:
        first["sha256"] = Preregistration.hash_of(first[column])
    out = io.StringIO()
    writer = csv.DictWriter(out, list(first))
    writer.writeheader()
    writer.writerows([first, *rows[1:]])
    files[member] = out.getvalue()
    return files


def look(client, study, kinds):
    """Open everything that shows a study; a page that breaks raises."""
    matrices.forget()
    for name in PAGES:
        assert client.get(reverse(name, args=[study.slug])).status_code < 500, name
    for kind in kinds:
        page = client.get(reverse(f"study-{kind}", args=[study.slug]), {"resamples": "100"})
        assert page.status_code < 500, kind
    for path in API:
        assert client.get(f"/api/v1/studies/{study.slug}/{path}").status_code < 500, path
    for run in study.runs.all():
        assert client.get(reverse("study-run", args=[study.slug, run.pk])).status_code < 500
    for campaign in study.campaigns.all():
        assert datasheet(campaign)
        assert ethics_sheet(campaign)
        where = [study.slug, campaign.slug]
        assert client.get(reverse("campaign-preregistration", args=where)).status_code < 500


def tried(client, folder, seed, count, kinds):
    """Import archives that are changed at random; return how many were refused and went in."""
    members = archive(folder)
    look(client, Study.objects.get(slug="small"), kinds)
    chosen = random.Random(seed).sample(mutations(members), count)
    outcome = {"failed": 0, "done": 0}
    for number, mutation in enumerate(chosen):
        place = f"{mutation[0]} {mutation[2]} {mutation[4]}"
        path = write_files(folder / f"of{number}", changed(members, mutation))
        job = import_path(path, slug=f"fuzz-{number}")
        outcome[job.state] += 1
        if job.state == "failed":
            assert job.error.startswith("Nothing was imported."), (place, job.error)
            assert all(p["message"] for p in job.result["problems"]), place
        else:
            try:
                look(client, Study.objects.get(slug=f"fuzz-{number}"), kinds)
            except Exception as error:
                raise AssertionError(f"{place}, {mutation[5](None)!r}: {error!r}") from error
    return outcome


@pytest.fixture
def owner(client):
    client.force_login(User.objects.create_superuser("owner"))
    return client


FOUND = (
    ("published_values.csv", "conditions", (), [{}]),
    ("study.json", "", ("aspects", "adequacy", "aspect"), [1]),
    ("study.json", "", ("provenance", 0, "sample"), "text"),
    ("metric_runs.csv", "request", (), [1]),
    ("metric_runs.csv", "request", ("text",), 5),
    ("metric_runs.csv", "versions", ("files",), []),
)


def test_what_broke_a_page_once_is_refused_with_its_place(tmp_path):
    members = archive(tmp_path)
    known = {(member, column): (rows, content) for member, rows, column, content in cells(members)}
    for number, (member, column, at, wrong) in enumerate(FOUND):
        rows, content = known[member, column]
        mutation = (member, rows, column, content, at, lambda _, wrong=wrong: wrong)
        files = write_files(tmp_path / f"of{number}", changed(members, mutation))
        job = import_path(files, slug=f"found-{number}")
        assert job.state == "failed", (member, column, at)
        place = (member, column or at[0])
        said = [
            p for p in job.result["problems"] if (p["file"], p["column"][: len(place[1])]) == place
        ]
        assert [bool(problem["message"]) for problem in said] == [True], place


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1, 8))
def test_json_that_was_changed_is_refused_in_words_or_shown_by_every_page(owner, tmp_path, seed):
    outcome = tried(owner, tmp_path, seed, 60, [each.key for each in LISTED])
    assert min(outcome.values()) > 0
