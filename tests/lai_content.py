"""Human judgements of content in lai2022, one number an output, REF included."""

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np

from analysis.stats.systems.human_scores import z_scores
from metrics.scorers.scorer import Texts


def outputs_and_sources(studies: Path) -> Texts:
    """Return the 720 outputs with their sources."""
    sources = {row["segment_id"]: row["source"] for row in _rows(studies, "segments")}
    rows = _rows(studies, "outputs")
    return Texts.of([row["output"] for row in rows], [sources[row["segment_id"]] for row in rows])


def mean_z_of_content(studies: Path) -> np.ndarray:
    """Return the mean z-score of each output, in the same order."""
    ratings = [row for row in _rows(studies, "ratings") if row["aspect"] == "content"]
    raters = sorted({row["rater"] for row in ratings})
    scaled = z_scores(
        [float(row["score"]) for row in ratings], [raters.index(row["rater"]) for row in ratings]
    ).values
    found = defaultdict(list)
    for row, z in zip(ratings, scaled, strict=True):
        found[row["segment_id"], row["system"]].append(z)
    rows = _rows(studies, "outputs")
    return np.array([np.mean(found[row["segment_id"], row["system"]]) for row in rows])


def _rows(studies: Path, table: str) -> list[dict[str, str]]:
    with (studies / "lai2022" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
