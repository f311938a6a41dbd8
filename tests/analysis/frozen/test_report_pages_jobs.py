"""A long report is computed by a job: the page shows how far it is, then the report."""

from dataclasses import replace

import pytest

from analysis.data import matrices
from analysis.reports import service, snapshot
from analysis.reports.catalogue import report_kind
from corpus.jobs.worker import run_next
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.study_files import TABLES

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/studies/small/correlation/"


@pytest.fixture(scope="module", autouse=True)
def _study(import_once):
    import_once(TABLES)


@pytest.fixture
def client(monkeypatch):
    matrices.forget()
    monkeypatch.setattr(service, "QUICK", 0)
    monkeypatch.setattr(snapshot, "AT_ONCE", 0)
    yield reader("ada", "small")
    matrices.forget()


def test_a_failed_report_shows_its_error_and_can_be_tried_again(client, monkeypatch):
    open_page(client, PAGE, status=202)

    def fail(*arguments):
        raise ArithmeticError("the sum is off")

    with monkeypatch.context() as broken:
        failing = replace(report_kind("correlation"), build=fail)
        broken.setattr(snapshot, "report_kind", lambda key: failing)
        job = run_next()
    assert job.state == "failed"
    page = open_page(client, PAGE, status=202)
    assert "This report could not be computed" in words(page)
    assert job.error in words(page)
    (form,) = [f for f in page.iter("form") if f.get("action", "").endswith("/again/")]
    answer = client.post(form.get("action"), {"back": f"{PAGE}?aspect=content"})
    assert answer["Location"] == f"{PAGE}?aspect=content"
    assert run_next().state == "done"
    assert tables(open_page(client, PAGE))
