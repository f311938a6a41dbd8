"""JSON cells of an archive are read by a schema: what broke a page once is refused in words."""

import csv
import io
import json
import zipfile

import pytest

from analysis.filter.question import Question
from analysis.models import Preregistration
from analysis.preregistration.service import canonical, register
from annotation.models import Campaign
from corpus.exports.bundle import write_bundle
from corpus.jobs.worker import run_next
from corpus.tables.register import handlers
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
PLAN = ("preregistrations", "plan")


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
