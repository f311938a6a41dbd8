"""Simulated studies whose truth is known."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

TRUTH_SEGMENTS = 60_000
TRUTH_STUDIES = 20


@dataclass(frozen=True)
class Design:
    """A study to simulate: sizes, and what is odd about it.

    `skewed`: what people and metrics see is lognormal, and ratings are rounded and cut off at both
    ends. `heavy_tails`: metrics are less the exponential of less a score, as raw perplexities are.
    `annotators`: batches of segments have panels of their own. `random_systems`: systems are a
    sample too.
    """

    systems: int
    segments: int
    raters: int
    skewed: bool = False
    heavy_tails: bool = False
    missing: float = 0.0
    annotators: int = 0
    random_systems: bool = False

    def __str__(self) -> str:
        """Return the sizes in words."""
        size = f"{self.systems} systems × {self.segments:,} segments × {self.raters} raters"
        odd = ", skewed" if self.skewed else ", heavy tails" if self.heavy_tails else ""
        missing = ", ratings missing" if self.missing else ""
        panel = f", {self.annotators} annotators" if self.annotators else ""
        return size + odd + missing + panel


SMALL = Design(8, 80, 2)
LARGE = Design(15, 1_000, 3)
SKEWED = Design(10, 200, 3, skewed=True, missing=0.25)
DESIGNS = (SMALL, LARGE, SKEWED)
HEAVY_TAILS = Design(10, 200, 3, heavy_tails=True, missing=0.25)
"""Log scores have a standard deviation of 1.4, as GPT-2's perplexities of the lai2022 outputs."""


@dataclass(frozen=True)
class Study:
    """Two metrics (the second is the first with other noise) and ratings."""

    first: np.ndarray
    second: np.ndarray
    ratings: np.ndarray
    batches: np.ndarray | None

    @property
    def human(self) -> np.ndarray:
        """Return the mean of what raters gave, NaN where nobody did."""
        counts = np.isfinite(self.ratings).sum(axis=2)
        sums = np.nansum(self.ratings, axis=2)
        return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def draw(design: Design, rng: np.random.Generator) -> Study:
    """Simulate one study; segments are a sample, systems are the same each time unless random."""
    shape = (design.segments, design.systems)
    fixed = np.random.default_rng(5)
    of_systems = rng if design.random_systems else fixed
    place, favour = of_systems.normal(0, 1, (2, design.systems))
    segment = rng.normal(0, 0.6, (design.segments, 1))
    truth = 0.6 * place + segment + rng.normal(0, 0.8, shape)
    if design.skewed:
        truth = np.exp(0.8 * truth) / 2
    noise = rng.normal(0, 0.7, (*shape, design.raters))
    ratings = truth[:, :, None] + noise
    batches = None
    if design.annotators:
        ratings, batches = _by_annotators(design, truth, rng)
    if design.skewed:
        ratings = np.round(np.clip(ratings, 0, 3) * 2) / 2
    ratings[rng.random(ratings.shape) < design.missing] = np.nan
    metrics = [
        truth + 0.3 * favour + 0.5 * rng.normal(0, 1, shape) + 0.4 * rng.normal(0, 1, (shape[0], 1))
        for _ in range(2)
    ]
    if design.heavy_tails:
        metrics = [-np.exp(-metric) for metric in metrics]
    return Study(metrics[0], metrics[1], ratings, batches)


def _by_annotators(
    design: Design, truth: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Let each batch of segments be rated by a panel of `raters` annotators of its own."""
    ratings = np.full((*truth.shape, design.annotators), np.nan)
    batches = np.arange(design.annotators) // design.raters
    severity = rng.normal(0, 0.4, design.annotators)
    batch_of_segment = np.arange(design.segments) * (batches.max() + 1) // design.segments
    for annotator in range(design.annotators):
        mine = batch_of_segment == batches[annotator]
        noise = rng.normal(0, 0.7, truth[mine].shape)
        ratings[mine, :, annotator] = truth[mine] + severity[annotator] + noise
    return ratings, batches


def endless_design(design: Design) -> Design:
    """Return the design of the very large studies in which the truth of a design is found."""
    if design.random_systems:
        return replace(design, systems=3_000, segments=600, missing=0.0)
    return replace(design, segments=TRUTH_SEGMENTS)


@lru_cache(maxsize=4)
def endless(design: Design, number: int) -> Study:
    """Simulate the `number`th of several studies of an endless design."""
    study = draw(replace(design, annotators=0), np.random.default_rng([99, number]))
    if not design.annotators:
        return study
    # As many panels as segments: a panel's severity is noise between outputs of different panels.
    shape = (design.segments, 1, design.raters)
    panels = np.random.default_rng([98, number]).normal(0, 0.4, shape)
    return replace(study, ratings=study.ratings + panels)
