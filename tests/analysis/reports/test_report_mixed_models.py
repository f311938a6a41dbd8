"""A mixed-effects model beside the tests of systems: chosen by the scale, shown, refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.comparison.cumulative_link import cumulative_link_effects
from analysis.stats.comparison.mixed_effects import MixedModel, mixed_effects
from analysis.stats.resampling.permutation import holm
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import imported, open_page, tables, words
from tests.fixtures.study_files import write_files

pytestmark = pytest.mark.django_db
SYSTEMS, SEGMENTS, RATERS = ("better", "good", "poor"), 16, 3
PAGE = "/studies/mixed/system-comparison/"


def ratings() -> list[list[str]]:
    """Return rows of three aspects: on a Likert scale, on a continuous one, on none."""
    generator = np.random.default_rng(11)
    severe = generator.normal(0, 0.6, RATERS)
    easy = generator.normal(0, 0.8, SEGMENTS)
    rows = []
    for segment in range(SEGMENTS):
        for place, system in enumerate(SYSTEMS):
            text = generator.normal(0, 0.4)
            for rater in range(RATERS):
                latent = 0.9 * (1 - place) + severe[rater] + easy[segment] + text
                latent += generator.normal(0, 1)
                values = {
                    "fluency": int(np.clip(np.round(3 + latent), 1, 5)),
                    "content": int(np.clip(np.round(50 + 12 * latent), 0, 100)),
                    "humour": round(latent, 2),
                }
                rows += [
                    [f"s{segment}", system, f"r{rater}", aspect, str(value)]
                    for aspect, value in values.items()
                ]
    return rows


def write_study(folder: Path) -> Path:
    cells = [(f"s{n}", system) for n in range(SEGMENTS) for system in SYSTEMS]
    files: dict[str, Any] = {
        "segments.csv": [
            ["segment", "source", "source_style", "target_style"],
            *([f"s{n}", f"source {n}", "informal", "formal"] for n in range(SEGMENTS)),
        ],
        "outputs.csv": [
            ["segment", "system", "output"],
            *([segment, system, f"{system} says {segment}"] for segment, system in cells),
        ],
        "ratings.csv": [["segment", "system", "rater", "aspect", "score"], *ratings()],
        "ratings_order.csv": [
            ["segment", "system", "rater", "aspect", "score"],
            *(
                [segment, system, "r9", "overall", str(1 + (place + segment_place) % 3)]
                for segment_place, segment in enumerate(f"s{n}" for n in range(SEGMENTS))
                for place, system in enumerate(SYSTEMS)
            ),
        ],
        "study.json": {
            "title": "Mixed",
            "scales": {"fluency": [1, 5], "content": [0, 100]},
            "protocol": {"ratings_order.csv": "ranking"},
        },
    }
    return write_files(folder, files)


@pytest.fixture(scope="module", autouse=True)
def _mixed(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    folder = write_study(tmp_path_factory.mktemp("studies") / "mixed")
    with django_db_blocker.unblock(), imported(folder):
        yield


def expected(aspect: str) -> MixedModel:
    """Return the model of the rows as they were written, systems in the order of the report."""
    own = [row for row in ratings() if row[3] == aspect]
    codes = [
        np.unique([row[column] for row in own], return_inverse=True)[1] for column in (1, 2, 0)
    ]
    fit = cumulative_link_effects if aspect == "fluency" else mixed_effects
    model = fit(np.array([float(row[4]) for row in own]), *codes, variant={"human": "raw"})
    assert isinstance(model, MixedModel), model
    return model


def content(study: Study, **asked: Any) -> dict[str, Any]:
    found = report(study, "system-comparison", Question(resamples=100, model="mixed", **asked))
    return found["content"]["mixed"]


@pytest.mark.parametrize("aspect", ["fluency", "content"])
def test_a_declared_scale_of_categories_is_ordinal_and_any_other_linear(study, aspect):
    mixed, model = content(study, aspect=aspect), expected(aspect)
    assert mixed["ordinal"] is (aspect == "fluency")
    assert mixed["signature"] == model.signature
    for pair, difference in zip(at_least_one(mixed["pairs"]), model.differences, strict=True):
        assert pair["difference"]["value"] == pytest.approx(difference.value)
        assert pair["difference"]["p_value"] == pytest.approx(difference.p_value)
    corrected = holm([difference.p_value for difference in model.differences])
    assert [pair["adjusted"]["holm"] for pair in mixed["pairs"]] == pytest.approx(corrected)
    assert mixed["variances"] == pytest.approx(model.variances)
    assert mixed["levels"] == {"segments": SEGMENTS, "annotators": RATERS, "outputs": 48}


def test_the_page_shows_both_side_by_side_with_what_is_assumed(study, admin_client):
    page = open_page(admin_client, f"{PAGE}?aspect=fluency&resamples=100&model=mixed")
    said, shown = words(page), tables(page)
    assert "A cumulative-link model (proportional odds) of 144 single ratings" in said
    assert "because the ratings are 5 categories, 1 to 5 as declared" in said
    assert "Proportional odds: two systems differ alike at every point of the scale." in said
    assert "No human-written system is included." in said
    table = shown["Every two systems by the mixed-effects model"]
    assert len(table.rows) == 3
    first = expected("fluency").differences[0]
    shown_first = table.number("Log odds ratio", "better less good")
    assert shown_first.facts["unrounded"] == f"{first.value:.10g}"
    assert shown_first.facts["standard error"] == f"{first.details['standard_error']:.6g}"
    sources = shown["Variance by source"]
    assert len(sources.rows) == 4
    assert "fixed by the logistic distribution" in said
