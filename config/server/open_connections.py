"""How many connections each process of the web server holds, where all of them can see it."""

import mmap
from itertools import count
from weakref import WeakValueDictionary

NOT_SERVING = 0


class OpenConnections:
    """A number for each worker, in memory that is shared with all workers that are forked later.

    It is one more than the number of open connections, or `NOT_SERVING`. The main process gives
    places before it forks, and each worker writes the number of its own place. Once the main
    process has noticed the end of a worker, the next one gets that place.
    """

    def __init__(self) -> None:
        self.numbers = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("i")
        self.workers: WeakValueDictionary[int, object] = WeakValueDictionary()

    def place(self, worker: object) -> int:
        """Return a place that no other worker has."""
        place = next(each for each in count() if each not in self.workers)
        self.workers[place] = worker
        self.numbers[place] = NOT_SERVING
        return place

    def has_fewest(self, place: int) -> bool:
        """Return whether no other serving worker holds fewer connections."""
        own = self.numbers[place]
        return not any(NOT_SERVING < number < own for number in self.numbers)
