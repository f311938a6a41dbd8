"""Batches of token sequences: of one shape, or padded on the right, and bounded in size."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from metrics.weights.loading import quiet

ROWS_ALIKE, WIDTHS = 8, 4
"""Rows of a batch at most, and what its width is a multiple of, where batches are of few shapes."""


def by_length(lengths: Sequence[int], tokens: int, *, alike: bool = True) -> Iterator[list[int]]:
    """Return rows in batches, the longest first.

    What a model computes of a row depends in the last digits on the shape of its batch: on how far
    the row is padded and how many rows there are, not on what the others hold. Where rows of about
    one length are always as many and padded as far, a text has the same numbers beside whatever
    other texts, in whichever process.

    Parameters
    ----------
    lengths
        Of the rows, in tokens.
    tokens
        What a batch, padded, has at most; a row that is longer is alone.
    alike
        Whether it shall be so: a batch has rows of one width, and one that lacks rows has its first
        row several times. Else rows of all lengths may be together, which is quicker where batches
        are large, as on a GPU.
    """
    rows = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    for width, group in groupby(rows, key=lambda row: padded_width(lengths[row]) if alike else 0):
        waiting = list(group)
        while waiting:
            size = max(1, tokens // max(1, width or lengths[waiting[0]]))
            if alike:
                size = min(ROWS_ALIKE, 1 << (size.bit_length() - 1))
            batch, waiting = waiting[:size], waiting[size:]
            yield batch + batch[:1] * (size - len(batch) if alike else 0)


def padded_width(length: int) -> int:
    """Return how many places a row of so many tokens takes.

    Examples
    --------
    >>> padded_width(5), padded_width(8)
    (8, 8)
    """
    return -(-length // WIDTHS) * WIDTHS


def generated(
    network: Any, tokens: Sequence[int], most_tokens: int, padding: int | None, **options: Any
) -> list[int]:
    """Return the tokens that a network of transformers writes, after those of a causal one.

    Parameters
    ----------
    network
        With `generate`.
    tokens
        What it reads.
    most_tokens
        How many it writes at most.
    padding
        What fills up what it writes.
    options
        How it decodes.
    """
    import torch

    ids = torch.tensor([tokens])
    with torch.inference_mode(), quiet():
        found: list[int] = network.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=most_tokens,
            pad_token_id=padding,
            **options,
        )[0].tolist()
    return found


def padded(
    sequences: Sequence[Sequence[int]], padding: int, limit: int | None = None
) -> tuple[Any, Any]:
    """Return tensors of token ids and of the mask that says which are no padding.

    Parameters
    ----------
    sequences, padding
    limit
        How many places the model has at most.
    """
    import torch

    longest = max(map(len, sequences))
    width = max(longest, min(padded_width(longest), limit or padded_width(longest)))
    ids = torch.full((len(sequences), width), padding, dtype=torch.long)
    mask = torch.zeros((len(sequences), width), dtype=torch.long)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.long)
        mask[row, : len(sequence)] = 1
    return ids, mask


def padded_batches(
    sequences: Sequence[Sequence[int]],
    padding: int,
    limit: int | None,
    *,
    tokens: int,
    device: str = "cpu",
) -> Iterator[tuple[list[int], Any, Any]]:
    """Yield the rows of batches by `by_length`, with their ids and mask by `padded` on a device."""
    lengths = [len(each) for each in sequences]
    for rows in by_length(lengths, tokens, alike=device == "cpu"):
        ids, mask = padded([sequences[row] for row in rows], padding, limit)
        yield rows, ids.to(device), mask.to(device)
