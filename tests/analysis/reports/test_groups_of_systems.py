"""Groups of systems by their attributes, on the pages of human and of metric scores."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from analysis.data import matrices
from analysis.data.study_data import SystemColumn
from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.reports.system_groups import compared_groups
from analysis.stats.resampling.bootstrap import Bootstrap
from corpus.models import Study
from tests.fixtures.report_pages import open_page, reader, tables
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
GROUP = {
    "a": "tuned",
    "b": "tuned",
    "c": "prompted",
    "d": "tuned",
    "e": "prompted",
    "f": "prompted",
}


@pytest.fixture
def study(tmp_path: Any) -> Iterator[Study]:
    matrices.forget()
    rng = np.random.default_rng(4)
    cells = [(f"s{n}", name) for n in range(8) for name in GROUP]
    files: dict[str, Any] = {
        "segments.csv": [["segment_id", "source"], *([f"s{n}", f"source {n}"] for n in range(8))],
        "outputs.csv": [["segment_id", "system", "output"], *([*c, f"{c} text"] for c in cells)],
        "ratings.csv": [
            ["segment_id", "system", "rater", "aspect", "score"],
            *([*c, r, "content", int(rng.integers(0, 101))] for c in cells for r in ("r1", "r2")),
        ],
        "metric_scores.csv": [
            ["segment_id", "system", "metric", "score"],
            *([*cell, "chrf", round(float(rng.random()), 3)] for cell in cells),
        ],
        "study.json": {
            "systems": [{"system": name, "group": group} for name, group in GROUP.items()],
            "scales": {"content": [0, 100]},
        },
    }
    job = import_path(write_files(tmp_path / "small", files), slug="small")
    assert job.state == "done", job.error
    yield job.study
    matrices.forget()


@pytest.mark.parametrize(
    ("kind", "of"),
    [
        ("system-comparison", "ratings"),
        pytest.param("metric-means", "metric_scores", marks=pytest.mark.nightly),
    ],
)
def test_both_pages_show_means_of_groups_and_their_difference(
    study: Study, tmp_path: Any, kind: str, of: str
) -> None:
    content = report(study, kind, Question(resamples=200))["content"]
    [groups] = content["groups"]
    by_system: dict[str, list[float]] = {}
    for line in (tmp_path / "small" / f"{of}.csv").read_text().splitlines()[1:]:
        by_system.setdefault(line.split(",")[1], []).append(float(line.split(",")[-1]))
    expected = {
        group: np.mean([np.mean(by_system[name]) for name in GROUP if GROUP[name] == group])
        for group in ("tuned", "prompted")
    }
    assert {m["group"]: m["result"]["value"] for m in groups["means"]} == pytest.approx(expected)
    [difference] = groups["differences"]
    sign = 1 if difference["first"] == "tuned" else -1
    gap = sign * (expected["tuned"] - expected["prompted"])
    assert difference["result"]["value"] == pytest.approx(gap)
    assert difference["result"]["interval"]["method"].endswith("systems and segments")
    assert difference["holm"] == difference["result"]["p_value"] >= 2 / 20
    page = open_page(reader("ada", "small"), f"/studies/small/{kind}/?resamples=200")
    shown = tables(page)
    assert {cells[0].text for _, cells in shown["Groups by group"].rows} == {"tuned", "prompted"}
    [(_, cells)] = shown["Differences between groups by group"].rows
    assert cells[1].numbers[0].facts["unrounded"] == f"{difference['result']['value']:.10g}"
    table = reader("bob", "small").get(
        f"/studies/small/{kind}/tables/group-differences.csv?resamples=200"
    )
    assert f"{difference['result']['value']!r}" in table.content.decode()


def test_only_attributes_that_put_some_systems_together_and_not_all_are_compared() -> None:
    attributes = [
        {"group": g, "same": "x", "name": str(n), "kind": g.upper(), "baseline": g}
        for n, g in enumerate("aabba")
    ]
    systems = [SystemColumn(str(n), False, each) for n, each in enumerate(attributes)]
    found = compared_groups(systems, np.random.default_rng(1).random((6, 5)), Bootstrap(100))
    assert [each.attribute for each in found] == ["group"]
