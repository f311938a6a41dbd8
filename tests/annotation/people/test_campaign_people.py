"""People who leave, come later, or whose work is not to count."""

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Annotator, Assignment, Campaign, Item, Rating, Withdrawal
from annotation.queue.handing_out import next_assignments
from corpus.models import AuditEntry, Study
from tests.fixtures.campaigns import following, judge, make_campaign, make_study, read_again, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    matrices.forget()
    return make_study()


def page_of(campaign: Campaign) -> str:
    return f"/studies/small/campaigns/{campaign.slug}/annotators/"


def open_screens(annotator: Annotator) -> int:
    return annotator.assignments.filter(state=Assignment.State.OPEN, lead=True).count()


def places() -> tuple[int, int]:
    """Places taken, and assignments that hold them."""
    taken = sum(Item.objects.values_list("taken", flat=True))
    return taken, Assignment.objects.exclude(state=Assignment.State.EXPIRED).count()


def test_a_newcomer_takes_over_what_somebody_who_left_has_not_judged(owner, study):
    campaign, [first, second] = make_campaign(study, annotators=2)
    judge(first, 5)
    owner.post(f"{page_of(campaign)}{first.pk}/release/")
    assert open_screens(first) == 0
    assert places() == (18 + 5, 18 + 5)
    owner.post(f"{page_of(campaign)}add/", {"count": "1"})
    newcomer = campaign.annotators.get(number=2)
    assert newcomer.assigned == open_screens(newcomer) == 13
    judged = set(first.assignments.filter(state="submitted").values_list("item", flat=True))
    taken_over = set(newcomer.assignments.values_list("item", flat=True))
    assert taken_over.isdisjoint(judged)
    assert places() == (36, 36)
    judge(newcomer, 13)
    judge(second, 18)
    assert set(Item.objects.values_list("taken", flat=True)) == {2}
    assert Rating.objects.counted(study).count() == 36 * 3


def test_nobody_gets_an_item_twice_when_two_who_left_had_the_same(owner, study):
    campaign, people = make_campaign(study, annotators=3)
    for person in people[:2]:
        owner.post(f"{page_of(campaign)}{person.pk}/release/")
    owner.post(f"{page_of(campaign)}add/", {"count": "1"})
    newcomer = campaign.annotators.get(number=3)
    items = list(newcomer.assignments.values_list("item", flat=True))
    assert len(items) == len(set(items)) == 18
    owner.post(f"{page_of(campaign)}add/", {"count": "1"})
    assert places() == (54, 54)
    assert set(Item.objects.values_list("taken", flat=True)) == {3}


def test_who_takes_over_gets_whole_tables_and_controls_with_their_originals(owner, study):
    campaign, [first] = make_campaign(study, annotators=1, config={"table": True})
    judge(first, 2)
    owner.post(f"{page_of(campaign)}{first.pk}/release/")
    owner.post(f"{page_of(campaign)}add/", {"count": "1"})
    newcomer = campaign.annotators.get(number=1)
    assert newcomer.assigned == 4
    assert newcomer.assignments.count() == 4 * 3
    judge(newcomer, 4)
    assert places() == (18, 18)
    controls = {"controls": {"repeats": 2, "degraded": 2}}
    campaign, [first] = make_campaign(study, annotators=1, selection=controls)
    judge(first, 10)
    owner.post(f"{page_of(campaign)}{first.pk}/release/")
    owner.post(f"{page_of(campaign)}add/", {"count": "1"})
    got = campaign.annotators.get(number=1).assignments.select_related("item")
    items = {each.item_id for each in got}
    assert all(each.item.original_id in items for each in got if each.item.original_id)


