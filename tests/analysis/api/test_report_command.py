"""`manage.py report` gives the numbers of the pages as JSON, CSV and LaTeX."""

import json

import pytest
from django.core.management import CommandError, call_command

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("report", "formality-demo", *arguments)
    return capsys.readouterr().out


def test_json_is_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    printed = json.loads(_run(capsys, "--kind", "correlation", "--aspect", "style"))
    study = Study.objects.get()
    assert printed == report(study, "correlation", Question(aspect="style"))
    assert {row["aspect"] for row in printed["content"]["rows"]} == {"style"}


def test_without_a_kind_all_results_are_in_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(_run(capsys))
    assert document["simulated"] is True
    assert set(document["reports"]) == {"agreement", "ranking", "correlation"}
    assert set(document["reports"]["correlation"]) == {
        "all",
        "direction informal-to-formal",
        "direction formal-to-informal",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "no study 'nowhere'; there are: formality-demo"),
        (("formality-demo", "--aspect", "taste"), "aspect=taste: this study has style, content"),
        (("formality-demo", "--min-gap", "wide"), "min_gap=wide: expected a number"),
        (
            ("formality-demo", "--level", "system", "--statistic", "tau-like"),
            "tau-like compares outputs of one segment",
        ),
    ],
)
def test_what_the_study_does_not_have_is_named(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError) as caught:
        call_command("report", *arguments)
    assert message in str(caught.value)
