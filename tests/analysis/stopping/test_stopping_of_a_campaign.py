"""A campaign with a stopping rule: sequences in the drawn order, the monitor, the decision."""

import uuid

import pytest
from django.urls import reverse

from analysis.data import matrices
from analysis.stopping.look import look_at
from analysis.stopping.sequences import laid_out
from annotation.designs.segments import segments_in_order
from annotation.designs.stopping import StoppingRule, rule_of
from annotation.models import Campaign, Item, Rating, Submission
from annotation.queue.rounds import LOOK, ask_for_look
from corpus.jobs.worker import run_next
from corpus.models import Job
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study


@pytest.fixture(autouse=True)
def _forget():
    matrices.forget()
    yield
    matrices.forget()


def campaign_with(rule, segments=40, systems=3, protocol="direct_assessment"):
    return make_campaign(
        make_study(segments, systems),
        protocol,
        annotators=1,
        ratings_per_item=1,
        design=Campaign.Design.QUEUE,
        selection={"annotators": 1, "stopping": rule.stored()},
    )


def rate(campaign, annotator, answer, segments=None):
    """Store an answer to every item of some segments, by its systems; `answer` gives it."""
    items = Item.objects.filter(campaign=campaign, kind="plain").select_related(
        "first__system", "second__system", "first__segment"
    )
    if segments is not None:
        items = items.filter(first__segment__in=segments)
    Item.objects.filter(pk__in=items).update(wanted=1, taken=1)
    made = Submission.objects.bulk_create(
        Submission(
            uuid=uuid.uuid4(), item=item, annotator=annotator, revision=1, payload_sha256="0" * 64
        )
        for item in items
    )
    aspects = [question.aspect for question in campaign.rules.questions(campaign.config)]
    ratings = []
    for submission in made:
        given = answer(submission.item)
        if given is None:
            continue
        value = {"choice": given} if isinstance(given, str) else {"value": float(given)}
        ratings += [Rating(submission=submission, aspect=aspect, **value) for aspect in aspects]
    Rating.objects.bulk_create(ratings)
    matrices.forget()


def order_of(campaign):
    segments = list(campaign.items.values_list("first__segment", flat=True))
    return segments_in_order(segments, campaign.seed).tolist()


def number_of(system):
    return int(system.name.removeprefix("system-"))


def first_is_better(item):
    return 90 if number_of(item.first.system) == 0 else 20


@pytest.mark.django_db
def test_segments_enter_in_the_drawn_order_and_only_when_complete():
    campaign, [annotator] = campaign_with(StoppingRule("pairs", "fluency"), segments=12)
    order = order_of(campaign)
    score = {segment: place for place, segment in enumerate(order)}

    def by_place(item):
        return 50 + (score[item.first.segment_id] if number_of(item.first.system) == 0 else 0)

    rate(campaign, annotator, by_place, [*order[:4], *order[5:7]])
    laid = laid_out(campaign, matrices.load(campaign.study), rule_of(campaign.selection))
    assert [each.values.tolist() for each in laid.compared] == [
        [0, 1, 2, 3],
        [0, 1, 2, 3],
        [0, 0, 0, 0],
    ]
    assert (laid.segments, laid.waiting, laid.criterion.bounds) == (12, 2, (-100, 100))
    rate(campaign, annotator, by_place, [order[4]])
    laid = laid_out(campaign, matrices.load(campaign.study), rule_of(campaign.selection))
    assert laid.compared[0].values.tolist() == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.django_db
def test_a_comparison_of_two_outputs_is_a_share_around_one_half():
    rule = StoppingRule("pairs", "overall")
    campaign, [annotator] = campaign_with(rule, segments=4, protocol="output_against_output")
    aspect = campaign.rules.questions(campaign.config)[0].aspect
    campaign.selection["stopping"]["aspect"] = aspect
    campaign.save()
    rate(
        campaign,
        annotator,
        lambda item: "first" if number_of(item.first.system) == 0 else "tie",
    )
    laid = laid_out(campaign, matrices.load(campaign.study), rule_of(campaign.selection))
    found = {(each.first, each.second): each.values.tolist() for each in laid.compared}
    assert found == {(0, 1): [0.5] * 4, (0, 2): [0.5] * 4, (1, 2): [0.0] * 4}
    assert laid.criterion.bounds == (-0.5, 0.5)


@pytest.mark.django_db
def test_the_look_names_what_is_open_and_decides_what_the_queue_needs():
    campaign, [annotator] = campaign_with(StoppingRule("pairs", "fluency"), segments=45)
    rate(campaign, annotator, first_is_better)
    look = look_at(campaign)
    assert look.sentence.startswith("Not yet, after 45 segments: 1 of 3 pairs is not settled.")
    assert [row.state for row in look.rows] == ["open", "told apart", "told apart"]
    assert look.rows[0].name == "system-1 − system-2"
    systems = list(campaign.study.systems.filter(kind="system").values_list("pk", flat=True))
    assert look.decision().pairs == ((systems[1], systems[2]),)


@pytest.mark.django_db
def test_the_job_keeps_the_decision_and_that_the_rule_was_met():
    rule = StoppingRule("pairs", "fluency", margin=60)
    campaign, [annotator] = campaign_with(rule, segments=60)
    rate(campaign, annotator, first_is_better)
    ask_for_look(campaign)
    ask_for_look(campaign)
    run_next()
    job = Job.objects.get(kind=LOOK)
    assert (job.state, job.result) == ("done", {"met": True, "segments": 60}), job.error
    campaign.refresh_from_db()
    assert campaign.stopping["met"]["segments"] == 60
    assert look_at(campaign).sentence == "The rule is met: ratings of 60 segments are enough."


@pytest.mark.django_db
def test_the_monitor_shows_rule_picture_and_sentence(client, django_user_model):
    campaign, [annotator] = campaign_with(StoppingRule("pairs", "fluency", margin=5), segments=15)
    client.force_login(django_user_model.objects.create_superuser("owner"))
    where = [campaign.study.slug, campaign.slug]
    page = client.get(reverse("campaign", args=where)).content.decode()
    assert "Not yet, after 0 segments" in page
    assert "too early to say" in page
    rate(campaign, annotator, first_is_better)
    page = client.get(reverse("campaign", args=where)).content.decode()
    assert "every pair of systems is told apart, or equivalent within ±5, on fluency" in page
    assert "system-1 − system-2" in page
    # The queue goes by an older look, so that a new one was asked for.
    assert Job.objects.filter(kind=LOOK).count() == 1
    picture = client.get(reverse("stopping-sequence", args=[*where, "svg"]))
    assert picture["Content-Type"] == "image/svg+xml"
    stranger = signed_in("stranger")
    assert stranger.get(reverse("stopping-sequence", args=[*where, "svg"])).status_code == 404
    table = client.get(reverse("stopping-sequence", args=[*where, "json"])).json()
    assert table["sources"][1].startswith("stopping-rule|")
    assert table["columns"] == ["units", "estimate", "low", "high"]
    # From where the interval is narrower than the scale.
    assert [row["units"] for row in table["rows"]] == [12, 13, 14, 15]
