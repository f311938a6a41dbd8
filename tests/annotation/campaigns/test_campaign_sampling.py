"""Which segments a campaign draws: each direction and each chosen attribute has its share."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.designs.segments import stratified_sample
from annotation.models import Campaign
from annotation.selection.pool import build_pool
from corpus.models import Segment
from tests.fixtures.campaign_pages import filled, prepared, signed_in
from tests.fixtures.campaigns import make_study


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=60),
    st.integers(1, 60),
    st.integers(0, 99),
)
def test_each_stratum_gets_its_share_rounded_up_or_down(strata, size, seed):
    rows = stratified_sample(strata, size, seed)
    taken = min(size, len(strata))
    assert len(set(rows.tolist())) == taken
    drawn = Counter(strata[row] for row in rows)
    for stratum, count in Counter(strata).items():
        assert abs(drawn[stratum] - taken * count / len(strata)) < 1


def test_every_row_is_drawn_equally_often():
    strata = ["a"] * 7 + ["b"] * 5 + ["c"] * 3
    draws = 4000
    times = np.zeros(15)
    for seed in range(draws):
        times[stratified_sample(strata, 4, seed)] += 1
    # 4 of 15 rows: the standard error of a share is .007.
    assert np.abs(times[:7] / draws - times[:7].mean() / draws).max() < 0.035
    assert np.abs(times[7:12] / draws - times[7:12].mean() / draws).max() < 0.035
    # Exact shares 28/15, 20/15 and 12/15: one row each, the one left to the largest remainder.
    assert times[:7].sum() / draws == 2
    assert times[7:12].sum() / draws == 1
    assert times[12:].sum() / draws == 1


@pytest.fixture
def mixed(db):
    """Thirty segments: 20 to formal, 10 to informal; a third of each from the domain "mail"."""
    study = make_study(30, 2)
    for place, segment in enumerate(Segment.objects.order_by("ordinal")):
        if place >= 20:
            segment.source_style, segment.target_style = "formal", "informal"
        segment.attributes = {"domain": "mail" if place % 3 == 0 else "chat"}
        segment.save()
    return study


def drawn(campaign: Campaign) -> Counter[tuple[str, str]]:
    """Segments of a campaign by direction and domain."""
    chosen = {screen.segment for screen in build_pool(campaign).screens}
    rows = Segment.objects.filter(pk__in=chosen)
    return Counter((each.target_style, each.attributes["domain"]) for each in rows)


def test_an_owner_may_have_attributes_drawn_in_proportion_too(mixed):
    owner = signed_in("ada", mixed)
    address = prepared(owner, mixed)
    page = owner.get(address).content.decode()
    assert "in proportion to directions" in page
    answer = owner.post(address, filled(owner, address, segments="9", strata=["domain"]))
    assert answer.status_code == 302, answer.context["form"].errors
    campaign = Campaign.objects.get()
    assert campaign.selection["strata"] == ["domain"]
    found = drawn(campaign)
    assert found["formal", "chat"] == 4
    assert found["formal", "mail"] == 2
    assert found["informal", "chat"] == 2
    assert found["informal", "mail"] == 1
