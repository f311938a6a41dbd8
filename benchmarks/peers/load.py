"""Raters who rate at once, without pause, and what they met."""

import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.peers.tool import Rater, Rating

MOST_ERRORS = 5
PAUSE = 0.3
MOST_RATINGS = 1_000_000


@dataclass
class Load:
    """What raters met together.

    Parameters
    ----------
    seconds
        From the start until the last rating was stored.
    times
        From sending each rating until the next item was there, in seconds.
    acknowledged
        Ratings of which the tool said that it has them.
    errors
    stopped
        Set when the server is killed: what fails from then on is no error.
    """

    seconds: float = 0
    times: list[float] = field(default_factory=list)
    acknowledged: list[Rating] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def rate(self) -> float:
        """Return ratings a second."""
        return len(self.times) / self.seconds if self.seconds else 0.0

    def quantile(self, share: float) -> float:
        """Return a quantile of the times in milliseconds."""
        if len(self.times) < 2:
            return 1000 * self.times[0] if self.times else float("nan")
        return (
            1000
            * statistics.quantiles(self.times, n=100, method="inclusive")[round(100 * share) - 1]
        )


def rate(
    raters: Sequence[Rater],
    seconds: float,
    *,
    most: int = MOST_RATINGS,
    meanwhile: Callable[[Load], None] | None = None,
) -> Load:
    """Let all rate at once, until the time is over, no item is left, or the load is stopped.

    Parameters
    ----------
    raters
    seconds
        From the moment at which all of them see their first item.
    most
        How many ratings each gives at most.
    meanwhile
        Called at that moment with the load, which it may stop.
    """
    load = Load()
    ready = threading.Barrier(len(raters) + 1)
    threads = [
        threading.Thread(target=_work, args=(rater, seconds, most, ready, load)) for rater in raters
    ]
    for thread in threads:
        thread.start()
    ready.wait()
    started = time.perf_counter()
    if meanwhile:
        meanwhile(load)
    for thread in threads:
        thread.join()
    load.seconds = time.perf_counter() - started
    return load


def _work(rater: Rater, seconds: float, most: int, ready: threading.Barrier, load: Load) -> None:
    shown = _enter(rater, load)
    ready.wait()
    end, mistakes, given = time.perf_counter() + seconds, 0, 0
    while shown and given < most and mistakes < MOST_ERRORS and not load.stopped.is_set():
        if time.perf_counter() > end:
            break
        rating, begun = Rating(rater.name, rater.item), time.perf_counter()
        try:
            shown = rater.rate()
            load.times.append(time.perf_counter() - begun)
            load.acknowledged.append(rating)
            given += 1
        except Exception as error:  # Whatever it is, the other raters go on.
            if load.stopped.is_set():
                return
            mistakes += 1
            load.errors.append(reason_of(error))
            shown = _enter(rater, load)


def _enter(rater: Rater, load: Load) -> bool:
    """Open the page, and again if it does not come: some servers refuse many who come at once."""
    for _ in range(MOST_ERRORS):
        try:
            return rater.enter()
        except Exception as error:
            load.errors.append(reason_of(error))
            if load.stopped.wait(PAUSE):
                break
    return False


def reason_of(error: Exception) -> str:
    """Return an error as the page shows it."""
    return f"{type(error).__name__}: {error}"[:240]


def over_rated(ratings: Iterable[Rating], wanted: int = 1) -> int:
    """Return the number of items that have more ratings than are wanted."""
    return sum(count > wanted for count in Counter(each.item for each in ratings).values())


def lost(acknowledged: Iterable[Rating], stored: Iterable[Rating]) -> int:
    """Return how many ratings were acknowledged and are not stored."""
    return len(set(acknowledged) - set(stored))
