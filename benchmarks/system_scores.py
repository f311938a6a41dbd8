"""Paired tests of systems by corpus BLEU and chrF beside sacreBLEU's, in one run.

    python -m benchmarks.system_scores

8 systems × 500 segments, 1,000 draws. Both count n-grams of the same texts first. sacreBLEU
compares 7 systems with one baseline; ours compares every two of the 8, that is 28 pairs: the ratio
is of whole runs, not of pairs. "cpu" is processor time; the best of three runs counts.
"""

import time
from collections.abc import Callable

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.significance import PairedTest

from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import Permutation
from analysis.stats.systems.paired_system_scores import compare_pairs
from analysis.stats.systems.system_scores import corpus_scores, system_scores
from metrics.scorers.bleu import Bleu
from metrics.scorers.chrf import Chrf
from metrics.scorers.scorer import Texts

SYSTEMS, SEGMENTS, DRAWS, REPEATS = 8, 500, 1_000, 3
WORDS = [f"word{number}" for number in range(300)]


def made_up() -> tuple[list[list[str]], list[str]]:
    """Outputs of systems that differ in how many words of the reference they change."""
    generator = np.random.default_rng(1)
    references, systems = [], [[] for _ in range(SYSTEMS)]
    for _ in range(SEGMENTS):
        words = generator.choice(WORDS, generator.integers(8, 25))
        references.append(" ".join(words))
        for place, outputs in enumerate(systems):
            is_changed = generator.random(len(words)) < 0.2 + 0.02 * place
            drawn = generator.choice(WORDS, len(words))
            outputs.append(" ".join(np.where(is_changed, drawn, words)))
    return systems, references


def ours(scorer: Bleu | Chrf, systems: list[list[str]], references: list[str]) -> list[float]:
    """Return the scores after both tests of every two systems."""
    counts = [scorer.score(Texts.of(outputs, references)).statistics for outputs in systems]
    summed = corpus_scores(np.stack(counts, axis=1), scorer.corpus_scores)
    [results] = system_scores([summed], Bootstrap(DRAWS))
    compare_pairs(summed, Bootstrap(DRAWS), Permutation(DRAWS))
    return [result.to_dict()["value"] for result in results]


def theirs(metric: BLEU | CHRF, systems: list[list[str]], references: list[str]) -> list[float]:
    """Return the scores after both tests of all systems with the first."""
    named = [(f"system {place}", outputs) for place, outputs in enumerate(systems)]
    found = []
    for test in ("bs", "ar"):
        _, results = PairedTest(named, {"it": metric}, [references], test, DRAWS)()
        [name] = set(results) - {"System"}
        found = [result.score for result in results[name]]
    return found


def seconds(run: Callable[[], list[float]]) -> tuple[float, list[float]]:
    """Return the least processor time of some runs, and the scores."""
    best, scores = float("inf"), []
    for _ in range(REPEATS):
        started = time.process_time()
        scores = run()
        best = min(best, time.process_time() - started)
    return best, scores


def main() -> None:
    """Print the table."""
    systems, references = made_up()
    cases = ((Bleu({"scale": "100"}), BLEU(), "BLEU"), (Chrf({"scale": "100"}), CHRF(), "chrF"))
    print("| metric | ours, 28 pairs: cpu s | sacreBLEU, 7 pairs: cpu s | ratio |")
    print("| --- | --- | --- | --- |")
    for scorer, metric, name in cases:
        own, scores = seconds(lambda s=scorer: ours(s, systems, references))
        other, expected = seconds(lambda m=metric: theirs(m, systems, references))
        np.testing.assert_allclose(scores, expected, atol=1e-9)
        print(f"| {name} | {own:.2f} | {other:.2f} | {other / own:.1f} |")


if __name__ == "__main__":
    main()
