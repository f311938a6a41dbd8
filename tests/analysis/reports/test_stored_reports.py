"""The content of every kind of report is read back as it was stored."""

import pytest

from analysis.filter.question import Question
from analysis.reports.catalogue import KINDS
from analysis.reports.kind import opened
from analysis.reports.service import report
from corpus.models import Study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]


@pytest.mark.parametrize("kind", KINDS)
def test_the_content_of_a_stored_report_is_read_back_as_it_was(kind: str) -> None:
    stored = report(Study.objects.get(), kind, Question())
    assert opened(stored).content.to_dict() == stored["content"]
