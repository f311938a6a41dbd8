"""Hundreds of systems: all pairs are tested, the page stays readable, and limits are said."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.reports.system_comparison.many_systems import MOST_LISTED
from analysis.stats.resampling.permutation import holm
from analysis.stats.systems.paired_tests import paired_mean_difference
from tests.fixtures.report_pages import imported, open_page, tables, words
from tests.fixtures.study_files import write_files

pytestmark = pytest.mark.django_db
SYSTEMS, SEGMENTS = MOST_LISTED + 5, 30
UNRATED = ("m43", "m44")
PAIRS = (SYSTEMS - 2) * (SYSTEMS - 3) // 2
PAGE = "/studies/many/system-comparison/"


def scores() -> np.ndarray:
    """Return a rating of each output, segments × systems; systems differ clearly."""
    generator = np.random.default_rng(7)
    place = np.linspace(20, 80, SYSTEMS)
    return np.round(np.clip(place + generator.normal(0, 6, (SEGMENTS, SYSTEMS)), 0, 100))


def votes() -> list[list[str]]:
    """Return judgements of two outputs on fluency: rings of all rated systems, by three raters."""
    generator = np.random.default_rng(8)
    rows = []
    for rater in range(3):
        for step in (1, 2, 5):
            for one in range(SYSTEMS - 2):
                other = (one + step) % (SYSTEMS - 2)
                gap = (one - other) / 30
                won = generator.random() < 1 / (1 + np.exp(-gap))
                names = f"m{one:02}", f"m{other:02}"
                segment = f"s{(one + step) % SEGMENTS:02}"
                rows.append([segment, *names, f"v{rater}", "fluency", names[0 if won else 1]])
    return rows


def write_study(folder: Path) -> Path:
    """Write a study in which two systems have no rating."""
    values = scores()
    cells = [(f"s{i:02}", f"m{j:02}", i, j) for i in range(SEGMENTS) for j in range(SYSTEMS)]
    files = {
        "segments.csv": [
            ["segment", "source", "source_style", "target_style"],
            *([f"s{n:02}", f"source {n}", "informal", "formal"] for n in range(SEGMENTS)),
        ],
        "outputs.csv": [
            ["segment", "system", "output"],
            *([s, m, f"{m} says {s}"] for s, m, _, _ in cells),
        ],
        "ratings.csv": [
            ["segment", "system", "rater", "aspect", "score"],
            *(
                [s, m, "r1", "content", str(values[i, j])]
                for s, m, i, j in cells
                if m not in UNRATED
            ),
        ],
        "votes.csv": [["segment", "system", "against", "rater", "aspect", "judgement"], *votes()],
        "study.json": {"title": "Many", "scales": {"content": [0, 100]}},
    }
    return write_files(folder, files)


@pytest.fixture(scope="module", autouse=True)
def _many(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    folder = write_study(tmp_path_factory.mktemp("studies") / "many")
    with django_db_blocker.unblock(), imported(folder):
        yield


def test_every_two_systems_are_tested_and_corrected_together(study):
    content = report(study, "system-comparison", Question())["content"]
    names = [entry["system"] for entry in content["systems"]]
    columns = content["pair_columns"]
    assert len(columns["first"]) == PAIRS
    values = scores()
    for place in range(0, PAIRS, 97):
        ends = (names[columns[side][place]] for side in ("first", "second"))
        one, other = (values[:, int(name.removeprefix("m"))] for name in ends)
        alone = paired_mean_difference(one, other)
        found = [columns[key][place] for key in ("difference", "low", "high")]
        expected = [alone.value, alone.interval.low, alone.interval.high]
        assert found == pytest.approx(expected, abs=1e-9)
    of_test = columns["p_values"]["permutation"]
    assert of_test["holm"] == pytest.approx(holm(of_test["p_value"]), abs=1e-12)
    best, worst = content["systems"][0], content["systems"][-1]
    assert best["best"] == 1
    assert best["worst"] < worst["best"] <= SYSTEMS - 2
    assert {entry["system"] for entry in content["left_out"]} == set(UNRATED)
    (fit,) = content["strengths"]
    assert fit["left_out"] == list(UNRATED)
    assert len(fit["systems"]) == SYSTEMS - 2
    assert len(fit["pair_columns"]["holm"]) == PAIRS


def test_the_page_lists_neighbours_and_names_who_was_left_out(study, admin_client):
    page = open_page(admin_client, PAGE)
    shown, said = tables(page), words(page)
    assert len(shown["Systems by human scores"].rows) == SYSTEMS - 2
    assert len(shown["Neighbours in the ranking"].rows) == SYSTEMS - 3
    assert f"All {PAIRS} pairs were tested" in said
    assert "m43 (no output of this system was rated)" in said
    assert "Left out, never compared with another: m43, m44." in said
    assert not any("differences" in (image.get("src") or "") for image in page.iter("img"))
    ids = {element.get("id") for element in page.iter()}
    anchors = {a.get("href") for a in page.iter("a") if (a.get("href") or "").startswith("#pair")}
    assert anchors <= {f"#{name}" for name in ids}
