"""What every metric gives empty, short and equal texts: as documented, and as in the libraries."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Resources, Texts, Unavailable
from metrics.scorers.spec import EDGE_CASES
from metrics.weights import minilm, wordnet
from tests.fixtures.machine import missing
from tests.fixtures.metric_groups import EMBEDDED, LEXICAL

CAT = "the cat sat on the mat"
CASES = {
    "empty output": ("", CAT),
    "blank output": (" \t", CAT),
    "empty compared text": (CAT, ""),
    "one word": ("ok", "ok"),
    "identical": (CAT, CAT),
}
OF_OUTPUTS = [name for name in CASES if name != "empty compared text"]


class Half:
    """A classifier that is sure of nothing, and likes words."""

    styles, sha256 = ("formal", "informal"), "half"

    def predict(self, texts, segments):
        shares = np.array([1 / (1 + len(text.split())) for text in texts])
        return np.column_stack([shares, 1 - shares])


class Grades(Half):
    styles = ("formality",)

    def predict(self, texts, segments):
        return super().predict(texts, segments)[:, :1]


class Words:
    """A language model that finds every word as likely as a flip of a coin."""

    sha256 = "words"

    def negative_log_likelihood(self, texts, styles):
        units = np.array([1.0 + len(text.split()) for text in texts])
        return units * math.log(2), units


def given(key, case):
    """Return what a metric gives a case, as the documentation writes it."""
    output, compared = CASES[case]
    kind = scorer_class(key)
    graded = "regressor" in kind.spec.needs
    resources = Resources(classifier=Grades() if graded else Half(), language_model=Words())
    texts = Texts.of([output], [compared], sources=[compared], target_styles=["informal"])
    scores = kind({}, resources).score(texts)
    value = scores.values[0, 0]
    assert np.isnan(value) == bool(scores.undefined)
    return "undefined" if np.isnan(value) else f"{round(float(value), 4):.3g}"


def with_words(key):
    if key == "meteor":
        try:
            wordnet.load()
        except Unavailable:
            missing("WordNet (Debian: wordnet-base)")
    return key


def declared(key):
    return dict(zip(EDGE_CASES, scorer_class(with_words(key)).spec.edge_cases, strict=True))


STYLE = [
    *("target-style-probability", "style-accuracy", "style-score", "sti", "sti-share"),
    *("style-change", "transfer-needed", "style-distribution", "length"),
    *("ngram-perplexity", "lstm-perplexity"),
]


@pytest.mark.parametrize("key", [*LEXICAL, *EMBEDDED, *STYLE])
def test_every_metric_gives_what_is_documented(key):
    row = declared(key)
    for case, documented in row.items():
        found = given(key, case)
        if documented == "scored":
            assert found != "undefined", case
        elif documented != "–":
            assert found == documented, case


def sacrebleu(name, **parameters):
    def score(output, reference):
        import sacrebleu.metrics as library

        metric = getattr(library, name)(**parameters)
        return min(float(metric.sentence_score(output, [reference]).score) / 100, 1.0)

    return score


def rouge(name):
    def score(output, reference):
        from rouge_score.rouge_scorer import RougeScorer

        return float(RougeScorer([name]).score(reference, output)[name].fmeasure)

    return score


def meteor(output, reference):
    from nltk.translate.meteor_score import single_meteor_score

    return float(single_meteor_score(reference.split(), output.split(), wordnet=wordnet.load()))


def cosine(output, reference):
    from sentence_transformers import SentenceTransformer, util

    model = SentenceTransformer(str(minilm.folder()))
    return float(util.cos_sim(*model.encode([output, reference])))


def bertscore(output, reference):
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(minilm.folder()), num_layers=6)
    # It reads "" by a method that tokenizers have lost; a text without word pieces is read alike.
    return float(scorer.score([output.strip() or "\u200b"], [reference])[0])


def levenshtein(output, reference):
    from nltk.metrics.distance import edit_distance

    first, second = output.strip(), reference.strip()
    return edit_distance(first, second) / max(len(first), len(second))


LIBRARIES: dict[str, Callable[[str, str], float]] = {
    "bleu": sacrebleu("BLEU", effective_order=True),
    "chrf": sacrebleu("CHRF"),
    "chrf++": sacrebleu("CHRF", word_order=2),
    "ter": sacrebleu("TER"),
    "rouge-1": rouge("rouge1"),
    "rouge-2": rouge("rouge2"),
    "rouge-l": rouge("rougeL"),
    "meteor": meteor,
    "cps": cosine,
    "bertscore": bertscore,
    "edit-distance": levenshtein,
    "length-ratio": lambda output, reference: len(output.split()) / len(reference.split()),
}


@pytest.mark.parametrize("key", LIBRARIES)
def test_the_libraries_give_the_same(key):
    row = declared(key)
    found = {case: round(LIBRARIES[key](*CASES[case]), 4) for case in OF_OUTPUTS}
    assert {case: f"{value:.3g}" for case, value in found.items()} == {c: row[c] for c in found}


TEXTS = [" ".join(CAT.split()[:n]) for n in range(1, 7)] + [f"{CAT} {n} times!" for n in range(60)]


@pytest.mark.parametrize("key", [*LEXICAL, *EMBEDDED])
def test_no_number_rounds_over_its_bound(key):
    scorer = scorer_class(with_words(key))()
    scores = scorer.score(Texts.of(TEXTS, TEXTS))
    assert np.nanmax(scores.values) <= 1
    assert np.nanmin(scores.values) >= 0
    if scorer.has_corpus_score and key not in ("ter",):
        assert scorer.corpus_score(scores.statistics) == 1
        assert scorer.corpus_scores(scores.statistics.cumsum(axis=0)).max() == 1
