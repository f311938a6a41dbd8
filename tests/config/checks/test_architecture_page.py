"""The walks of the page on the architecture are walked."""

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from analysis.data import matrices
from corpus.models import Study
from metrics.runs.requests import RunRequest
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.combined_study import scored
from tests.fixtures.machine import ROOT
from tests.fixtures.rating_pages import FULL, entered, open_screen, submit
from tests.fixtures.report_pages import reader

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]


def walk(heading: str) -> list[str]:
    """Return the modules of a walk in their order."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    steps = re.findall(r"^\d+\. (.*)$", section, re.MULTILINE)
    return [module for step in steps for module in re.findall(r"`([\w/]+\.py)`", step)]


def assert_walked(heading: str, do: Callable[[], object]) -> None:
    """Hold that calls enter the modules of a walk one after the other."""
    steps = walk(heading)
    left = steps[:]

    def follow(frame: Any, event: str, argument: object) -> None:
        if event == "call" and left and frame.f_code.co_filename == f"{ROOT}/{left[0]}":
            left.pop(0)

    sys.setprofile(follow)
    try:
        do()
    finally:
        sys.setprofile(None)
    assert len(steps) > 3
    assert left == []


def test_a_rating_goes_this_way() -> None:
    annotator = make_campaign(make_study())[1][0]
    browser = entered(annotator)
    form = open_screen(browser, annotator)
    assert_walked(
        "A rating, from the click to the database", lambda: submit(browser, annotator, form, **FULL)
    )


def test_the_rating_becomes_a_number_this_way() -> None:
    browser = reader("ada", "formality-demo")
    matrices.forget()
    address = "/studies/formality-demo/correlation/?aspect=style&resamples=100"
    assert_walked("That rating, to a number on the correlation page", lambda: browser.get(address))


def test_a_score_goes_this_way() -> None:
    study = Study.objects.get(slug="formality-demo")
    request = RunRequest("chrf", against="source")
    assert_walked("A score, from the request to the database", lambda: scored(study, request))
