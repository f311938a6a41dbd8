"""How long choosing segments takes among very many: scores and texts to a sample with weights."""

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from analysis.stats.saving.diversity import diversity_of_texts
from analysis.stats.saving.segment_choice import mean_rank, variance
from analysis.stats.saving.segment_sample import Way, choose_segments
from benchmarks.figures import show_figure

METRICS, STRATA, CHOSEN, WORDS = 3, 4, 1000, 12
TIMES = 3


def main() -> None:
    """Choose by several metrics, both ways, and measure how far texts differ apart from that."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=100_000)
    parser.add_argument("--systems", type=int, default=10)
    options = parser.parse_args()
    draw = np.random.default_rng(1)
    scores = draw.normal(size=(METRICS, options.segments, options.systems))
    strata = draw.integers(0, STRATA, options.segments).tolist()

    def chosen(way: Way) -> Callable[[], object]:
        def choose() -> object:
            worth = mean_rank([np.sqrt(variance(each)) for each in scores])
            count = min(CHOSEN, options.segments // 2)
            return choose_segments(worth, count, way=way, strata=strata)

        return choose

    show_figure("segment_choice.probability", _fastest(chosen("probability")), "s")
    show_figure("segment_choice.top", _fastest(chosen("top")), "s")
    words = np.array([f"word{number}" for number in range(2000)])

    def texts() -> Iterator[list[str]]:
        for _ in range(options.segments):
            rows = words[draw.integers(0, len(words), (options.systems, WORDS))]
            yield [" ".join(row) for row in rows.tolist()]

    made = list(texts())
    show_figure("segment_choice.diversity", _fastest(lambda: diversity_of_texts(made), 1), "s")


def _fastest(work: Callable[[], Any], times: int = TIMES) -> float:
    """Return the least processor time: all of it is one thread's."""
    seconds = []
    for _ in range(times):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


if __name__ == "__main__":
    main()
