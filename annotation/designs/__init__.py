"""Who rates what, in which order: pure, and the same for the same seed."""

from annotation.designs.assignment import (
    DESIGNS,
    DesignError,
    Plan,
    balanced_overlap,
    fixed_batches,
    latin_square,
    shared_queue,
)
from annotation.designs.order import SIDES, sides, sides_with_controls, spread
from annotation.designs.preview import Preview, preview
from annotation.designs.sampling import stratified_sample

__all__ = [
    "DESIGNS",
    "SIDES",
    "DesignError",
    "Plan",
    "Preview",
    "balanced_overlap",
    "fixed_batches",
    "latin_square",
    "preview",
    "shared_queue",
    "sides",
    "sides_with_controls",
    "spread",
    "stratified_sample",
]
