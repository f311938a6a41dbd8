"""Lists and exports of a panel: read as they are documented, shown first, then places are freed."""

import pytest

from annotation.models import Annotator, Assignment, PanelEntry, Rating, Withdrawal
from annotation.panels.statuses import ListError, read_list
from corpus.models import AuditEntry
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.panels import (
    answer,
    answer_all,
    documented_id,
    read_guidelines,
    sent_by_prolific,
    with_panel,
)

HOME = "/studies/small/campaigns/pilot/panel/statuses/"
HEADER = (
    "Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completed at,"
    "Reviewed at,Archived at,Time taken,Completion code,Total approvals\n"
)


def exported(*rows: tuple[int, str]) -> str:
    """Submissions as Prolific exports them, of people by number and status."""
    return HEADER + "".join(
        f"{documented_id(500 + number)},{documented_id(number)},{status},Not Applicable,"
        f"2026-11-20T10:00:00.000000Z,,,,600,,12\n"
        for number, status in rows
    )


@pytest.mark.parametrize(
    ("text", "options", "found"),
    [
        ("a RETURNED\nb\tapproved", {}, [("a", "RETURNED", ""), ("b", "APPROVED", "")]),
        ("a RETURNED\nb timed-out", {}, [("a", "RETURNED", ""), ("b", "TIMED OUT", "")]),
        ("a,RETURNED\nb,ACTIVE", {}, [("a", "RETURNED", ""), ("b", "ACTIVE", "")]),
        ("a\nb\n\n", {"all_are": "RETURNED"}, [("a", "RETURNED", ""), ("b", "RETURNED", "")]),
        ("rid;status\na;returned", {"name": "rid"}, [("a", "RETURNED", "")]),
        ("\ufeffParticipant id\tStatus\na\tRejected", {}, [("a", "REJECTED", "")]),
        ("participant_id,session_id,status\na,s,ACTIVE", {}, [("a", "ACTIVE", "s")]),
        ("a RETURNED\na APPROVED", {}, [("a", "APPROVED", "")]),
    ],
)  # fmt: skip
def test_lists_are_read_in_the_shapes_that_people_have(text, options, found):
    people = read_list(text, **options).people
    assert [(each.identifier, each.status, each.session) for each in people] == found


def test_lines_that_say_nothing_are_counted_and_never_guessed():
    read = read_list("a RETURNED\nb\nc WHATEVER\nd APPROVED")
    assert [each.identifier for each in read.people] == ["a", "d"]
    assert read.unread == [2, 3]


@pytest.mark.parametrize("text", ["", " \n", "Participant id,Age\na,3", "a X\n" * 20_001])
def test_what_is_no_list_is_refused_in_words(text):
    with pytest.raises(ListError, match="list"):
        read_list(text)


@pytest.fixture
def campaign(db, settings):
    settings.JOIN_AT_ONCE = 100
    made, _ = make_campaign(make_study(4, 1), annotators=2, slug="pilot")
    with_panel(made)
    return made


@pytest.fixture
def ada(campaign):
    return signed_in("ada", campaign.study)


def entry(number: int) -> PanelEntry:
    return PanelEntry.objects.get(identifier=documented_id(number))


def begun(campaign, number, answers=0):
    client = sent_by_prolific(campaign, number)
    assert client.reply.status_code == 302
    read_guidelines(client)
    for _ in range(answers):
        answer(client, "50")
    return client


def checked(ada, text):
    """The page that says what a list would do."""
    return ada.post(HOME, {"listed": text, "all_are": ""}).text


def taken(ada, text):
    reply = ada.post(HOME, {"listed": text, "all_are": "", "confirmed": "yes"}, follow=True)
    assert reply.status_code == 200
    return reply.text


def test_a_list_is_shown_with_counts_first_and_changes_nothing(ada, campaign):
    begun(campaign, 1, 1)
    begun(campaign, 2)
    before = list(Assignment.objects.order_by("pk").values_list("state", flat=True))
    shown = checked(
        ada, exported((1, "RETURNED"), (2, "ACTIVE"), (7, "RETURNED")) + "\nx,y,NONSENSE\n"
    )
    assert "free 1 slot<" in shown
    assert "Participants who never came here</dt><dd>1<" in shown
    assert "</dt><dd>1: 6</dd>" in shown
    assert list(Assignment.objects.order_by("pk").values_list("state", flat=True)) == before
    assert not PanelEntry.objects.exclude(status="").exists()


def test_ratings_that_stay_count_and_the_next_gets_only_what_is_left(ada, campaign):
    gone = begun(campaign, 1, 1)
    begun(campaign, 2)
    assert "Slots freed: 1." in taken(ada, exported((1, "RETURNED")))
    assert gone.get(gone.at).status_code == 403
    late = begun(campaign, 3)
    assert Assignment.objects.filter(annotator=entry(3).annotator).count() == 3
    answer_all(late)
    assert not Withdrawal.objects.exists()
    assert Rating.objects.filter(submission__annotator=entry(1).annotator).count() == 3
    assert entry(3).outcome == "finished"


@pytest.mark.parametrize("design", ["balanced_overlap", "shared_queue"])
def test_ratings_that_are_withdrawn_are_made_again_by_the_next(db, settings, design):
    settings.JOIN_AT_ONCE = 100
    campaign, _ = make_campaign(
        make_study(4, 1), annotators=2, slug="pilot", design=design, ratings_per_item=2
    )
    with_panel(campaign, work_of_freed="withdrawn")
    ada = signed_in("ada", campaign.study)
    begun(campaign, 1, 2)
    answer_all(begun(campaign, 2))
    taken(ada, exported((1, "REJECTED")))
    assert [each.reason for each in Withdrawal.objects.all()] == ["rejected at the panel"]
    answer_all(begun(campaign, 3))
    assert entry(3).annotator.submitted == 4
    assert set(campaign.items.values_list("taken", flat=True)) == {2}
    assert Rating.objects.filter(submission__annotator=entry(1).annotator).exists()


def test_the_same_list_twice_and_a_later_approval_free_nothing_more(ada, campaign):
    begun(campaign, 1, 1)
    taken(ada, exported((1, "RETURNED")))
    people = Annotator.objects.count()
    assert "Slots freed: 0. New statuses: 0." in taken(ada, exported((1, "RETURNED")))
    assert "Slots freed: 0. New statuses: 1." in taken(ada, exported((1, "APPROVED")))
    assert "Slots freed: 0." in taken(ada, exported((1, "RETURNED")))
    assert Annotator.objects.count() == people == 3
    assert AuditEntry.objects.filter(action="free place").count() == 1
