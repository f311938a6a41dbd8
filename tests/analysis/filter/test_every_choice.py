"""Whatever the form of a report offers is answered or refused in words: as page, file and JSON."""

from collections.abc import Iterator
from urllib.parse import urlencode
from xml.etree.ElementTree import Element

import pytest
from django.contrib.auth.models import AnonymousUser

from analysis.figures import figures
from analysis.filter.question import QuestionError
from analysis.reports import service
from analysis.reports.catalogue import KINDS, report_kind
from analysis.reports.kind import opened
from analysis.reports.page_address import Choices
from analysis.views.waiting import ReadingMiddleware
from corpus.models import Job
from tests.fixtures import combined_study
from tests.fixtures.api_clients import is_error
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import filled, parse, reader
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
STUDY = "/studies/small"
API = "/api/v1/studies/small"
EVERY_RUN = ("stand-in",)
"""The others are asked by night; `test_report_fields.py` asks each field once in every run."""
OTHER_PAGES = ("disagreement", "map")
DRAWN = ("bars", "curve", "scatter", "drawn", "distribution", "panels", "style_axis", "other_axis")


@pytest.fixture(autouse=True, scope="module")
def _small(django_db_setup, django_db_blocker, tmp_path_factory):
    """A study of four segments and two systems, rated, compared and scored."""
    systems = tuple(combined_study.TEXTS)
    ratings = [["segment_id", "system", "against", "rater", "rater_kind", "aspect", "judgement"]]
    wmd = []
    for row in range(1, 5):
        for place, system in enumerate(systems):
            wmd.append([f"s{row}", system, "wmd", "content", f"0.{row}{place}"])
            for rater, kind in (("r1", "person"), ("r2", "person"), ("m", "model")):
                for aspect in ("content", "style"):
                    value = str(1 + (row * 2 + place + len(rater + aspect)) % 5)
                    ratings.append([f"s{row}", system, "", rater, kind, aspect, value])
        better = systems[row % 2]
        ratings += [[f"s{row}", *systems, r, "person", "overall", better] for r in ("r1", "r2")]
    files = combined_study.files()
    files["metric_scores.csv"] += wmd
    files["ratings.csv"] = ratings
    files["study.json"] = files["study.json"] | {
        "protocol": "unstated",
        "scales": {"content": [1, 5], "style": [1, 5]},
        "metrics": {"accuracy": {"orientation": "higher"}, "wmd": {"orientation": "lower"}},
    }

    def fill() -> None:
        job = import_path(write_files(tmp_path_factory.mktemp("choices") / "small", files))
        assert job.state == "done", job.result

    with django_db_blocker.unblock(), filled("every choice", fill):
        yield


@pytest.fixture
def client():
    return reader("ada", "small")


def offered(page: Element) -> Iterator[tuple[str, str]]:
    """Yield each value that the filter of a page offers, by its field."""
    for field in (
        field for form in page.iter("form") if form.get("id") == "filter" for field in form.iter()
    ):
        name = field.get("name", "")
        if field.tag == "select":
            yield from ((name, option.get("value", "")) for option in field.iter("option"))
        elif field.get("type") in ("checkbox", "radio"):
            yield name, field.get("value", "")


def check(client, address: str, *, missing: bool = False) -> None:
    """Ask for an address, which may answer, compute later or refuse; API errors have one shape."""
    answer = client.get(address)
    known = (200, 202, 400, 404) if missing else (200, 202, 400)
    assert answer.status_code in known, (address, answer.status_code)
    if answer.status_code == 202:
        Job.objects.filter(kind="report").delete()
    if answer.status_code == 400 and address.startswith(API):
        is_error(answer, 400)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if kind in EVERY_RUN else pytest.mark.nightly)
        for kind in KINDS
        if kind != "replication"
    ],
)
def test_every_choice_of_a_report_is_answered_or_refused_in_words(client, kind):
    described = report_kind(kind)
    quick = {"resamples": "100"} if "resamples" in described.uses else {}
    page = client.get(f"{STUDY}/{kind}/", quick)
    report = page.context.get("report")
    charts = figures(opened(report), Choices()) if report else {}
    tables = [table.name for table in described.tables[:1]]
    files = [f"tables/{name}.csv" for name in tables] + [f"charts/{c}.vl.json" for c in charts][:1]
    last: dict[str, str] = {}
    for name, value in at_least_one(dict.fromkeys(offered(parse(page.content.decode())))):
        last[name] = value
        check(client, f"{API}/reports/{kind}/?{urlencode(quick | {name: value})}")
    # A page and its files show one report; one value of a field stands for what they do with it.
    for name, value in last.items():
        query = urlencode(quick | {name: value})
        check(client, f"{STUDY}/{kind}/?{query}")
        for file in files:
            check(client, f"{STUDY}/{kind}/{file}?{query}", missing=True)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if report_kind(kind).early])
def test_a_choice_of_what_is_drawn_is_refused_while_the_rest_is_computed(client, kind, monkeypatch):
    monkeypatch.setattr(service, "QUICK", -1)
    drawn = [name for name in DRAWN if name in report_kind(kind).fields]
    for name in drawn:
        answer = client.get(f"{STUDY}/{kind}/", {name: "of-nowhere"})
        assert answer.status_code == 400, (name, answer.status_code)
        assert f"{name}=of-nowhere" in answer.content.decode()
        # What the form had is kept, so that one choice is corrected and not all.
        assert any(field == name for field, _ in offered(parse(answer.content.decode())))


@pytest.mark.parametrize("page", OTHER_PAGES)
def test_every_choice_of_another_page_with_a_filter_is_answered(client, page):
    first = client.get(f"{STUDY}/{page}/")
    assert first.status_code in (200, 202)
    for name, value in at_least_one(dict.fromkeys(offered(parse(first.content.decode())))):
        check(client, f"{STUDY}/{page}/?{urlencode({name: value})}")


def test_what_no_page_refuses_itself_is_refused_in_words(client, rf):
    sentence = "aspect=x: this study has content"
    middleware = ReadingMiddleware(lambda _: None)
    for path in ("/studies/small/", f"{API}/reports/ranking/"):
        request = rf.get(path)
        request.user = AnonymousUser()
        answer = middleware.process_exception(request, QuestionError(sentence))
        assert answer.status_code == 400
        assert sentence in answer.content.decode()
