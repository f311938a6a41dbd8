"""The training phase: practice items first, feedback after the answer, who qualifies."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from annotation.campaigns.drafts import LaunchError
from annotation.imports.export import export_ratings
from annotation.models import Annotator, Campaign, Item, Rating
from annotation.practice.items import qualify
from annotation.queue.handing_out import next_assignments
from corpus.models import AuditEntry
from tests.fixtures.campaigns import make_campaign, make_study, read_again, send
from tests.fixtures.rating_pages import entered, fields

pytestmark = pytest.mark.django_db

FEEDBACK = "It keeps the meaning and is formal throughout."
PRACTICE = [
    {
        "output": ["s0", "system-0"],
        "expected": {"style": [61, 93], "content": 50},
        "feedback": FEEDBACK,
    },
    {"output": ["s1", "(reference)"], "expected": {"fluency": [0, 37]}, "feedback": "Look again."},
    {"output": ["s2", "system-1"], "feedback": "Nothing is expected here."},
]
GOOD = [
    {"style": "70", "content": "50", "fluency": "10"},
    {"style": "1", "content": "1", "fluency": "37"},
    {"style": "1", "content": "1", "fluency": "1"},
]
BAD = {"style": "60", "content": "51", "fluency": "100"}


def trained(protocol="direct_assessment", practice=PRACTICE, share=None, **values):
    """A campaign with practice items and its first annotator."""
    selection = {"practice": practice}
    if share is not None:
        selection["qualification"] = {"pass": share}
    selection |= values.pop("selection", {})
    study = values.pop("study", None) or make_study()
    campaign, people = make_campaign(study, protocol, selection=selection, **values)
    return campaign, read_again(people[0])


def practise(annotator, answers):
    """Answer all practice items; return what became of the last answer."""
    for given in answers:
        [lead] = next_assignments(annotator)
        outcome = send(annotator, lead, given)
    return outcome


def answer(client, annotator, page, given, *, fetched, **options):
    form = fields(page) | {f"answer-0-{aspect}": text for aspect, text in given.items()}
    headers = {"X-Requested-With": "fetch"} if fetched else {}
    address = f"/rate/{annotator.public_id}/submit/"
    return client.post(address, form, headers=headers, follow=True, **options)


# Order and counting


@pytest.mark.parametrize("design", ["balanced_overlap", "fixed_batches", "latin_square"])
def test_practice_comes_before_everything_else_in_every_list(design):
    campaign, _ = trained(design=design, annotators=3, ratings_per_item=1)
    practice = list(campaign.items.filter(kind="practice").order_by("screen"))
    assert [item.first.system.name for item in practice] == ["system-0", "(reference)", "system-1"]
    assert {(item.wanted, item.taken) for item in practice} == {(0, 0)}
    for annotator in campaign.annotators.all():
        items = [each.item_id for each in annotator.assignments.order_by("position")]
        assert items[:3] == [item.pk for item in practice]
        assert len(items) > 3
        places = list(annotator.assignments.values_list("position", flat=True))
        assert sorted(places) == list(range(len(items)))
        # Practice is no work.
        assert annotator.assigned == len(items) - len(practice)


def test_practice_is_never_counted_nor_exported():
    campaign, annotator = trained()
    practise(annotator, GOOD)
    assert Rating.objects.count() == 9
    assert not Rating.objects.counted(campaign.study).exists()
    assert list(export_ratings(campaign.study)) == []
    [lead] = next_assignments(annotator)
    send(annotator, lead)
    assert Rating.objects.counted(campaign.study).count() == 3
    [table] = export_ratings(campaign.study)
    assert len(list(table.rows)) == 3


# Feedback


@pytest.mark.parametrize("fetched", [True, False])
def test_the_reply_to_a_practice_answer_says_what_was_expected(fetched):
    _, annotator = trained()
    client = entered(annotator)
    page = client.get(f"/rate/{annotator.public_id}/").text
    assert "Practice: after your answer" in page
    reply = answer(client, annotator, page, GOOD[0], fetched=fetched)
    assert reply.status_code == 200
    assert bool(reply.redirect_chain) is not fetched
    assert ("<!doctype html>" in reply.text) is not fetched
    assert "As expected" in reply.text
    assert FEEDBACK in reply.text
    assert re.findall(r"<td>(.*?)</td>", re.sub(r" <span.*?</span>", "", reply.text)) == [
        *("70", "61 to 93", "50", "50")
    ]
    assert "2 more to practise." in reply.text
    page = client.get(f"/rate/{annotator.public_id}/").text
    assert fields(page)["assignment"] != fields(reply.text).get("assignment")
    reply = answer(client, annotator, page, BAD, fetched=fetched)
    assert "Something else was expected" in reply.text
    assert "differs</span>" in reply.text
    page = client.get(f"/rate/{annotator.public_id}/").text
    reply = answer(client, annotator, page, BAD, fetched=fetched)
    assert "Nothing is expected here." in reply.text
    assert "From here on your answers count." in reply.text
    assert "Practice: " not in client.get(f"/rate/{annotator.public_id}/").text


def test_what_is_expected_does_not_leave_the_server_before_the_answer():
    campaign, annotator = trained(share=0.5)
    client = entered(annotator)
    lead = next_assignments(annotator)[0]
    own = f"/rate/{annotator.public_id}"
    feedback = f"{own}/item/{lead.public_id}/feedback/"
    pages = [client.get(f"{own}/"), client.get(f"{own}/item/{lead.public_id}/")]
    form = fields(pages[0].text)
    pages += [
        client.post(f"{own}/draft/", form | {"answer-0-style": "1"}),
        client.post(f"{own}/submit/", form | {"answer-0-style": "1"}),
        client.get(feedback),
        client.get(f"{own}/done/"),
    ]
    assert pages[4].status_code == 404
    for page in pages:
        assert not re.search(r"\b(61|93|37)\b|formal throughout|Look again", page.text)
    other = Annotator.objects.get(campaign=campaign, number=1)
    send(annotator, lead, GOOD[0])
    assert client.get(feedback).status_code == 200
    address = f"/rate/{other.public_id}/item/{lead.public_id}/feedback/"
    assert entered(other).get(address).status_code == 404


@pytest.mark.parametrize(
    ("protocol", "entry", "given", "words"),
    [
        ("relative_naturalness", {"expected": {"naturalness": "source"}}, "first", "source"),
        (
            "output_against_output",
            {"against": ["s0", "system-0"], "expected": {"overall": "against"}},
            "first",
            "against",
        ),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_choices_are_expected_by_text_whichever_side_it_stands_on(
    protocol, entry, given, words, swapped
):
    practice = [{"output": ["s0", "system-1"], "feedback": "", **entry}]
    campaign, annotator = trained(protocol, practice)
    annotator.assignments.filter(item__kind="practice").update(swapped=swapped)
    side = "a" if (given == "first") is not swapped else "b"
    [aspect] = entry["expected"]
    client = entered(annotator)
    page = client.get(f"/rate/{annotator.public_id}/").text
    reply = answer(client, annotator, page, {aspect: side}, fetched=True).text
    assert "As expected" in reply
    assert reply.count(f"text {side.upper()}") == 2
    assert Rating.objects.get().choice == given
    assert campaign.selection["practice"][0]["expected"] == {aspect: given}


@pytest.mark.parametrize("fetched", [True, False])
@pytest.mark.parametrize("share", [None, 1.0])
def test_a_ranking_is_practised_output_by_output(fetched, share):
    practice = [
        {
            "outputs": [["s0", f"system-{n}"] for n in range(3)],
            "expected": [
                {"overall": 1},
                {"overall": [2, 3]},
                {"overall": {"answer": 3, "tolerance": 0}},
            ],
            "feedback": FEEDBACK,
        }
    ]
    campaign, annotator = trained("ranking", practice, share=share)
    client = entered(annotator)
    page = client.get(f"/rate/{annotator.public_id}/").text
    assert page.count("<h2>Output ") == 3
    screen = next_assignments(annotator)
    wanted = {"system-0": 1, "system-1": 2, "system-2": 3}
    ranks = [wanted[place.item.first.system.name] for place in screen]
    form = fields(page) | {f"answer-{n}-overall": str(rank) for n, rank in enumerate(ranks)}
    headers = {"X-Requested-With": "fetch"} if fetched else {}
    address = f"/rate/{annotator.public_id}/submit/"
    reply = client.post(address, form, headers=headers, follow=True).text
    assert "As expected" in reply
    assert FEEDBACK in reply
    cells = re.findall(r"<td>(.*?)</td>", re.sub(r" <span.*?</span>", "", reply))
    assert cells[::2] == [str(rank) for rank in ranks]
    assert sorted(cells[1::2]) == ["1", "2 to 3", "3"]
    assert [f"Output {letter}</th>" in reply for letter in "ABCD"] == [True, True, True, False]
    assert Annotator.objects.get(pk=annotator.pk).qualified is (None if share is None else True)
    following = next_assignments(read_again(annotator))
    assert following[0].item.kind == "plain"
    assert not Rating.objects.counted(campaign.study).exists()


# Qualification


@pytest.mark.parametrize(
    ("share", "answers", "qualified"),
    [
        (1.0, GOOD, True),
        (0.5, [BAD, GOOD[1], BAD], True),
        (0.51, [BAD, GOOD[1], BAD], False),
        (0.0, [BAD] * 3, True),
        (None, [BAD] * 3, None),
    ],
)
def test_the_server_decides_who_qualifies_when_the_practice_is_done(share, answers, qualified):
    _, annotator = trained(share=share)
    practise(annotator, answers[:2])
    assert annotator.qualified is None
    practise(annotator, answers[2:])
    assert Annotator.objects.get(pk=annotator.pk).qualified is qualified
    assert bool(next_assignments(annotator)) is (qualified is not False)


def test_a_correction_after_the_feedback_does_not_change_the_decision():
    _, annotator = trained(share=1.0)
    [lead] = next_assignments(annotator)
    send(annotator, lead, BAD)
    send(annotator, lead, GOOD[0], revision=2)
    practise(annotator, GOOD[1:])
    assert Annotator.objects.get(pk=annotator.pk).qualified is False


@pytest.mark.parametrize("design", ["balanced_overlap", "shared_queue"])
def test_who_does_not_qualify_gets_a_friendly_end_until_the_owner_overrules(design):
    campaign, annotator = trained(share=1.0, design=design)
    practise(annotator, [BAD] * 3)
    client = entered(annotator)
    page = client.get(f"/rate/{annotator.public_id}/").text
    assert "Thank you for practising" in page
    assert annotator.completion_code not in page
    assert not Item.objects.filter(kind="plain", assignments__lease_until__isnull=False).exists()
    owner = User.objects.create_user("owner")
    qualify(annotator, owner)
    qualify(annotator, owner)
    entry = AuditEntry.objects.get(action="qualify")
    assert (entry.actor, entry.object) == (owner, f"{campaign.slug}: annotator 1")
    assert (entry.before, entry.after) == ({"qualified": False}, {"qualified": True})
    assert "Save and go on" in client.get(f"/rate/{annotator.public_id}/").text
    assert Annotator.objects.get(pk=annotator.pk).qualified is True


# What cannot be practised


@pytest.mark.parametrize(
    ("practice", "share", "message"),
    [
        ("x", None, "expected a list of at most 100 items"),
        ([[]], None, "practice item 1: expected an object"),
        ([{"output": ["s0", "nobody"]}], None, "no output ['s0', 'nobody'] in this study"),
        ([{"output": 0}], None, "no output 0 in this study"),
        ([PRACTICE[0], PRACTICE[0]], None, "practice item 2: its texts are practised already"),
        ([PRACTICE[0] | {"expected": {"tone": 1}}], None, "'tone' is not asked; asked are: style"),
        (
            [PRACTICE[0] | {"expected": {"style": [90, 10]}}],
            None,
            "not a range such as [low, high]",
        ),
        ([PRACTICE[0] | {"expected": {"style": [0, 101]}}], None, "within 0 to 100"),
        ([PRACTICE[0] | {"expected": {"style": "high"}}], None, "'high' is not a range"),
        ([PRACTICE[0] | {"expected": []}], None, "expected is an object of aspects"),
        ([PRACTICE[0] | {"feedback": 1}], None, "feedback is a text"),
        (PRACTICE, 1.5, "expected a share from 0 to 1"),
        (PRACTICE[2:], 0.5, "no practice item says what is expected"),
        ([], 0.5, "no practice item says what is expected"),
    ],
)
def test_practice_that_cannot_work_is_named_before_the_start(practice, share, message):
    with pytest.raises(LaunchError, match=re.escape(message)):
        trained(practice=practice, share=share)
    assert not Item.objects.exists()
    assert Campaign.objects.get().state == "draft"


@pytest.mark.parametrize(
    ("protocol", "entry", "message"),
    [
        ("ranking", {}, "practice item 1, outputs: expected a list of 2 to 5 outputs"),
        (
            "ranking",
            {"outputs": [["s0", "system-0"], ["s1", "system-0"]]},
            "rank different outputs of one segment",
        ),
        (
            "ranking",
            {"outputs": [["s0", "system-0"], ["s0", "system-1"]], "expected": [{"overall": 1}]},
            "expected is a list, with the place of each output",
        ),
        (
            "ranking",
            {
                "outputs": [["s0", "system-0"], ["s0", "system-1"]],
                "expected": [{"overall": 1}, {"overall": 3}],
            },
            "there are 2 outputs, no place 3",
        ),
        ("output_against_output", {}, "practice item 1, against: no output None"),
        ("output_against_output", {"against": ["s1", "system-1"]}, "two outputs of one segment"),
        ("relative_naturalness", {"output": ["s0", "(source)"]}, "no source to compare"),
        ("relative_naturalness", {"expected": {"naturalness": "tie"}}, "not one of output, source"),
    ],
)
def test_practice_must_fit_the_protocol(protocol, entry, message):
    with pytest.raises(LaunchError, match=re.escape(message)):
        trained(protocol, [{"output": ["s0", "system-1"], **entry}])


# Cost


def test_the_example_of_the_page_on_practice_is_understood():
    page = (Path(settings.BASE_DIR) / "docs" / "masks.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    text = example.replace("BART", "system-0")
    campaign, _ = trained(
        "content_preservation", config={"masked": False}, selection=json.loads(text)
    )
    of_the_study, written = campaign.selection["practice"]
    assert of_the_study["expected"] == {"content": [4, 5]}
    assert written["expected"] == {"content": [1, 2]}