def test_the_shared_queue_takes_anybody_at_any_time(owner, study):
    campaign, [first] = make_campaign(study, annotators=1, design=Campaign.Design.QUEUE)
    judge(first, 2)
    assert open_screens(first) == 1
    owner.post(f"{page_of(campaign)}{first.pk}/release/")
    assert open_screens(first) == 0
    owner.post(f"{page_of(campaign)}add/", {"count": "2"})
    second, third = campaign.annotators.filter(number__gt=0)
    judge(second, 10)
    judge(third, 5)
    # The last item waits with the second person, who got it with the reply before.
    judge(second, 1)
    assert set(Item.objects.values_list("taken", flat=True)) == {1}
    answers = [each.count() for each in (second.submissions, third.submissions)]
    assert answers == [11, 5]


def test_withdrawn_work_leaves_every_number_and_comes_back(owner, study):
    campaign, [first, second] = make_campaign(study, annotators=2)
    judge(first, 18, lambda _: 10)
    judge(second, 18, lambda _: 90)

    def mean(**asked: str) -> float:
        content = report(Study.objects.get(pk=study.pk), "ranking", Question(**asked))["content"]
        return content["tables"][0]["systems"][0]["raw"]["result"]["value"]

    assert mean() == 50
    address = f"{page_of(campaign)}{first.pk}/"
    assert owner.post(f"{address}withdraw/", {"reason": ""}).status_code == 400
    assert mean() == 50
    owner.post(f"{address}withdraw/", {"reason": "clicked through"})
    assert Rating.objects.counted(study).count() == 18 * 3
    assert mean() == 90
    assert mean(withdrawn="in") == 50
    assert Rating.objects.count() == 36 * 3
    again = owner.post(f"{address}withdraw/", {"reason": "again"}, follow=True)
    assert b"already withdrawn" in again.content
    owner.post(f"{address}count-again/", {"what": "whole"})
    assert mean() == 50
    assert Withdrawal.objects.get().reason == "clicked through"
    words = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(words) == ["withdraw work", "end withdrawal"]


def test_a_withdrawal_that_ends_now_keeps_the_old_work_out(owner, study):
    campaign, [first, _] = make_campaign(study, annotators=2)
    judge(first, 2)
    address = f"{page_of(campaign)}{first.pk}/"
    owner.post(f"{address}withdraw/", {"reason": "misread the guidelines"})
    owner.post(f"{address}count-again/", {"what": "new"})
    assert Rating.objects.counted(study).count() == 0
    judge(first, 1)
    assert Rating.objects.counted(study).count() == 3
    nothing = owner.post(f"{address}count-again/", follow=True)
    assert b"Nothing was changed" in nothing.content


def test_report_pages_offer_withdrawn_work_where_there_is_some(owner, study):
    campaign, [first, second] = make_campaign(study, annotators=2)
    for person in (first, second):
        judge(person, 18)
    assert b"Withdrawn work" not in owner.get("/studies/small/ranking/").content
    owner.post(f"{page_of(campaign)}{first.pk}/withdraw/", {"reason": "left"})
    matrices.forget()
    for kind in ("ranking", "agreement"):
        without = owner.get(f"/studies/small/{kind}/")
        assert b"Withdrawn work" in without.content
        included = owner.get(f"/studies/small/{kind}/?withdrawn=in")
        assert included.context["report"]["counts"]["ratings"] == 36 * 3
        assert without.context["report"]["counts"]["ratings"] == 18 * 3


@pytest.mark.parametrize("design", ["balanced_overlap", "shared_queue"])
@pytest.mark.parametrize("change", ["pause", "close"])
def test_a_campaign_that_is_not_open_hands_out_nothing_and_keeps_what_comes(
    owner, study, design, change
):
    campaign, [first, _] = make_campaign(study, annotators=2, design=design)
    annotator, screen = following(first)
    owner.post(f"/studies/small/campaigns/{campaign.slug}/state/", {"change": change})
    annotator = read_again(first)
    assert next_assignments(annotator) == []
    outcome = send(annotator, screen[0])
    assert outcome.stored
    assert outcome.following == []
    assert not outcome.surplus
