"""What a paper must say of a campaign, filled in from what is stored and marked where it is not."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from analysis.data import matrices
from analysis.datasheets.campaign_facts import BLANK
from analysis.datasheets.datasheet import datasheet, ethics_sheet, methods
from analysis.estimates.agreements import agreement, rated_units
from analysis.filter.question import Question
from annotation.models import Campaign
from corpus.models import Study
from tests.fixtures.campaigns import judge, make_campaign, make_study
from tests.fixtures.report_pages import open_page, reader, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
QUESTIONS = (
    *("1.1.1", "1.1.2", "1.2", *(f"1.3.{who}.{n}" for who in (1, 2) for n in (1, 2, 3))),
    *(f"2.{n}" for n in range(1, 6)),
    *("3.1.1", "3.1.2", "3.1.3.1", "3.1.3.2", "3.1.3.3"),
    *("3.2.1", "3.2.2.1", "3.2.2.2", "3.2.2.3", "3.2.2.4", "3.2.3", "3.2.4", "3.2.5"),
    *("3.3.1", "3.3.2", "3.3.3.1", "3.3.3.2", "3.3.4.1", "3.3.4.2"),
    *(f"3.3.{n}" for n in range(5, 9)),
    *(f"5.{n}" for n in range(1, 5)),
)
OF_A_CRITERION = (
    *(f"4.1.{n}" for n in range(1, 4)),
    *(f"4.2.{n}" for n in range(1, 4)),
    *("4.3.1.1", "4.3.1.2", *(f"4.3.{n}" for n in range(2, 11))),
    *("4.3.11.1", "4.3.11.2", "4.3.12.1", "4.3.12.2"),
)


@pytest.fixture
def campaign() -> Campaign:
    return Campaign.objects.get(study__slug="formality-demo")


def answers(text: str) -> dict[str, list[str]]:
    """Every answer by the number of its question."""
    found: dict[str, list[str]] = {}
    for number, answer in re.findall(r"^\*\*([\d.]+) [^*]*?:\*\* (.*)$", text, re.MULTILINE):
        found.setdefault(number, []).append(answer)
    return found


def test_every_question_is_answered_or_marked(campaign):
    found = answers(datasheet(campaign))
    assert {number for number in found if not number.startswith("4")} == set(QUESTIONS)
    asked = len(campaign.rules.questions(campaign.config))
    assert all(len(found[number]) == asked for number in OF_A_CRITERION)
    assert all(answer.strip() for several in found.values() for answer in several)
    assert found["5.1"] == [BLANK]


def test_counts_and_agreement_are_those_of_the_study(campaign):
    found = answers(datasheet(campaign))
    data = matrices.load(Study.objects.get(slug="formality-demo"))
    assert found["3.1.1"] == [f"{data.shape[0]}, of {data.shape[1]} systems"]
    assert found["3.2.1"] == [str(len(data.judgements.annotators))]
    for question, said in zip(
        campaign.rules.questions(campaign.config), found["4.3.11.2"], strict=True
    ):
        units = rated_units(data, Question(humans="in"), (question.aspect,))
        expected = agreement(units, "alpha-interval").value
        assert f"α, interval {expected:.3f}" in said


def test_page_file_and_command_say_the_same(campaign):
    client = reader("ada", "formality-demo")
    base = f"/studies/formality-demo/campaigns/{campaign.slug}"
    page = open_page(client, f"{base}/datasheet/")
    text = client.get(f"{base}/datasheet.md").content.decode()
    assert text == datasheet(campaign)
    shown, ethics = page.iter("pre")
    sheet = client.get(f"{base}/ethics.md").content.decode()
    assert "".join(ethics.itertext()).strip() == sheet.strip() == ethics_sheet(campaign).strip()
    assert "".join(shown.itertext()).strip() == text.strip()
    assert words(next(page.iter("blockquote"))) == methods(campaign)
    out = StringIO()
    call_command("datasheet", "formality-demo", campaign.slug, stdout=out)
    assert out.getvalue().strip() == text.strip()
    out = StringIO()
    call_command("datasheet", "formality-demo", campaign.slug, "--ethics", stdout=out)
    assert out.getvalue().strip() == sheet.strip()
    with pytest.raises(CommandError, match=f"there are: {campaign.slug}"):
        call_command("datasheet", "formality-demo", "nothing")


def test_what_the_study_declares_fills_blanks(campaign):
    study = campaign.study
    study.declarations |= {
        "publication": {
            "authors": [{"name": "King, Ada", "affiliation": "Analytical Society"}],
            "paper": "https://example.org/paper",
            "contact": "ada@example.org",
            "ethics": "Approved by the board of X, no. 7.",
        }
    }
    found = answers(datasheet(campaign))
    assert found["1.1.1"] == ["https://example.org/paper"]
    assert (found["1.3.2.1"], found["1.3.2.3"]) == (["Ada King"], ["ada@example.org"])
    assert found["5.1"] == ["Approved by the board of X, no. 7."]


# The ethics sheet


@pytest.fixture
def pilot() -> Campaign:
    made, [annotator, _] = make_campaign(make_study(2, 1), annotators=2, slug="pilot")
    judge(annotator, 1)
    return made


def ethics_answers(campaign: Campaign) -> dict[str, str]:
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


def test_the_sheet_counts_its_blanks(pilot):
    found = ethics_answers(pilot)
    open_ones = sum(BLANK in answer for answer in found.values())
    assert blanks(pilot) == (open_ones, len(found))
    assert 10 < open_ones < len(found)
    assert found["Approval by an ethics committee"] == BLANK
    assert found["Reward for each person"] == BLANK
    assert found["How many people rated"] == "1"
