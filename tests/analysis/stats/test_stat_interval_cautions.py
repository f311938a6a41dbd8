"""An interval that rests on fewer units than it held with says so, by the tables of the docs."""

from __future__ import annotations

import re

import pytest

from analysis.stats.resampling import interval_cautions
from analysis.stats.resampling.interval_cautions import caution
from tests.fixtures.machine import ROOT

COVERAGE = ROOT / "docs" / "statistics" / "coverage.md"


@pytest.mark.parametrize(
    ("units", "options", "said"),
    [
        (39, {"drawn": "segments"}, "39 segments"),
        (40, {"drawn": "segments"}, ""),
        (79, {"drawn": "segments", "method": "bca"}, "79 segments"),
        (80, {"drawn": "segments", "method": "bca"}, ""),
        (60, {"drawn": "segments", "level": "system"}, "60 segments"),
        (29, {"drawn": "systems", "level": "system"}, "29 systems"),
        (30, {"drawn": "systems", "level": "system"}, ""),
        (4, {"drawn": "systems", "level": "system", "method": "fisher"}, "4 systems"),
        (5, {"drawn": "systems", "level": "system", "method": "fisher"}, ""),
        (500, {"drawn": "systems"}, "in our simulations"),
        (500, {"drawn": "systems", "level": "system", "method": "bca"}, "in our simulations"),
        (500, {"drawn": "annotators"}, "other annotators of these same outputs"),
        (7, {"drawn": "segments and annotators"}, "fewer annotators than 8"),
        (8, {"drawn": "segments and annotators"}, ""),
    ],
)
def test_the_limit_depends_on_what_is_drawn_and_how(units, options, said):
    words = caution(units, **options)
    assert bool(words) == bool(said)
    assert said in words


def covered(statistic: str, drawn: str, method: str) -> dict[int, float]:
    """Read shares from the documentation by the number of units that vary."""
    found: dict[int, float] = {}
    for line in COVERAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7 and cells[1:4] == [statistic, drawn, method]:
            panel = r", (\d+) annotators" if "annotators" in drawn else ""
            sizes = re.match(rf"(\d+) systems × (\d+) segments × 2 raters{panel}$", cells[0])
            if sizes:
                units = int(sizes[3 if panel else 1 if drawn == "systems" else 2])
                found.setdefault(units, float(cells[4].removesuffix(" %")))
    return found


@pytest.mark.parametrize(
    ("limit", "statistic", "drawn", "method"),
    [
        (interval_cautions.SEGMENTS, "pearson, outputs, pooled", "segments", "percentile"),
        (
            interval_cautions.SEGMENTS,
            "pearson, outputs, grouped by segment",
            "segments",
            "percentile",
        ),
        (interval_cautions.SEGMENTS_BCA, "pearson, outputs, pooled", "segments", "bca"),
        (
            interval_cautions.SEGMENTS_STUDENTISED,
            "pearson, outputs, grouped by segment",
            "segments",
            "studentised",
        ),
        (interval_cautions.SYSTEMS, "pearson, system level", "systems", "percentile"),
        (
            interval_cautions.SYSTEMS_STUDENTISED,
            "pearson, system level",
            "systems",
            "studentised",
        ),
        (
            interval_cautions.SYSTEMS_OF_OUTPUTS_STUDENTISED,
            "pearson, outputs, pooled",
            "systems",
            "studentised",
        ),
        (interval_cautions.FISHER, "pearson, system level", "systems", "Fisher"),
        (interval_cautions.SYSTEMS_OF_OUTPUTS, "pearson, outputs, pooled", "systems", "percentile"),
        (interval_cautions.SYSTEMS_BCA, "pearson, outputs, pooled", "systems", "bca"),
        (
            interval_cautions.BOTH,
            "pearson, outputs, pooled",
            "segments and annotators",
            "percentile",
        ),
    ],
)
def test_limits_are_where_the_documented_simulations_held(limit, statistic, drawn, method):
    shares = covered(statistic, drawn, method)
    assert shares
    held = {units for units, share in shares.items() if share >= interval_cautions.HELD}
    if limit.enough is None:
        assert not held
    else:
        assert limit.enough in held
        assert all(units in held for units in shares if units >= limit.enough)
