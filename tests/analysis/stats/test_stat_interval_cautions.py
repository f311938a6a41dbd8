"""An interval that rests on fewer units than it held with says so, by the tables of the docs."""

from __future__ import annotations

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


def covered(heading: str, column: str) -> dict[int, float]:
    """Read shares from the documentation by the number of units that vary."""
    section = COVERAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    place = head.index(column)
    return {int(row[0]): float(row[place].removesuffix(" %")) for row in rows}


FEW, SYSTEMS, ANNOTATORS = (
    "How many segments are enough",
    "Resampling systems",
    "Resampling annotators",
)


@pytest.mark.parametrize(
    ("limit", "heading", "column"),
    [
        (interval_cautions.SEGMENTS, FEW, "pooled, percentile"),
        (interval_cautions.SEGMENTS, FEW, "by segment, percentile"),
        (interval_cautions.SEGMENTS_BCA, FEW, "pooled, BCa"),
        (interval_cautions.SEGMENTS_STUDENTISED, FEW, "by segment, studentised"),
        (interval_cautions.SYSTEMS, SYSTEMS, "system level, percentile"),
        (interval_cautions.SYSTEMS_STUDENTISED, SYSTEMS, "system level, studentised"),
        (interval_cautions.SYSTEMS_OF_OUTPUTS_STUDENTISED, SYSTEMS, "outputs, studentised"),
        (interval_cautions.FISHER, SYSTEMS, "system level, Fisher"),
        (interval_cautions.SYSTEMS_OF_OUTPUTS, SYSTEMS, "outputs, percentile"),
        (interval_cautions.SYSTEMS_BCA, SYSTEMS, "outputs, BCa"),
        (interval_cautions.BOTH, ANNOTATORS, "segments and annotators, percentile"),
    ],
)
def test_limits_are_where_the_documented_simulations_held(limit, heading, column):
    shares = covered(heading, column)
    assert shares
    held = {units for units, share in shares.items() if share >= interval_cautions.HELD}
    if limit.enough is None:
        assert not held
    else:
        assert limit.enough in held
        assert all(units in held for units in shares if units >= limit.enough)
