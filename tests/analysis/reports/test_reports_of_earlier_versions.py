"""The content of every kind of report is read back as it was, and without the parts added later."""

from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import pytest

from analysis.figures import figures
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.catalogue import KINDS, report_kind
from analysis.reports.kind import opened
from analysis.reports.page_address import Address
from analysis.reports.service import report
from analysis.stats.results import Estimate, Undefined
from analysis.tables.of_reports import flat_tables
from corpus.models import Study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]


@pytest.mark.parametrize("kind", KINDS)
def test_the_content_of_a_stored_report_is_read_back_as_it_was(kind: str) -> None:
    stored = report(Study.objects.get(), kind, Question())
    assert opened(stored).content.to_dict() == stored["content"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_without_the_parts_that_were_added_later_still_opens(kind: str) -> None:
    stored = report(Study.objects.get(), kind, Question())
    content = _without_later(opened(stored).content, stored["content"])
    earlier = opened(stored | {"content": content})
    assert report_kind(kind).present(earlier, Address(Question(), Choices()))
    for make in figures(earlier, Choices()).values():
        assert make().spec
    later = {table.name for table in flat_tables(stored)}
    assert {table.name for table in flat_tables(earlier.stored)} <= later


def _without_later(part: Any, stored: Any) -> Any:
    """Leave out of stored JSON what has a default value in its dataclass."""
    if isinstance(part, Estimate | Undefined):
        return stored
    if is_dataclass(part):
        return {
            each.name: _without_later(getattr(part, each.name), stored[each.name])
            for each in fields(part)
            if each.default is MISSING and each.default_factory is MISSING
        }
    if isinstance(part, dict):
        return {name: _without_later(part[name], value) for name, value in stored.items()}
    if isinstance(part, list | tuple):
        return [_without_later(each, of) for each, of in zip(part, stored, strict=True)]
    return stored
