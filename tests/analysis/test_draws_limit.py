"""More draws than the site computes are refused in words, wherever they are asked for."""

import pytest
from django.core.management import CommandError, call_command

from analysis.data import matrices
from analysis.filter.question import Question, QuestionError
from analysis.frozen.service import freeze_or_job
from corpus.models import Job, Study
from tests.fixtures.report_pages import open_page, reader, words
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
REASON = "resamples=10001: this site computes at most 10000 draws"


@pytest.fixture
def client(tmp_path):
    matrices.forget()
    import_path(write_files(tmp_path / "small", TABLES))
    yield reader("ada", "small")
    matrices.forget()


def test_page_api_and_command_refuse_too_many_draws_and_start_no_job(client):
    page = open_page(client, "/studies/small/correlation/?resamples=10001", 400)
    assert REASON in words(page)
    answer = client.get("/api/v1/studies/small/reports/correlation/?resamples=10001")
    assert answer.status_code == 400
    assert REASON in answer.json()["detail"]
    with pytest.raises(CommandError, match=REASON):
        call_command("report", "small", "--kind", "correlation", "--resamples", "10001")
    with pytest.raises(CommandError, match=REASON):
        call_command("report", "small", "--resamples", "10001")
    question = Question.parse({"resamples": "10001"})
    with pytest.raises(QuestionError, match=REASON):
        freeze_or_job(Study.objects.get(), "correlation", question, None)
    assert not Job.objects.filter(kind__in=["report", "freeze"]).exists()


def test_the_administrator_may_allow_more(client, settings):
    settings.RESAMPLES_LIMIT = 20_000
    open_page(client, "/studies/small/correlation/?resamples=10001")
