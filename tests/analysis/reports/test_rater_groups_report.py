"""Whom a metric represents, and judges beside distributions: from files to the page."""

import numpy as np
import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.rater_models.distributions import manhattan, mass_of_numbers, wasserstein
from annotation.models import Annotator
from corpus.models import Study
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SEGMENTS = 80
NATIVE = {"ann": "yes", "ben": "yes", "cem": "no", "dia": "no"}
MODELS = ("near-judge", "far-judge")
POINTS = np.arange(1.0, 6)
TABLE = "Metrics by their correlation with each group of raters"
DISTANCES = "Judges and metrics by their distance from the distribution of human answers"


def kind_of(who):
    return "model" if who in MODELS else "person"


def rounded(values):
    return np.clip(np.round(values), 1, 5)


@pytest.fixture(scope="module")
def given():
    generator = np.random.default_rng(4)
    formal, plain = generator.normal(3, 1, (2, SEGMENTS))
    found = {
        who: rounded((formal if native == "yes" else plain) + generator.normal(0, 0.5, SEGMENTS))
        for who, native in NATIVE.items()
    }
    found["near-judge"] = rounded(np.mean([found[who] for who in NATIVE], axis=0))
    found["far-judge"] = np.where(generator.random(SEGMENTS) < 0.5, 1.0, 5.0)
    return found, formal


@pytest.fixture
def study(tmp_path, given) -> Study:
    matrices.forget()
    answers, metric = given
    import_path(
        write_files(
            tmp_path / "small",
            {
                "outputs.csv": [
                    ["segment_id", "source", "system", "output"],
                    *([f"s{n}", f"source {n}", "one", f"one {n}"] for n in range(SEGMENTS)),
                ],
                "ratings.csv": [
                    ["segment_id", "system", "rater", "rater_kind", "aspect", "score"],
                    *(
                        [f"s{n}", "one", who, kind_of(who), "fluency", f"{value:g}"]
                        for who, own in answers.items()
                        for n, value in enumerate(own)
                    ),
                ],
                "study.json": {"metrics": {"formal-words": {"orientation": "higher"}}},
                "metric_scores.csv": [
                    ["segment_id", "system", "metric", "aspect", "score"],
                    *(
                        [f"s{n}", "one", "formal-words", "fluency", repr(float(value))]
                        for n, value in enumerate(metric)
                    ),
                ],
            },
        )
    )
    for who, native in NATIVE.items():
        Annotator.objects.filter(pseudonym=who).update(about={"native": native})
    matrices.forget()
    yield Study.objects.get(slug="small")
    matrices.forget()


def test_the_page_says_whom_a_metric_follows(study, given):
    page = open_page(reader("ria", "small"), "/studies/small/rater-groups/?resamples=100")
    rows = {cells[0].text.split()[0]: cells for _, cells in tables(page)[TABLE].rows}
    assert set(rows) == {"formal-words", "near-judge", "far-judge", "Mean"}
    said = words(page)
    assert "formal-words correlates" in said
    assert "than with the other raters of fluency" in said
    assert "each answer to “native”" in said

    answers, metric = given
    content = report(study, "rater-groups", Question(resamples=100))["content"]
    [row] = [each for each in content["rows"] if each["metric"] == "formal-words"]
    found = {each["group"]: each for each in row["groups"]}
    r = {who: np.corrcoef(metric, answers[who])[0, 1] for who in NATIVE}
    natives, others = np.mean([r["ann"], r["ben"]]), np.mean([r["cem"], r["dia"]])
    assert found["yes"]["correlation"]["value"] == pytest.approx(natives)
    assert found["no"]["difference"]["value"] == pytest.approx(others - natives)
    assert found["yes"]["difference"]["interval"]["low"] > 0


def test_judges_are_scored_against_the_distribution_of_answers(study, given):
    answers, _ = given
    content = report(study, "rater-groups", Question(resamples=100))["content"]
    found = {each["name"]: each["results"] for each in content["judged"]}
    human = np.mean([mass_of_numbers(answers[who], POINTS) for who in NATIVE], axis=0)
    for judge in MODELS:
        mass = mass_of_numbers(answers[judge], POINTS)
        [name] = [each for each in found if each.startswith(judge)]
        expected = wasserstein(mass, human, POINTS).mean()
        assert found[name]["wasserstein"]["value"] == pytest.approx(expected)
        assert found[name]["manhattan"]["value"] == pytest.approx(manhattan(mass, human).mean())
    both = np.mean([mass_of_numbers(answers[judge], POINTS) for judge in MODELS], axis=0)
    together = found["all models"]["wasserstein"]["value"]
    assert together == pytest.approx(wasserstein(both, human, POINTS).mean())
    alone = [
        wasserstein(
            mass_of_numbers(answers[who], POINTS),
            np.mean([mass_of_numbers(answers[o], POINTS) for o in NATIVE if o != who], axis=0),
            POINTS,
        )
        for who in NATIVE
    ]
    assert found["other raters"]["wasserstein"]["value"] == pytest.approx(np.mean(alone))
    page = open_page(reader("ria", "small"), "/studies/small/rater-groups/?resamples=100")
    names = [cells[0].text for _, cells in tables(page)[DISTANCES].rows]
    assert names[-1].startswith("All answers equally often")
    assert "near-judge on fluency (models) comes nearest" in words(page)
