"""Submissions: stored once, never lost, never doubled, whatever the browser does."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotator, Draft, Rating, Submission
from annotation.protocols.questions import AnswerError
from annotation.queue.handing_out import next_assignments
from annotation.rating.submitting import Conflict, save_draft
from tests.fixtures.campaigns import answers_for, make_campaign, make_study, send
from tests.fixtures.nonempty import at_least_one

pytestmark = pytest.mark.django_db


@pytest.fixture
def annotator() -> Annotator:
    return make_campaign(make_study())[1][0]


@pytest.mark.dialect
def test_a_submission_stores_every_aspect_and_hands_out_the_next_item(annotator):
    [lead] = next_assignments(annotator)
    given = {"style": "70", "content": "55", "fluency": "100"}
    outcome = send(annotator, lead, given, comment=" fine ", active_seconds=12.5)
    assert outcome.stored
    submission = Submission.objects.get()
    assert (submission.comment, submission.active_seconds) == ("fine", 12.5)
    stored = dict(submission.ratings.values_list("aspect", "value"))
    assert stored == {"style": 70, "content": 55, "fluency": 100}
    [following] = outcome.following
    assert following.position == lead.position + 1
    annotator.refresh_from_db()
    assert annotator.submitted == 1


def test_the_same_uuid_with_other_answers_is_refused(annotator):
    [lead] = next_assignments(annotator)
    same = uuid.uuid4()
    send(annotator, lead, id=same)
    with pytest.raises(Conflict, match="reused"):
        send(annotator, lead, answers_for(annotator.campaign, 10), id=same)
    [following] = next_assignments(annotator)
    with pytest.raises(Conflict, match="reused"):
        send(annotator, following, id=same)
    assert Submission.objects.count() == 1
    assert Rating.objects.count() == 3


@pytest.mark.dialect
def test_a_correction_supersedes_and_both_are_kept(annotator):
    [lead] = next_assignments(annotator)
    send(annotator, lead, answers_for(annotator.campaign, 20))
    send(annotator, lead, answers_for(annotator.campaign, 30), revision=2)
    assert Submission.objects.count() == 2
    current = Rating.objects.counted(annotator.campaign.study)
    assert {rating.value for rating in current} == {30}
    assert Annotator.objects.get(pk=annotator.pk).submitted == 1


@pytest.mark.dialect
def test_an_older_draft_does_not_overwrite_a_newer_one(annotator):
    [lead] = next_assignments(annotator)
    assert save_draft(annotator, lead.public_id, 0, {"comment": "desk"}) == 1
    assert save_draft(annotator, lead.public_id, 1, {"comment": "desk, more"}) == 2
    with pytest.raises(Conflict) as conflict:
        save_draft(annotator, lead.public_id, 1, {"comment": "phone"})
    assert conflict.value.draft.answers == {"comment": "desk, more"}
    assert save_draft(annotator, lead.public_id, 1, {"comment": "desk, more"}) == 2


def test_a_draft_that_arrives_after_the_answer_of_its_page_is_not_kept(annotator):
    [lead] = next_assignments(annotator)
    page, late = uuid.uuid4(), {"comment": "half of it"}
    send(annotator, lead, id=page)
    assert save_draft(annotator, lead.public_id, 0, late, page) == 0
    assert not Draft.objects.exists()
    correction = {"comment": "better"}
    save_draft(annotator, lead.public_id, 0, correction, uuid.uuid4())
    save_draft(annotator, lead.public_id, 1, late, page)
    assert Draft.objects.get().answers == correction


def test_a_ranking_is_one_screen_of_up_to_five_outputs_checked_as_a_whole():
    _campaign, [annotator] = make_campaign(make_study(systems=7), "ranking", annotators=1)
    screen = next_assignments(annotator)
    assert len(screen) in (3, 4)
    ranks = [{"overall": str(place + 1)} for place in range(len(screen))]
    with pytest.raises(AnswerError, match="two outputs have place 1"):
        send(annotator, screen[0], *[{"overall": "1"}] * len(screen))
    outcome = send(annotator, screen[0], *ranks)
    assert Submission.objects.count() == len(screen)
    assert sorted(Rating.objects.values_list("value", flat=True)) == [
        float(place + 1) for place in range(len(screen))
    ]
    assert outcome.following[0].position == 1


def test_the_overall_of_an_unchanged_output_counts_six_tenths():
    study = make_study(systems=1, copied="s2")
    campaign, [annotator] = make_campaign(
        study, "likert", annotators=1, config={"six_tenths": True}
    )
    for lead in at_least_one(list(annotator.assignments.select_related("item__first__segment"))):
        send(annotator, lead, answers_for(campaign, 5))
        unchanged = lead.item.first.segment.key == "s2"
        found = dict(
            Rating.objects.filter(submission__item=lead.item).values_list("aspect", "value")
        )
        assert found["overall"] == 5
        assert found["overall_derived"] == (3 if unchanged else 5)


def test_the_number_of_queries_does_not_depend_on_the_size_of_the_campaign():
    counts = []
    for size, slug in ((4, "four"), (40, "forty")):
        _, people = make_campaign(make_study(size, slug=slug), annotators=2)
        [lead] = next_assignments(people[0])
        with CaptureQueriesContext(connection) as queries:
            send(people[0], lead)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 13
