"""The client for notebooks, against a server that runs."""

import http.server
import json
import threading
from contextlib import contextmanager

import pandas as pd
import pytest
import touchstone
from django.contrib.auth.models import User

from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Rating
from config.accounts.tokens import new_token
from corpus.models import Job, Membership, Study
from tests.fixtures.report_pages import DEMO, imported

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(live_server):
    """The demo study on a server, and a reader of it."""
    with imported(DEMO):
        reader = User.objects.create_user("reader")
        Membership.objects.create(study=Study.objects.get(), user=reader, role="researcher")
        yield touchstone.connect(live_server.url, new_token(reader, "notebook", "read", None))


def test_rows_are_read_to_the_last_page(server):
    study = server.study("formality-demo")
    ratings = study.ratings().to_frame()
    assert len(ratings) == Rating.objects.count() > 3000
    assert set(study.outputs("careful").to_frame()["system"]) == {"careful"}
    assert list(server.studies().to_frame()["slug"]) == ["formality-demo"]
    assert {"segment", "source"} <= set(study.segments().to_frame().columns)
    assert len(study.systems().to_frame()) == 8  # with (source) and (reference)


def test_a_report_is_the_one_of_the_page(server):
    found = server.study("formality-demo").report("correlation", aspect="content")
    expected = report(Study.objects.get(), "correlation", Question(aspect="content"))
    assert found.content() == expected
    assert found.verdict == expected["verdict"] != []
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame.attrs["sources"]
    assert "bleu" in set(frame["metric"])


def test_a_chart_shows_itself(server):
    found = server.study("formality-demo").report("correlation", aspect="content")
    chart = found.chart(found.charts[0])
    bundle = chart._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v6+json"] == chart.spec
    values = json.loads(chart.to_altair().to_json())["datasets"].values()
    assert chart.spec["data"]["values"] in values
    assert found.table(found.tables[0])._repr_html_().startswith("<table")


def test_what_there_is_not_is_refused_by_name(server):
    with pytest.raises(touchstone.ApiError) as error:
        server.study("lost")
    assert error.value.status == 404
    study = server.study("formality-demo")
    with pytest.raises(touchstone.ApiError, match="no report 'lost'"):
        study.report("lost")
    with pytest.raises(touchstone.ApiError, match="lost"):
        study.report("correlation", metric="lost")
    found = study.report("correlation")
    with pytest.raises(KeyError, match="no chart 'lost'; there are"):
        found.chart("lost")


def test_a_wrong_token_is_refused_when_connecting(live_server):
    with pytest.raises(touchstone.ApiError, match="oken") as error:
        touchstone.connect(live_server.url, "wrong")
    assert error.value.status == 401


def test_a_job_is_waited_for_no_longer_than_was_said(server, monkeypatch):
    monkeypatch.setattr("analysis.reports.service.QUICK", -1)
    study = server.study("formality-demo")
    with pytest.raises(TimeoutError, match="ask again later"):
        study.report("accuracy", seconds=0)
    assert Job.objects.filter(kind="report").exists()


def test_a_token_is_needed(monkeypatch):
    monkeypatch.delenv("TOUCHSTONE_TOKEN", raising=False)
    with pytest.raises(ValueError, match="a token is needed"):
        touchstone.connect("http://localhost:1")
    with pytest.raises(ValueError, match="begins with http"):
        touchstone.connect("localhost:8000", "token")


def test_a_server_that_is_away_is_named():
    with pytest.raises(touchstone.ApiError, match="http://localhost:1 does not answer"):
        touchstone.connect("http://localhost:1", "token")


@contextmanager
def answering(status, headers, body=b""):
    """A server that always answers the same, and notes what it was sent."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(dict(self.headers))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("localhost", 0), Handler) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield f"http://localhost:{listening.server_port}", seen
        listening.shutdown()


def test_the_token_goes_to_nobody_else():
    with (
        answering(200, {}, b"{}") as (elsewhere, seen),
        answering(302, {"Location": elsewhere}) as (moved, _),
    ):
        with pytest.raises(touchstone.ApiError, match=f"has moved to {elsewhere}"):
            touchstone.connect(moved, "secret")
        assert seen == []


def test_a_page_that_is_no_api_is_named():
    with (
        answering(200, {"Content-Type": "text/html"}, b"<html>") as (url, _),
        pytest.raises(touchstone.ApiError, match="is no API of Touchstone"),
    ):
        touchstone.connect(url, "token")
