"""What a planned writing comes to, in sentences for page, command and API."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.writing.asking import Outlook
from metrics.writing.requests import PlannedWriting


def sentences(
    planned: PlannedWriting, found: Outlook, prices: tuple[float, float] = (0.0, 0.0)
) -> Iterator[str]:
    """Yield what will be written, what is there, and what the rest is expected to take.

    Parameters
    ----------
    planned, found
    prices
        Of a million tokens read and of a million written, in whatever currency; 0 if not known.
    """
    name = planned.request.name
    yield f"{planned.spec.title}: {found.segments:,} segments, as the system “{name}”."
    if found.published:
        yield f"{found.published:,} of them have an output already and stay as they are."
    if found.kept:
        yield f"{found.kept:,} were written by an earlier attempt and are kept."
    for note in planned.notes:
        yield f"{note[0].upper()}{note[1:]}."
    estimate = found.estimate
    if estimate is None or not found.left:
        return
    yield (
        f"Estimate for the {found.left:,} that are left: {estimate.questions:,} questions, about "
        f"{estimate.tokens_read:,} tokens read and at most {estimate.tokens_written:,} written."
    )
    if any(prices):
        cost = (prices[0] * estimate.tokens_read + prices[1] * estimate.tokens_written) / 1e6
        yield f"At these prices that costs at most {cost:.2f}."
    if estimate.seconds is None:
        yield "How long it takes is known after a first run: try it with a few segments."
    else:
        yield f"Time, as the last run with this model took: {duration(estimate.seconds)}."


def duration(seconds: float) -> str:
    """Say how long something takes, roughly.

    Examples
    --------
    >>> duration(12), duration(600), duration(9000)
    ('about 12 seconds', 'about 10 minutes', 'about 2.5 hours')
    """
    if seconds < 90:
        return f"about {max(1, round(seconds))} seconds"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} minutes"
    return f"about {seconds / 3600:.1f} hours"
