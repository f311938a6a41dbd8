"""The loop of writing, judging and rating, by a tiny model in place of SmolLM2."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotator, Submission
from config.benchmark.recipe import RecipeError, recipe_of
from corpus.models import Study
from demo import smollm2_loop
from demo.rate_campaign import NotSimulated, rate_campaign
from demo.smollm2_loop import CAMPAIGN, RECIPE, SLUG, run_loop
from metrics.models import MetricRun
from metrics.resources.loaders import WEIGHTS
from metrics.scorers.scorer import Unavailable
from metrics.weights import smollm2
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.machine import missing
from tests.fixtures.tiny_models import save_causal_model

pytestmark = pytest.mark.django_db
SMALL = """
studies = ["smollm2-loop"]
owner = "smollm2-loop"

[[writers]]
writer = "formality-rules"

[[writers]]
writer = "formality-rules"
name = "one-rule"
parameters = { contractions = false, chat_words = false, punctuation = false }

[[campaigns]]
protocol = "likert"
name = "simulated-raters"

[[judges]]
campaign = "simulated-raters"
aspect = "content"
model = "tiny"
guidelines = false

[[judges]]
model = "tiny"
"""


def test_the_loop_goes_from_sources_to_the_report_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = save_causal_model(tmp_path / "model")
    monkeypatch.setenv("TOUCHSTONE_MODELS", f"tiny={model}")
    recipe = tmp_path / "small.toml"
    recipe.write_text(SMALL, encoding="utf-8")
    said: list[str] = []
    sentences = run_loop(tmp_path / "loop", said.append, sources=16, recipe=recipe)
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
    again: list[str] = []
    assert run_loop(tmp_path / "loop", again.append, sources=16, recipe=recipe) == sentences
    assert [line.split(":")[0] for line in again[:-1]] == ["done before"] * 5
    assert again[-1] == "0 screens rated by simulated raters"


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


def test_the_recipe_of_the_loop_is_one_and_misspelt_judges_are_named() -> None:
    recipe = recipe_of(tomllib.loads(RECIPE.read_text(encoding="utf-8")))
    assert recipe.judges[0]["aspect"] == smollm2_loop.ASPECT
    assert recipe.judges[1] == {}
    with pytest.raises(RecipeError, match="judges 1: no 'modle'"):
        recipe_of({"studies": ["a"], "judges": [{"modle": "x"}]})


def test_people_are_never_simulated_in_a_study_of_real_ratings() -> None:
    campaign, _ = make_campaign(make_study())
    with pytest.raises(NotSimulated, match="not marked as simulated"):
        rate_campaign(campaign)
    assert not Submission.objects.exists()
