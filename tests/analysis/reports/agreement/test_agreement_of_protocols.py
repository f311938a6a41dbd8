"""Protocol against protocol in the agreement report: content and naturalness, asked in two ways."""

from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Annotator, Campaign, Item, Rating, Submission
from corpus.models import Output, Study
from tests.fixtures.campaigns import make_study

pytestmark = pytest.mark.django_db
SEGMENTS, SYSTEMS = 60, 3
OUTPUTS = SEGMENTS * SYSTEMS
CONTENT, NATURAL = "content, masked against plain texts", "naturalness, relative against absolute"
WORDS = np.array(["first", "second", "tie"])


@pytest.fixture
def study() -> Study:
    matrices.forget()
    return make_study(SEGMENTS, SYSTEMS)


def known(kappa: float, seed: int, answers: tuple[float, ...], raters: int = 3) -> np.ndarray:
    """Answers about every output of raters whose kappa is known: they know the truth, or guess."""
    draw = np.random.default_rng(seed)
    truth = draw.choice(answers, (OUTPUTS, 1))
    guess = draw.choice(answers, (OUTPUTS, raters))
    return np.where(draw.random((OUTPUTS, raters)) < np.sqrt(kappa), truth, guess)


SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)


def rated(
    study: Study,
    protocol: str,
    answers: np.ndarray,
    *,
    aspect: str,
    config: dict[str, Any] | None = None,
    kind: str = "person",
) -> Campaign:
    """Store a campaign with the answers of its raters; NaN where somebody gave none."""
    campaign = Campaign.objects.create(
        study=study,
        slug=f"c{study.campaigns.count()}",
        protocol=protocol,
        config=config or {},
        origin=Campaign.Origin.LIVE,
    )
    outputs = Output.objects.filter(study=study).order_by("ordinal").select_related("system")
    texts = [output for output in outputs if output.system.kind == "system"]
    sources = {o.segment_id: o for o in outputs if o.system.kind == "source"}
    choices = bool(campaign.rules.layout.chooses)
    items = Item.objects.bulk_create(
        Item(
            campaign=campaign,
            first=sources[text.segment_id] if choices else text,
            second=text if choices else None,
        )
        for text in texts
    )
    for number, column in enumerate(answers.T):
        rater = Annotator.objects.create(campaign=campaign, pseudonym=f"r{number}", kind=kind)
        given = np.isfinite(column)
        submissions = Submission.objects.bulk_create(
            Submission(item=item, annotator=rater)
            for item, has in zip(items, given, strict=True)
            if has
        )
        Rating.objects.bulk_create(
            Rating(
                submission=submission,
                aspect=aspect,
                value=None if choices else value,
                choice=WORDS[int(value)] if choices else "",
            )
            for submission, value in zip(submissions, column[given], strict=True)
        )
    matrices.forget()
    return campaign


def masked_and_plain(study: Study, masked: np.ndarray, plain: np.ndarray) -> None:
    for shown, answers in ((True, masked), (False, plain)):
        aspect = "content_preservation"
        rated(study, aspect, answers, aspect=aspect, config={"masked": shown})


def rows_of(study: Study, question: Question | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = report(study, "agreement", question or Question())["content"][
        "protocols"
    ]
    return found


def theirs(table: np.ndarray) -> float:
    return float(fleiss_kappa(aggregate_raters(table.astype(int))[0]))


def test_content_of_masked_and_of_plain_texts_stands_side_by_side_with_the_difference(study):
    masked, plain = known(0.578, 1, SCALE), known(0.132, 2, SCALE)
    masked_and_plain(study, masked, plain)
    kappa, alpha = rows_of(study)
    assert (kappa["comparison"], kappa["first"], kappa["second"]) == (CONTENT, "masked", "plain")
    results = kappa["results"]
    assert results["first"]["value"] == pytest.approx(theirs(masked))
    assert results["second"]["value"] == pytest.approx(theirs(plain))
    assert results["difference"]["value"] == pytest.approx(theirs(masked) - theirs(plain))
    low, high = (results["difference"]["interval"][end] for end in ("low", "high"))
    assert low < 0.578 - 0.132 < high
    assert low > 0
    assert kappa["outputs"] == OUTPUTS
    assert alpha["statistic"] == "alpha-nominal"


@pytest.mark.parametrize("threshold", [3])
def test_relative_and_absolute_naturalness_are_cut_by_the_published_rule(study, threshold):
    absolute, relative = known(0.3, 5, SCALE), known(0.6, 6, (0.0, 1.0))
    rated(study, "absolute_naturalness", absolute, aspect="naturalness")
    rated(study, "relative_naturalness", relative, aspect="naturalness")
    found = {
        (row["threshold"], row["at_threshold"]): row
        for row in rows_of(study)
        if row["statistic"] == "fleiss-kappa"
    }
    assert set(found) == {(cut, rule) for cut in (2, 3) for rule in ("high", "low")}
    for rule, high in (("high", absolute >= threshold), ("low", absolute > threshold)):
        row = found[threshold, rule]
        assert row["comparison"] == NATURAL
        assert row["results"]["first"]["value"] == pytest.approx(theirs(relative))
        assert row["results"]["second"]["value"] == pytest.approx(theirs(high))
        for name in ("second", "difference"):
            parts = row["results"][name]["signature"].split("|")
            assert {f"threshold:{threshold}", f"at-threshold:{rule}"} <= set(parts)
    assert found[threshold, "high"]["second"] == f"absolute, at least {threshold}"
    assert found[threshold, "low"]["second"] == f"absolute, above {threshold}"
