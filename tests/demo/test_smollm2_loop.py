"""The loop of writing, judging and rating, by a tiny model in place of SmolLM2."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotator, Submission
from corpus.models import Study
from demo.rate_campaign import NotSimulated, rate_campaign
from demo.smollm2_loop import CAMPAIGN, JUDGES, SLUG, run_loop
from metrics.models import MetricRun
from metrics.resources.loaders import WEIGHTS
from metrics.scorers.scorer import Unavailable
from metrics.weights import smollm2
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.machine import missing
from tests.fixtures.tiny_models import save_causal_model

pytestmark = pytest.mark.django_db
RULES = ("formality-rules",)
ONE_RULE = (
    *("formality-rules", "--name=one-rule", "--parameter=contractions=false"),
    *("--parameter=chat_words=false", "--parameter=punctuation=false"),
)


def test_the_loop_goes_from_sources_to_the_report_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = save_causal_model(tmp_path / "model")
    monkeypatch.setenv("TOUCHSTONE_MODELS", f"tiny={model}")
    judges = [(*options, "--model=tiny") for options in JUDGES]
    said: list[str] = []

    def looped() -> list[str]:
        return run_loop(tmp_path / "loop", said.append, 16, (RULES, ONE_RULE), judges)

    sentences = looped()
    study = Study.objects.get(slug=SLUG)
    assert study.simulated
    assert study.segments.count() == 16
    raters = Annotator.objects.filter(campaign__slug=CAMPAIGN)
    assert sorted(raters.values_list("pseudonym", "submitted")) == [
        (f"simulated rater {number}", 32) for number in (1, 2, 3, 4)
    ]
    assert MetricRun.objects.get().name.startswith("local-judge-content")
    judged = Submission.objects.filter(annotator__kind=Annotator.Kind.MODEL)
    assert judged.count() == 2 * 16
    assert any("local-judge-content" in each and "take the place" in each for each in sentences)
    # Again: nothing is written, judged or rated twice, and the report is the same.
    outputs = study.outputs.count()
    assert looped() == sentences
    assert study.outputs.count() == outputs
    assert judged.count() == 2 * 16
    assert said[-1] == "0 screens rated by simulated raters"


@pytest.mark.nightly
def test_smollm2_itself_goes_through_the_loop(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    try:
        smollm2.converted(tmp_path / WEIGHTS)
    except Unavailable as reason:
        missing(str(reason))
    said: list[str] = []
    run_loop(tmp_path / "loop", said.append, sources=4)
    assert said[-1].endswith("screens rated by simulated raters")
    assert MetricRun.objects.get().content_sha256


def test_people_are_never_simulated_in_a_study_of_real_ratings() -> None:
    campaign, _ = make_campaign(make_study())
    with pytest.raises(NotSimulated, match="not marked as simulated"):
        rate_campaign(campaign)
    assert not Submission.objects.exists()
