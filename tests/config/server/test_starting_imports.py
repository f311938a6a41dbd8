"""What is imported before the first answer: no page waits for what it does not need."""

import subprocess
import sys

import pytest
from django.urls import URLPattern, get_resolver

from analysis.reports.catalogue import KINDS
from corpus.jobs import registry
from corpus.later_functions import Later
from corpus.pages.later_views import LaterView
from corpus.storage import pruning
from corpus.studies import deletion
from metrics.resources import loaders
from tests.fixtures.campaigns import make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.report_pages import reader

MOST_MODULES = 1500
HEAVY = """
torch transformers sklearn pandas pyarrow scipy.special scipy.stats vl_convert matplotlib
rest_framework.views rest_framework.compat drf_spectacular.plumbing
django.test unittest requests jinja2 psycopg cattrs duckdb
analysis.stats analysis.estimates analysis.reports.kind analysis.charts.scatter
"""
BEFORE_FORKING = {
    *("analysis.views.urls", "annotation.views.rating", "annotation.views.urls"),
    "corpus.pages.urls",
}
ASK = """
import io, os, sys
from config.wsgi import application
said = {"cookie": os.environ.get("COOKIE", "")}
for path in sys.argv[2:]:
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "", "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr, "wsgi.url_scheme": "http", "REMOTE_ADDR": "127.0.0.1",
        "HTTP_COOKIE": said["cookie"],
    }
    def start(status, headers, *rest):
        given = [value.partition(";")[0] for name, value in headers if name == "Set-Cookie"]
        said.update(status=status, cookie="; ".join([said["cookie"], *given]))
    if path:
        b"".join(application(environ, start))
    found = sorted(sys.modules.keys() & set(sys.argv[1].split()))
    print(said["status"][:3] if path else "started", len(sys.modules), *found)
"""


def asked(environment, *paths, heavy=HEAVY):
    """Ask a new process for pages; return status, number of modules and heavy ones after each.

    An empty path asks for nothing.
    """
    result = subprocess.run(
        [sys.executable, "-c", ASK, heavy, *paths],
        cwd=ROOT,
        env=environment | {"DEBUG": "1"},  # Without it, static files would have to be collected.
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [line.split() for line in result.stdout.splitlines()]
    return [(status, int(count), found) for status, count, *found in answers]


@pytest.mark.sqlite
def test_the_sign_in_page_waits_for_no_statistics_and_no_api(migrated_environment):
    """A worker that read addresses at its first request let its clients wait.

    They and the views of rating are there before it forks.
    """
    paths = ("", "/sign-in/", "/api/v1/")
    answers = asked(migrated_environment, *paths, heavy=HEAVY + " ".join(BEFORE_FORKING))
    (_, _, started), (status, modules, heavy), (of_api, _, in_api) = answers
    assert {*started} >= BEFORE_FORKING
    assert ({*heavy} - BEFORE_FORKING, status, of_api) == (set(), "200", "200")
    assert modules < MOST_MODULES
    assert "rest_framework.views" in in_api
    assert "analysis.stats" not in in_api


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_the_page_of_a_report_waits_for_no_other_kind(worker_environment):
    make_study(slug="small")
    cookie = reader("ada", "small").cookies["sessionid"].value
    environment = worker_environment | {"COOKIE": f"sessionid={cookie}"}
    kinds = " ".join(f"analysis.reports.{kind.replace('-', '_')}.page" for kind in KINDS)
    paths = ("/studies/small/", "/studies/small/ranking/")
    answers = [(status, loaded) for status, _, loaded in asked(environment, *paths, heavy=kinds)]
    assert answers == [("200", []), ("200", ["analysis.reports.ranking.page"])]


def views(patterns):
    for each in patterns:
        if isinstance(each, URLPattern):
            yield each.callback
        else:
            yield from views(each.url_patterns)


def test_every_view_that_is_imported_later_exists():
    later = [each for each in views(get_resolver().url_patterns) if isinstance(each, LaterView)]
    assert len(later) > 60
    for each in later:
        assert callable(each.view)
        classes = [getattr(each.view, name, each.view) for name in ("cls", "view_class")]
        assert each.__name__ in {found.__name__ for found in (each.view, *classes)}


def test_every_function_that_is_imported_later_exists():
    registered = [
        *registry._functions.values(),
        *registry.seen_by_rules.values(),
        *loaders._loaders.values(),
        *deletion._removers,
        *pruning._finders,
        *pruning._tasks,
    ]
    later = [each for each in registered if isinstance(each, Later)]
    assert len(later) > 25
    for each in later:
        assert callable(each.function)


def test_what_decorators_say_of_a_view_is_said_of_its_stand_in():
    later = LaterView("corpus.api.archives", "ImportsView")
    assert later.csrf_exempt
    assert later.cls.__name__ == "ImportsView"
    with pytest.raises(AttributeError):
        _ = later.unheard_of
