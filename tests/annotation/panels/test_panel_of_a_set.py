"""A panel that sends people to a set: one place in all tasks, freed and handed on in all."""

import pytest
from django.contrib.auth.models import User

from annotation.launch.starting import start
from annotation.models import Assignment, PanelEntry, Participant, Submission
from annotation.panels.freeing import take_list
from annotation.panels.payment import worked_by
from annotation.panels.statuses import Stated
from tests.annotation.sets.test_campaign_sets import answer_one, make_set
from tests.fixtures.panels import CODES, documented_id, page, sent_by_prolific, with_panel

pytestmark = pytest.mark.django_db


def entry(number: int) -> PanelEntry:
    return PanelEntry.objects.get(identifier=documented_id(number))


@pytest.mark.parametrize("work", ["kept", "withdrawn"])
def test_who_returns_is_replaced_in_every_task(settings, work):
    settings.JOIN_AT_ONCE = 100
    owner = User.objects.create_user("ada")
    together = make_set(owner)
    start(together, owner)
    panel = with_panel(together, work_of_freed=work)
    client = sent_by_prolific(together, 1)
    client.post(f"{client.at}guidelines/read/")
    answer_one(client, client.at)
    sent_by_prolific(together, 2)
    assert CODES["nothing_left"] in sent_by_prolific(together, 3).reply.text

    done = take_list(panel, [Stated(documented_id(1), "RETURNED")], owner)

    assert done.freed == 1
    third = sent_by_prolific(together, 3)
    assert third.reply.status_code == 302
    assert "guidelines" in page(third).lower()
    assert Participant.objects.count() == 3
    gone, came = entry(1).participant, entry(3).participant
    had = Assignment.objects.filter(annotator__participant=gone)
    gets = Assignment.objects.filter(annotator__participant=came)
    kept = (
        0 if work == "withdrawn" else Submission.objects.filter(annotator__participant=gone).count()
    )
    assert gets.count() == had.count() - kept
    assert gets.values("annotator__campaign").distinct().count() == together.campaigns.count()
    [first, *_] = worked_by(panel)
    assert (first.entry, first.ratings) == (entry(1), 1)
