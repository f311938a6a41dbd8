"""Names of aspects and metrics in a study: what each is read as, and owners who correct it."""

from typing import Any

import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import AuditEntry, Study
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.html_forms import fields_of
from tests.fixtures.report_pages import open_page, tables
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/aspects/"
TEXTS = [(f"s{n}", system) for n in range(1, 5) for system in ("BART", "T5")]
RATINGS: list[list[Any]] = [
    ["segment_id", "system", "rater", "aspect", "score"],
    *(
        [segment, system, rater, aspect, 1 + (n * len(aspect) + len(rater)) % 5]
        for n, (segment, system) in enumerate(TEXTS)
        for rater in ("r1", "r12")
        for aspect in ("Meaning-Preservation", "humour")
    ),
]
SCORES: list[list[Any]] = [
    ["segment_id", "system", "metric", "aspect", "score"],
    *(
        [segment, system, metric, aspect, 0.1 * ((n * len(metric)) % 7)]
        for n, (segment, system) in enumerate(TEXTS)
        for metric, aspect in (
            *(("bleu", ""), ("brand-new", ""), ("wit-counter", "humour")),
            *(("similarity", ""), ("length-ratio", "")),
        )
    ),
]
FILES: dict[str, Any] = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")} | {
    "ratings.csv": RATINGS,
    "metric_scores.csv": SCORES,
    "study.json": {
        "scales": {"Meaning-Preservation": [1, 5], "humour": [1, 5]},
        "metrics": {"brand-new": {"orientation": "higher"}},
    },
}


@pytest.fixture(autouse=True)
def _fresh() -> None:
    matrices.forget()


@pytest.fixture
def study(study_made_once: Study) -> Study:
    return study_made_once


@pytest.fixture
def owner(study: Study) -> Any:
    return signed_in("olga", study)


def say(client: Any, having: str = "name:humour", **changes: str) -> Any:
    """Change selects of the form and save; `name__humour` is the field `name:humour`."""
    fields = fields_of(client.get(ADDRESS).text, having)
    given = {name.replace("__", ":", 1): [value] for name, value in changes.items()}
    assert set(given) <= set(fields), sorted(fields)
    return client.post(ADDRESS, fields | given, follow=True)


def own_metrics(study: Study, measure: str) -> set[str]:
    """Metrics that the correlation report lists as measuring what was rated."""
    study = Study.objects.get(pk=study.pk)
    rows = report(study, "correlation", Question())["content"]["rows"]
    return {row["metric"] for row in rows if (row["aspect"], row["relation"]) == (measure, "own")}


# What the page says


def test_every_metric_says_what_it_measures_and_why(owner):
    metrics = tables(open_page(owner, ADDRESS))["Metrics"]
    assert "known by its name" in metrics.cell("Why", "bleu").text
    assert "nothing says what it measures" in metrics.cell("Why", "brand-new").text
    assert "its table names the aspect humour" in metrics.cell("Why", "wit-counter").text
    assert "describes outputs" in metrics.cell("Why", "length-ratio").text
    assert metrics.cell("Measures", "length-ratio").text == "–"


# What an owner changes


def test_a_name_read_as_an_aspect_of_the_registry_changes_what_reports_take(owner, study):
    assert own_metrics(study, "humour") == {"wit-counter"}
    page = say(owner, name__humour="aspect:content")
    assert "Saved: humour." in page.text
    study.refresh_from_db()
    assert study.declarations["aspects"] == {"humour": {"aspect": "content"}}
    names = report(study, "correlation", Question())["content"]["aspects"]
    assert sorted(names) == ["content (Meaning-Preservation)", "content (humour)"]
    assert own_metrics(study, "content (humour)") == {"bleu", "similarity", "wit-counter"}
    entry = AuditEntry.objects.get(action="declare")
    assert entry.actor is not None
    assert entry.actor.username == "olga"
    assert entry.after["aspects"] == {"humour": {"aspect": "content"}}


