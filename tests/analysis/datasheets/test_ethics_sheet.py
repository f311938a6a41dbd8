"""The ethics sheet: what is stored fills an answer, what is not is a blank that is counted."""

import re

import pytest

from analysis.datasheets.campaign_facts import BLANK
from analysis.datasheets.datasheet import ethics_sheet
from annotation.models import Campaign
from tests.fixtures.campaigns import judge, make_campaign, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    made, [annotator, _] = make_campaign(make_study(2, 1), annotators=2, slug="pilot")
    judge(annotator, 1)
    return made


def answers(campaign: Campaign) -> dict[str, str]:
    """Return each answer by its question."""
    rows = re.findall(r"^\*\*[\d.]+ ([^*]*):\*\* (.*)$", ethics_sheet(campaign), re.MULTILINE)
    found = dict(rows)
    assert len(found) == len(rows)
    assert all(found.values())
    return found


def blanks(campaign: Campaign) -> tuple[int, int]:
    """Return the blanks and answers that the sheet says it has."""
    said = re.search(r"(\d+) of (\d+) answers\.", ethics_sheet(campaign))
    assert said is not None
    return int(said[1]), int(said[2])


def test_the_sheet_counts_its_blanks(campaign):
    found = answers(campaign)
    open_ones = sum(BLANK in answer for answer in found.values())
    assert blanks(campaign) == (open_ones, len(found))
    assert 10 < open_ones < len(found)
    assert found["Approval by an ethics committee"] == BLANK
    assert found["Reward for each person"] == BLANK
    assert found["How many people rated"] == "1"


def test_what_the_campaign_says_fills_blanks(campaign):
    before, _ = blanks(campaign)
    campaign.consent = "You agree."
    campaign.content_warning = "Insults\nand slurs"
    campaign.guidelines = "Read this."
    campaign.questions = ["Your age group"]
    campaign.save()
    campaign.annotators.filter(number=0).update(consented_at="2026-01-01T12:00Z")
    found = answers(campaign)
    assert found["Consent"].endswith("before the first item; 1 agreed")
    assert "“Insults and slurs”" in found["Content that may offend or distress"]
    assert found["What raters are asked about themselves"] == "Your age group"
    assert blanks(campaign)[0] == before - 3


def test_retention_is_that_of_the_site(campaign, settings):
    settings.EXPORT_DAYS, settings.ACCESS_LOG_DAYS = 11, 77
    kept = answers(campaign)["How long it is kept"]
    assert "export 11 days" in kept
    assert "downloads 77 days" in kept
