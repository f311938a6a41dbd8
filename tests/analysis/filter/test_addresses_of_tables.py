"""What a reader chose in a table is no part of what a report is asked."""

import pytest
from django.http import QueryDict

from analysis.filter.question import QuestionError
from analysis.reports.page_address import read_address


def test_a_question_is_the_same_however_its_tables_are_shown():
    shown = read_address(QueryDict("aspect=style&table-content=sort.mean.down+all"))
    assert shown == read_address(QueryDict("aspect=style"))
    assert "table" not in shown.query()


def test_other_unknown_names_are_still_refused():
    with pytest.raises(QuestionError):
        read_address(QueryDict("tables=all"))
