"""Corpus scores of many sums of counts at once, against sacreBLEU one by one."""

import numpy as np
import pytest

from metrics.scorers.bleu import Bleu
from metrics.scorers.chrf import Chrf, ChrfPlusPlus
from metrics.scorers.perplexity import NgramPerplexity, RelativePerplexity
from metrics.scorers.scorer import Texts
from tests.fixtures.metric_groups import WITH_COUNTS

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "rug", "quickly", ",", "."]
BLEU = [
    {"smooth_method": method, "max_order": order}
    for method in ("exp", "floor", "add-k", "none")
    for order in (1, 3, 4)
]
CHRF = [{}, {"beta": 1}, {"eps_smoothing": True}, {"scale": "100"}]
CASES = [(Bleu, each) for each in BLEU] + [(k, each) for k in (Chrf, ChrfPlusPlus) for each in CHRF]
CASES += [(kind, {}) for kind in WITH_COUNTS if kind not in (Bleu, Chrf, ChrfPlusPlus)]


def sentences(n: int, seed: int) -> list[str]:
    generator = np.random.default_rng(seed)
    return [" ".join(generator.choice(WORDS, generator.integers(1, 8))) for _ in range(n)]


def sums(scorer: object) -> np.ndarray:
    """Sums over subsets of every size, and of nothing."""
    outputs, references = sentences(60, 1), sentences(60, 2)
    outputs[3] = ""
    statistics = scorer.score(Texts.of(outputs, references)).statistics  # type: ignore[attr-defined]
    subsets = np.random.default_rng(3).random((80, 60)) < np.linspace(0, 0.6, 80)[:, None]
    subsets[1:40] = np.eye(60, dtype=bool)[:39]
    return np.asarray(subsets @ statistics)


@pytest.mark.parametrize(("kind", "parameters"), CASES)
def test_counts_of_many_corpora_score_as_sacrebleu_scores_each(kind, parameters) -> None:
    scorer = kind(parameters)
    found = sums(scorer)
    alone = [scorer.corpus_score(row) for row in found]
    assert scorer.corpus_scores(found) == pytest.approx(alone, rel=1e-12, abs=1e-14, nan_ok=True)
    assert np.isnan(alone).any()
    assert scorer.corpus_scores(found.reshape(8, 10, -1)).shape == (8, 10)
    assert scorer.has_corpus_score


def test_pooled_perplexities_are_those_of_each() -> None:
    rows = np.array([[30.0, 10.0], [0.0, 0.0], [12.0, 3.0]])
    found = NgramPerplexity().corpus_scores(rows)
    assert found == pytest.approx([np.exp(3), np.nan, np.exp(4)], nan_ok=True)
    both = RelativePerplexity().corpus_scores(np.array([[30.0, 10.0, 8.0, 4.0]]))
    assert both == pytest.approx([1.0])
