"""Models trained on the published corpora, tried on what people said of the published studies."""

import csv
import gzip
import io
from decimal import Decimal

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from analysis.stats.correlation.pearson import pearson_r
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Resources, Texts
from metrics.scorers.style_transfer_intensity import direction_corrected_emd
from metrics.styles.labelled import LabelledTexts
from metrics.styles.lexicon_training import style_words, word_weights
from metrics.styles.training import Recipe, chosen_texts, train_on_corpus
from tests.fixtures.style_texts import silent

MODELS = ("CAAE", "ARAE", "DAR")


def rows(path):
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture(scope="module")
def yelp(corpora):
    found = rows(corpora / "yelp_sentiment.csv.gz")
    return LabelledTexts.of([row["text"] for row in found], [row["style"] for row in found])


class Mir:
    """Texts and mean ratings of the sentiment study."""

    def __init__(self, folder):
        self.segments = {row["segment_id"]: row for row in rows(folder / "segments.csv")}
        self.outputs = rows(folder / "outputs.csv")
        self.human = {
            (row["segment_id"], row["system"]): float(row["score"])
            for row in rows(folder / "ratings_mean.csv")
            if row["aspect"] == "style_transfer_intensity"
        }

    @property
    def texts(self):
        """Everything that is scored."""
        sources = [segment["source"] for segment in self.segments.values()]
        return sources + [row["output"] for row in self.outputs]

    def intensities(self, classifier, model):
        """All outputs of all settings of a model, and their STI."""
        scorer = scorer_class("sti")(resources=Resources(classifier=classifier))
        numbers = {key: number for number, key in enumerate(self.segments)}
        chosen = [row for row in self.outputs if row["system"].startswith(model)]
        segments = [self.segments[row["segment_id"]] for row in chosen]
        texts = Texts.of(
            [row["output"] for row in chosen],
            [segment["source"] for segment in segments],
            target_styles=[segment["target_style"] for segment in segments],
            segments=[numbers[row["segment_id"]] for row in chosen],
        )
        return chosen, scorer.score(texts).values[:, 0]

    def correlations(self, classifier):
        """Pearson of STI with people over all outputs of all settings of each model."""
        found = {}
        for model in MODELS:
            chosen, scored = self.intensities(classifier, model)
            people = [self.human[row["segment_id"], row["system"]] for row in chosen]
            there = ~np.isnan(scored)
            found[model] = pearson_r(scored[there], np.array(people)[there])
        return found


@pytest.fixture(scope="module")
def mir(studies):
    return Mir(studies / "mir2019")


class Released:
    """A classifier of the study, as its released distributions tell it; texts are places."""

    styles = ("negative", "positive")
    sha256 = "released"

    def __init__(self, folder, name):
        self.known = {
            f"{row['segment_id']} {row['system']}": (
                Decimal(row["p_negative"]),
                Decimal(row["p_positive"]),
            )
            for row in rows(folder / "style_distributions.csv.gz")
            if row["classifier"] == name
        }

    def predict(self, texts, segments):
        return np.array([self.known[text] for text in texts], dtype=float)


@pytest.mark.parametrize("name", ["fasttext", "textcnn"])
def test_released_distributions_give_every_intensity_of_the_study(studies, mir, name):
    released = Released(studies / "mir2019", name)
    sources = [f"{row['segment_id']} (source)" for row in mir.outputs]
    outputs = [f"{row['segment_id']} {row['system']}" for row in mir.outputs]
    styles = [mir.segments[row["segment_id"]]["target_style"] for row in mir.outputs]
    target = [released.styles.index(style) for style in styles]
    expected = []
    for source, output, column in zip(sources, outputs, target, strict=True):
        p, q = released.known[source], released.known[output]
        half = sum(abs(after - before) for before, after in zip(p, q, strict=True)) / 2
        expected.append(float(-half if q[column] < p[column] else half))
    assert len(expected) == 2928
    p, q = released.predict(sources, []), released.predict(outputs, [])
    exactly = direction_corrected_emd(p, q, target, unequal_mass="mean")
    np.testing.assert_allclose(exactly, expected, rtol=0, atol=5e-7)
    # The metric takes the larger of two sums, which differ where probabilities sum to no one.
    scorer = scorer_class("sti")(resources=Resources(classifier=released))
    found = scorer.score(Texts.of(outputs, sources, target_styles=styles)).values[:, 0]
    gap = max(np.abs(each.sum(axis=1) - 1).max() for each in (p, q))
    assert gap < 0.01
    np.testing.assert_allclose(found, expected, rtol=0, atol=gap)


