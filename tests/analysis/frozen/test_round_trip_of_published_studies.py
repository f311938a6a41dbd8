"""Published studies that were exported and imported elsewhere give the same numbers there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.catalogue import KINDS
from tests.analysis.frozen.test_round_trip_of_reports import assert_same_reports, exported_elsewhere
from tests.fixtures.report_pages import PATTERNS

pytestmark = [pytest.mark.django_db, pytest.mark.nightly]
OF_METRICS = ("planning", "subgroups", "accuracy", "comparison")


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    matrices.forget()
    yield
    matrices.forget()


@pytest.mark.parametrize("name", ["lai2022", "mir2019"])
def test_published_studies_give_the_same_reports_elsewhere(
    name: str, studies: Path, tmp_path: Path
) -> None:
    pattern = PATTERNS.get(name, "")
    call_command("import_study", studies / name, accept=True, verbosity=0, system_pattern=pattern)
    here, there = exported_elsewhere(name, tmp_path)
    kinds = tuple(kind for kind in KINDS if kind != "rankings")
    assert_same_reports(here, there, kinds, Question(resamples=100))
    # It compares only so many metrics at once.
    few = Question(
        resamples=100, aspect="content", metric=("bleu*",) if name == "lai2022" else ("BLEU",)
    )
    assert_same_reports(here, there, ("rankings",), few)
    of_content = Question(resamples=100, aspect="content", level="system", by="direction")
    assert_same_reports(here, there, OF_METRICS, of_content)
    planned = Question(resamples=100, aspect="content", goal="correlation")
    assert_same_reports(here, there, ("planning",), planned)