def test_a_metric_gets_a_family_and_the_pages_take_it_at_once(owner, study):
    assert own_metrics(study, "content") == {"bleu", "similarity"}
    page = say(owner, **{"metric__brand-new": "content", "metric__similarity": "style"})
    assert "Saved: brand-new, similarity." in page.text
    assert own_metrics(study, "content") == {"bleu", "brand-new"}
    study.refresh_from_db()
    assert study.declarations["metrics"]["brand-new"] == {
        "orientation": "higher",
        "family": "content",
    }
    metrics = tables(open_page(owner, ADDRESS))["Metrics"]
    assert "declared in this study" in metrics.cell("Why", "brand-new").text


# Where one gets there


def test_the_page_is_linked_from_the_tabs_and_from_what_reports_say_of_their_metrics(owner):
    correlation = owner.get("/studies/small/correlation/").text
    sentence = correlation[correlation.index("that measure content") :]
    assert f'href="{ADDRESS}#metrics"' in sentence[: sentence.index("</p>")]
    assert f'href="{ADDRESS}"' in owner.get("/studies/small/campaigns/").text
    assert ADDRESS in owner.get("/studies/small/metrics/").text
    overview = owner.get("/studies/small/").text
    assert f'href="{ADDRESS}"' in overview[overview.index("<h3>Ratings") :]


# Files and archives


def test_an_archive_of_the_study_carries_what_was_declared(owner, study, tmp_path):
    say(owner, **{"name__humour": "family:content", "metric__brand-new": "content"})
    archive = tmp_path / "small.zip"
    call_command("export_study", "small", output=archive, verbosity=0)
    copy = import_path(archive, slug="elsewhere").study
    assert copy is not None
    assert copy.declarations["aspects"] == {"humour": {"family": "content"}}
    for measure in ("content", "humour"):
        assert own_metrics(copy, measure) == own_metrics(study, measure)
    again = tmp_path / "again.zip"
    call_command("export_study", "elsewhere", output=again, verbosity=0)
    assert import_path(again, slug="small").state == "done"


# API


@pytest.fixture
def api(study: Study) -> Any:
    return client_of("paula", study, "owner")


AT = f"{API}studies/small/aspects/"


def test_the_api_changes_names_and_families_and_takes_them_back(api, study):
    sent = {"names": {"humour": {"family": "style"}}, "metrics": {"brand-new": "style"}}
    answer = api.patch(AT, sent, format="json")
    assert answer.status_code == 200, answer.content
    assert next(r for r in answer.json()["names"] if r["name"] == "humour")["family"] == "style"
    assert own_metrics(study, "humour") == {"brand-new", "wit-counter"}
    back = {"names": {"humour": None}, "metrics": {"brand-new": None}}
    assert api.patch(AT, back, format="json").status_code == 200
    assert own_metrics(study, "humour") == {"wit-counter"}


def test_the_api_refuses_what_it_cannot_store_and_says_why(api, study):
    refused: list[tuple[Any, str]] = [
        ({"names": {"humor": {"aspect": "style"}}}, "humor"),
        ({"names": {"humour": {"aspect": "wit"}}}, "one of style, content"),
        ({"metrics": {"bleu": "wit"}}, "one of style, content"),
        ({"metrics": {"wit-counter": "style"}}, "its table"),
        ([], "object"),
    ]
    for sent, says in refused:
        assert says in is_error(api.patch(AT, sent, format="json"), 400)["detail"]
    study.refresh_from_db()
    assert "aspects" not in study.declarations


def test_a_name_that_was_corrected_no_longer_means_the_aspect_of_its_synonyms(tmp_path):
    ratings = [RATINGS[0]] + [
        [*row[:3], {"humour": "similarity", "Meaning-Preservation": "content"}[row[3]], row[4]]
        for row in RATINGS[1:]
    ]
    study_json = FILES["study.json"] | {
        "scales": {"similarity": [1, 5], "content": [1, 5]},
        "aspects": {"similarity": {"aspect": "style"}},
    }
    files = FILES | {"ratings.csv": ratings, "study.json": study_json}
    study = import_path(write_files(tmp_path / "corrected", files), slug="corrected").study
    assert study is not None
    asked = report(study, "correlation", Question(aspect="similarity"))["content"]["aspects"]
    assert asked == ["style"]
    assert report(study, "correlation", Question(aspect="meaning"))["content"]["aspects"] == [
        "content"
    ]