def trained_on_yelp(yelp, mir, kind, most, **settings):
    recipe = Recipe(kind, settings, texts=most)
    texts, left_out = chosen_texts(yelp, recipe, mir.texts)
    assert left_out.of_the_study == 76
    return train_on_corpus(texts, left_out, recipe, silent)


@pytest.mark.parametrize(
    ("kind", "most", "settings", "accuracy"),
    [
        pytest.param("bag-of-words", 6600, {}, 0.88, marks=pytest.mark.nightly),
        pytest.param("bag-of-words", 60_000, {}, 0.94, marks=pytest.mark.nightly),
        pytest.param("embeddings", 3000, {}, 0.86, marks=pytest.mark.nightly),
        pytest.param("transformer", 700, {"batch": 16}, 0.80, marks=pytest.mark.nightly),
    ],
    ids=["words", "words-of-many", "embeddings", "fine-tuned"],
)
def test_trained_classifiers_track_peoples_judgement_of_intensity(
    yelp, mir, kind, most, settings, accuracy
):
    trained = trained_on_yelp(yelp, mir, kind, most, **settings)
    assert trained.quality.accuracy > accuracy
    correlations = mir.correlations(trained.model)
    print(kind, most, trained.quality.accuracy, correlations)  # noqa: T201
    assert np.mean(list(correlations.values())) >= 0.48


# The lexicon rule


def test_the_lexicon_rule_is_a_direct_computation_on_full_weights(yelp):
    some = yelp.take(np.arange(0, len(yelp), 60))
    found = word_weights(some)
    weights = found.weights[0]
    words = {word.word: word for word in style_words(found)}
    present = [weight for weight in weights.tolist() if weight != 0]
    mean = sum(present) / len(present)
    deviation = (sum((weight - mean) ** 2 for weight in present) / len(present)) ** 0.5
    expected = {
        word: weight
        for word, weight in zip(found.words, weights.tolist(), strict=True)
        if weight != 0 and not mean - 2 * deviation <= weight <= mean + 2 * deviation
    }
    assert {word: each.weight for word, each in words.items()} == expected
    assert 10 < len(expected) < len(present) / 4  # As Chebyshev has it.
    assert words["great"].style == "positive"
    assert words["worst"].style == "negative"
    split = CountVectorizer(token_pattern=r"\S+")
    counts = split.fit_transform(some.texts).astype(bool)
    column = split.vocabulary_["great"]
    for style in (0, 1):
        standing = int(counts[some.columns == style][:, [column]].sum())
        assert words["great"].texts[style] == standing


def test_the_released_lexicon_can_have_come_from_the_rule(studies):
    released = rows(studies / "mir2019" / "style_lexicon.csv")
    weights = np.array([float(row["weight"]) for row in released])
    assert len(weights) == 433
    # A cut on each side: their middle is the mean of the non-zero weights, which is not zero, and
    # a fourth of their distance the standard deviation.
    low, high = weights[weights < 0].max(), weights[weights > 0].min()
    mean, deviation = (low + high) / 2, (high - low) / 4
    assert mean == pytest.approx(-0.41, abs=0.01)
    assert deviation == pytest.approx(2.17, abs=0.01)
    # Under these every survivor survives again, and no weight lies between the cuts.
    assert (np.abs(weights - mean) >= 2 * deviation - 1e-9).all()
