"""Importing a publication gives the same study: numbers, texts and declarations, raters renamed."""

import json
import zipfile

import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.fields_of_kinds import restricted
from analysis.filter.question import Question
from analysis.frozen.service import differences, freeze
from analysis.models import Publication
from analysis.publishing.public_page import zip_path
from analysis.reports.service import report
from annotation.models import Campaign
from annotation.protocols.catalogue import LIVE
from corpus.models import Output, Study
from tests.analysis.frozen.test_round_trip_of_reports import _rated
from tests.fixtures.campaigns import make_study
from tests.fixtures.publications import declare_details, published, read_json
from tests.fixtures.report_pages import DEMO
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db(transaction=True)
EVERY_RUN = ("likert",)
ASKED = Question(resamples=100, metric=("bleu*", "chrf*", "formal-share"))
FROZEN = ("agreement", "correlation", "ranking", "saving", "system-comparison")
OF_RATER_ORDER = {"agreement", "saving"}
"""Correlations in the order of the file, places of raters in a matrix, halves drawn of raters."""
OF_ORDER = {"pearson", "pearson-double-entry", "pearson-of-rater-pairs"}


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def study() -> Study:
    call_command("import_study", DEMO, verbosity=0)
    return declare_details(Study.objects.get(slug="formality-demo"))


def numbers(content, found=None):
    """Every number of a report without those that depend on the order of raters, sorted."""
    found = [] if found is None else found
    if isinstance(content, dict):
        if content.get("statistic") not in OF_ORDER:
            for value in content.values():
                numbers(value, found)
    elif isinstance(content, list):
        for value in content:
            numbers(value, found)
    elif isinstance(content, int | float) and not isinstance(content, bool):
        found.append(content)
    return sorted(found)


def texts(study):
    rows = Output.objects.filter(study=study)
    return sorted(rows.values_list("segment__key", "system__name", "variant", "text"))


@pytest.mark.dialect
def test_published_reports_are_those_of_the_imported_study_to_the_bit(study, tmp_path):
    for kind in FROZEN:
        freeze(study, kind, restricted(kind, ASKED), None)
    folder = published(study, tmp_path)
    import_path(folder, slug="elsewhere")
    there = Study.objects.get(slug="elsewhere")
    entries = read_json(folder, "publication.json")["reports"]
    assert len(entries) == len(FROZEN)
    for entry in entries:
        with zipfile.ZipFile(folder / entry["file"]) as saved:
            facts = json.loads(saved.read("report.json"))
        question = Question.parse(facts["question"])
        again = freeze(there, facts["kind"], question, None).content
        assert list(differences(facts["report"]["content"], again["content"])) == []
        assert again["signature"] == facts["report"]["signature"]
        assert again["ratings_sha256"] == facts["report"]["ratings_sha256"]
        if facts["kind"] not in OF_RATER_ORDER:
            assert entry["numbers_that_renaming_changed"] == 0, facts["kind"]


def test_texts_attributes_and_declarations_are_those_of_the_zip(study, tmp_path):
    published(study, tmp_path)
    path = zip_path(Publication.objects.get())
    job = import_path(path, slug="elsewhere")
    assert job.state == "done", job.error
    there = Study.objects.get(slug="elsewhere")
    assert texts(there) == texts(study)
    for name in ("title", "description", "language", "simulated", "provenance"):
        assert getattr(there, name) == getattr(study, name)
    assert there.declarations["publication"] == study.declarations["publication"]
    assert dict(there.segments.values_list("key", "attributes")) == dict(
        study.segments.values_list("key", "attributes")
    )
    # Only what is no table was left alone, and none of it was guessed at.
    left = {name.partition(".json/")[0] for name, _ in job.result["unrecognised"]}
    assert not {name for name in left if name.endswith(".parquet")}
    assert left >= {"croissant", "publication.json"}
    assert "questions" not in job.result


def test_a_publication_published_again_is_the_same(study, tmp_path):
    first = published(study, tmp_path)
    import_path(first, slug="elsewhere")
    there = Study.objects.get(slug="elsewhere")
    second = published(there, tmp_path / "again")
    for name in ("segments", "systems", "outputs", "metric_scores"):
        path = f"data/{name}.parquet"
        assert (second / path).read_bytes() == (first / path).read_bytes()


@pytest.mark.parametrize(
    "protocol",
    [pytest.param(name, marks=[] if name in EVERY_RUN else pytest.mark.nightly) for name in LIVE],
)
def test_a_campaign_that_was_rated_here_gives_the_same_numbers(protocol, tmp_path):
    study = declare_details(make_study(segments=5, systems=3))
    _rated(study, protocol, "live", 3)
    Campaign.objects.update(state="closed")
    folder = published(study, tmp_path, accept=["small-groups", "consent", "reports"])
    job = import_path(folder, slug="elsewhere")
    assert job.state == "done", job.error
    there = Study.objects.get(slug="elsewhere")
    for kind in ("agreement", "ranking", "system-comparison"):
        question = restricted(kind, Question(resamples=100))
        one, other = report(study, kind, question), report(there, kind, question)
        assert one["counts"] == other["counts"]
        before, after = numbers(one["content"]), numbers(other["content"])
        assert after == pytest.approx(before, rel=1e-9, abs=1e-12), kind
