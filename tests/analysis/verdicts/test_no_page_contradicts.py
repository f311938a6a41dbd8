"""Of many studies, Findings and reports state the same verdicts, none stronger than its test."""

import numpy as np
import pytest

from analysis.data import matrices
from tests.fixtures.stated_verdicts import check_study
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SYSTEMS = ("alpha", "beta", "gamma", "delta")


def tables(segments, raters, *, gap=0.0, aspects=("content",), missing=(), overlap=1.0):
    """Return the files of a study of which systems differ by a gap, and two metrics follow them."""
    rng = np.random.default_rng(segments + 10 * raters)
    rows = {"outputs.csv": [["segment_id", "system", "output"]]}
    ratings = [["segment_id", "system", "rater", "aspect", "score"]]
    scores = [["segment_id", "system", "metric", "compared_to", "score"]]
    for n in range(segments):
        for place, system in enumerate(SYSTEMS):
            if system in missing and n >= segments * overlap:
                continue
            rows["outputs.csv"].append([f"s{n}", system, f"{system} writes {n}"])
            true = 60 - gap * place + rng.normal(0, 8)
            for aspect in aspects:
                for rater in range(raters):
                    given = np.clip(true + rng.normal(0, 6), 0, 100)
                    ratings.append([f"s{n}", system, f"r{rater}", aspect, f"{given:.0f}"])
            for metric, noise in (("near", 4), ("far", 40)):
                scores.append(
                    [f"s{n}", system, metric, "source", f"{true + rng.normal(0, noise):.3f}"]
                )
    rows["segments.csv"] = [
        ["segment_id", "source"],
        *([f"s{n}", f"source {n}"] for n in range(segments)),
    ]
    declared = {
        "scales": {aspect: [0, 100] for aspect in aspects},
        "metrics": {name: {"orientation": "higher"} for name in ("near", "far")},
    }
    return rows | {"ratings.csv": ratings, "metric_scores.csv": scores, "study.json": declared}


def means(segments):
    """Return a study of which only means of three raters are known."""
    files = tables(segments, 1, gap=8)
    head, *rows = files["ratings.csv"]
    columns = [*(name for name in head if name not in ("rater", "score")), "avg_score", "n_raters"]
    kept = [[segment, system, aspect, score, 3] for segment, system, _, aspect, score in rows]
    return files | {"ratings.csv": [columns, *kept]}


def votes(segments, raters):
    """Return a study whose raters chose the better of two outputs."""
    rng = np.random.default_rng(segments)
    rows = [["segment_id", "model_a", "model_b", "winner", "judge"]]
    for n in range(segments):
        for rater in range(raters):
            first, second = sorted(rng.choice(len(SYSTEMS), 2, replace=False))
            winner = "model_a" if rng.random() < 0.8 else "model_b"
            rows.append([f"s{n}", SYSTEMS[first], SYSTEMS[second], winner, f"r{rater}"])
    kept = {name: tables(segments, 1)[name] for name in ("segments.csv", "outputs.csv")}
    return kept | {"votes.csv": rows, "study.json": {"protocol": "output_against_output"}}


STUDIES = {
    "systems differ": tables(24, 3, gap=8),
    "no difference": tables(24, 3),
    "four segments": tables(4, 2, gap=20),
    "one rater": tables(24, 1, gap=8),
    "two aspects": tables(16, 3, gap=6, aspects=("style", "content")),
    "a system of few outputs": tables(24, 3, gap=8, missing=("delta",), overlap=0.2),
    "means only": means(24),
    "votes only": votes(24, 3),
}


@pytest.mark.parametrize("name", STUDIES)
def test_findings_and_reports_state_one_verdict_no_stronger_than_its_test(name, tmp_path):
    matrices.forget()
    assert import_path(write_files(tmp_path / "small", STUDIES[name])).state == "done"
    check_study("small", is_on_trust=name not in ("one rater", "means only"))
