"""Of items per person, people and ratings per item any two give the third."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.designs.preview import LoadError, complete
from annotation.launch.starting import start
from annotation.models import Campaign
from corpus.models import Output, System
from tests.fixtures.campaign_pages import filled, prepared
from tests.fixtures.campaigns import make_study

COUNTS = st.integers(1, 60)


@given(st.integers(1, 500), COUNTS, COUNTS)
def test_people_are_the_fewest_who_do_not_get_more_than_was_stated(screens, ratings, each):
    found = complete(screens, ratings=ratings, each=each)
    assert found.people >= ratings
    assert found.people * each >= screens * ratings
    assert found.people == ratings or (found.people - 1) * each < screens * ratings


@given(st.integers(1, 500), COUNTS, COUNTS)
def test_ratings_are_the_most_that_people_have_time_for(screens, people, each):
    if people * each < screens:
        with pytest.raises(LoadError, match="choose fewer segments"):
            complete(screens, people=people, each=each)
        return
    found = complete(screens, people=people, each=each)
    assert 1 <= found.ratings <= people
    assert found.ratings * screens <= people * each
    assert found.ratings == people or (found.ratings + 1) * screens > people * each


@given(st.integers(1, 500), COUNTS, COUNTS)
def test_whole_teams_share_fixed_batches(screens, ratings, each):
    found = complete(screens, ratings=ratings, each=each, team=0)
    assert found.people % ratings == 0
    assert found.people * each >= screens * ratings


def test_all_three_must_agree_and_one_is_not_enough():
    assert complete(18, people=6, ratings=3, each=9).computed == "each"
    with pytest.raises(LoadError, match="are 9 items for each of 6 annotators, not 10"):
        complete(18, people=6, ratings=3, each=10)
    for given_one in ({"people": 3}, {"ratings": 3}, {"each": 3}, {}):
        with pytest.raises(LoadError, match="state two of the three"):
            complete(18, **given_one)


HOME = "/studies/small/campaigns/"


@pytest.fixture
def study(db):
    return make_study(6, 3)


def words(page) -> str:
    return " ".join(page.content.decode().split())


def test_items_and_people_give_the_ratings_per_item(owner, study):
    address = prepared(owner, study)
    data = filled(owner, address, ratings_per_item="", annotators="6", items_per_person="9")
    assert owner.post(address, data).status_code == 302
    campaign = Campaign.objects.get()
    assert campaign.ratings_per_item == 3
    page = words(owner.get(address))
    assert "18 items × 3 ratings = 54: 6 annotators with 9 items each." in page
    assert "Computed: ratings per item." in page
    assert filled(owner, address)["ratings_per_item"] == [""]
    assert filled(owner, address)["items_per_person"] == ["9"]
    assert len(start(campaign, study.memberships.get().user)) == 6
    for annotator in campaign.annotators.all():
        assert annotator.assignments.filter(item__kind="plain").count() == 9


def add_system(study, name: str, attributes=None, copies: bool = False) -> System:
    """One more system, whose outputs may be the sources."""
    made = System.objects.create(
        study=study, ordinal=study.systems.count(), name=name, attributes=attributes or {}
    )
    sources = list(study.outputs.filter(system__kind="source"))
    Output.objects.bulk_create(
        Output(
            study=study, ordinal=1000 * made.ordinal + place, segment=source.segment, system=made,
            text=source.text if copies else f"{name} {place}", sha256="0" * 64,
        )
        for place, source in enumerate(sources)
    )  # fmt: skip
    return made


def test_baselines_and_copies_are_rated_only_where_they_are_ticked(owner, study):
    baseline = add_system(study, "baseline-shuffled", {"baseline": "shuffled"})
    copy = add_system(study, "unchanged", copies=True)
    address = prepared(owner, study)
    fields = filled(owner, address)
    assert len(fields["systems"]) == 3
    assert not {str(baseline.pk), str(copy.pk)} & set(fields["systems"])
    page = words(owner.get(address))
    assert "baseline-shuffled (baseline: shuffled)" in page
    assert "unchanged (copies its sources)" in page
    owner.post(address, fields)
    assert "18, rated 54 times" in words(owner.get(f"{HOME}pilot/preview/"))
    owner.post(address, fields | {"systems": [*fields["systems"], str(copy.pk)]})
    assert "24, rated 72 times" in words(owner.get(f"{HOME}pilot/preview/"))


def test_a_baseline_that_comes_later_is_not_rated_by_itself(owner, study):
    address = prepared(owner, study)
    owner.post(address, filled(owner, address))
    add_system(study, "baseline-shuffled", {"baseline": "shuffled"})
    add_system(study, "another")
    start(Campaign.objects.get(), study.memberships.get().user)
    items = Campaign.objects.get().items.filter(kind="plain")
    names = items.values_list("first__system__name", flat=True)
    assert set(names) == {"system-0", "system-1", "system-2", "another"}
