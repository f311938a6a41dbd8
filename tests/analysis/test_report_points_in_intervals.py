"""No report gives a number outside its own interval: skewed ratings, and nearly perfect ones."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.study_files import imported_study

# In every run `stats/test_stat_centred_draws.py` tests the same of the statistics themselves.
pytestmark = [pytest.mark.nightly, pytest.mark.django_db]
SYSTEMS, SEGMENTS, RATERS = 20, 30, 4
STUDIES = {
    # Noise of a rater, of a metric, and whether scores crowd at the upper end of the scale.
    "near-perfect": (0.05, 0.05, False),
    "skewed": (0.4, 0.6, True),
    "skewed-near-perfect": (0.05, 0.05, True),
}
QUESTIONS = (
    *(("correlation", Question(level="system", resample="segments", interval=interval))
      for interval in ("percentile", "bca", "studentised")),
    *(("correlation", Question(level="system", resample="segments", statistic=statistic))
      for statistic in ("spearman", "kendall-tau-b")),
    ("correlation", Question(level="system", resample="systems")),
    *(("correlation", Question(resample=drawn, level=level))
      for drawn in ("annotators", "segments-and-annotators")
      for level in ("segment", "system")),
    ("correlation", Question(resample="annotators", statistic="tau-like")),
    ("correlation", Question(resample="segments", interval="bca")),
    ("correlation", Question(statistic="tau-like")),
    *((kind, Question(level=level))
      for kind in ("correlation", "subgroups", "comparison")
      for level in ("segment", "system")),
    *((kind, Question()) for kind in ("accuracy", "agreement", "raters", "metric-means")),
    ("agreement", Question(resample="segments")),
    ("agreement", Question(resample="annotators")),
    ("comparison", Question(test="bootstrap", level="system")),
    ("system-comparison", Question(systems=tuple(f"m{n:02}" for n in range(6)))),
)  # fmt: skip


def drawn(noise: float, of_metric: float, skewed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return ratings and two metrics' scores of systems that differ, by segments and systems."""
    generator = np.random.default_rng(11)
    quality = generator.normal(0, 1, SYSTEMS) + generator.normal(0, 0.3, (SEGMENTS, 1))
    truth = quality + generator.normal(0, 0.2, quality.shape)

    def seen(values: np.ndarray) -> np.ndarray:
        return -np.exp(-values) if skewed else values

    ratings = seen(truth[..., None] + generator.normal(0, noise, (*truth.shape, RATERS)))
    errors = generator.normal(0, of_metric, (*truth.shape, 2)) * (1, 6)
    metrics = seen(truth[..., None] + errors)
    low, high = ratings.min(), ratings.max()
    return 100 * (ratings - low) / (high - low), metrics


@pytest.fixture(params=STUDIES)
def study(request, tmp_path) -> Study:
    matrices.forget()
    ratings, metrics = drawn(*STUDIES[request.param])
    cells = [(f"s{i:02}", f"m{j:02}", i, j) for i in range(SEGMENTS) for j in range(SYSTEMS)]
    head = ["segment_id", "system"]
    files: dict[str, Any] = {
        "segments.csv": [
            ["segment_id", "source", "source_style", "target_style", "domain"],
            *(
                [f"s{n:02}", f"source {n}", "informal", "formal", "mail" if n % 2 else "chat"]
                for n in range(SEGMENTS)
            ),
        ],
        "outputs.csv": [[*head, "output"], *([s, m, f"{m} says {s}"] for s, m, _, _ in cells)],
        "ratings.csv": [
            [*head, "rater", "aspect", "score"],
            *(
                [s, m, f"r{r}", "content", f"{ratings[i, j, r]:.3f}"]
                for s, m, i, j in cells
                for r in range(RATERS)
            ),
        ],
        "metric_scores.csv": [
            [*head, "metric", "compared_to", "score"],
            *(
                [s, m, name, "reference", str(metrics[i, j, place])]
                for place, name in enumerate(("bleu", "chrf"))
                for s, m, i, j in cells
            ),
        ],
        "study.json": {
            "title": "Simulated",
            "scales": {"content": [0, 100]},
            "protocol": "direct_assessment",
        },
    }
    return imported_study(tmp_path / "files", files, request.param)


def estimates(content: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every estimate in a report, with the place where it stands."""
    if isinstance(content, dict):
        if content.get("kind") == "estimate":
            yield path, content
        for name, part in content.items():
            yield from estimates(part, f"{path}/{name}")
    elif isinstance(content, list):
        for place, part in enumerate(content):
            yield from estimates(part, f"{path}/{place}")


def test_every_number_lies_inside_its_own_interval(study):
    outside, intervals = [], 0
    for kind, question in QUESTIONS:
        content = report(study, kind, question.but(resamples=100))["content"]
        for place, found in estimates(content):
            if found["interval"]:
                intervals += 1
                low, high = found["interval"]["low"], found["interval"]["high"]
                if not low - 1e-12 <= found["value"] <= high + 1e-12:
                    outside.append((kind, place, found["value"], low, high, found["signature"]))
    assert intervals > 200
    assert not outside, "\n".join(map(str, outside))
