"""Batches of token sequences: of like length, padded on the right, and bounded in size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


def by_length(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Return rows in batches, the longest first.

    A batch, padded, has at most so many tokens; a row that is longer is alone.
    """
    rows = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    start = 0
    while start < len(rows):
        size = max(1, most_tokens // max(1, lengths[rows[start]]))
        yield rows[start : start + size]
        start += size


def padded(sequences: Sequence[Sequence[int]], padding: int) -> tuple[Any, Any]:
    """Return tensors of token ids and of the mask that says which are no padding."""
    import torch

    width = max(map(len, sequences))
    ids = torch.full((len(sequences), width), padding, dtype=torch.long)
    mask = torch.zeros((len(sequences), width), dtype=torch.long)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.long)
        mask[row, : len(sequence)] = 1
    return ids, mask
