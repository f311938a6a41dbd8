"""Accuracy of every kind of style classifier on the published corpora, trained on one split.

`python -m benchmarks.style_classifiers --corpora FOLDER` prints accuracy with Wilson's 95 %
interval on held-out reviews, rank correlation with grades of formality, and seconds of a processor.
With `--perplexity`, LSTM language models and n-grams are compared instead: perplexity of held-out
reviews, and how often the model of their own style expects them more than the other.
"""

import csv
import gzip
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np

from corpus.progress import unreported
from metrics.language_models.lstm import PARAMETERS
from metrics.language_models.lstm_by_style import LstmByStyle, write_lstms
from metrics.language_models.ngram_by_style import NgramsByStyle, write_ngrams
from metrics.styles.evaluation import Classification, Regression, evaluate
from metrics.styles.labelled import LabelledTexts, held_out_split
from metrics.styles.model import StyleModel
from metrics.styles.training import Recipe, Trained, chosen_texts, train_on_corpus

KINDS = ("bag-of-words", "ngram-vectors", "text-cnn", "lstm")
SEED = 0


def main() -> None:
    """Read the options, and measure."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    parser.add_argument("--texts", type=int, default=20_000, help="reviews that are drawn")
    parser.add_argument("--kinds", nargs="+", default=KINDS)
    parser.add_argument("--perplexity", action="store_true")
    options = parser.parse_args()
    if options.perplexity:
        compare_language_models(options.corpora, options.texts)
        return
    for kind in options.kinds:
        classify(kind, options.corpora, options.texts)


def classify(kind: str, corpora: Path, texts: int) -> None:
    """Train a kind on reviews and on grades, and print how good it is on others."""
    started = time.process_time()
    trained = _trained(kind, _reviews(corpora), texts)
    quality = cast(Classification, trained.quality)
    low, high = quality.interval
    print(
        f"{kind}: accuracy {quality.accuracy:.3f} [{low:.3f}, {high:.3f}] on {quality.texts} "
        f"reviews, trained on {trained.trained_on}; {time.process_time() - started:.0f} s",
        flush=True,
    )
    started = time.process_time()
    trained = _trained(kind, _grades(corpora, "train"), 0)
    elsewhere = _grades(corpora, "test")
    others = evaluate(elsewhere, cast(StyleModel, trained.model).predict(elsewhere.texts))
    for name, evaluated in (("held out", trained.quality), ("test file", others)):
        found = cast(Regression, evaluated)
        low, high = found.interval or (float("nan"), float("nan"))
        print(
            f"{kind}: rank correlation with grades {found.spearman:.3f} [{low:.3f}, {high:.3f}], "
            f"{name}, {found.texts} texts, trained on {trained.trained_on}"
        )
    print(f"{kind}: grades {time.process_time() - started:.0f} s", flush=True)


def compare_language_models(corpora: Path, texts: int) -> None:
    """Print perplexity of held-out reviews under LSTMs and n-grams of their style."""
    recipe = Recipe("bag-of-words", {}, most=texts, seed=SEED)
    shown, held_out = held_out_split(chosen_texts(_reviews(corpora), recipe)[0], 0.1, SEED)
    by_style = {
        style: [t for t, c in zip(shown.texts, shown.columns, strict=True) if c == column]
        for column, style in enumerate(shown.styles)
    }
    settings = {each.name: each.default for each in PARAMETERS}
    for name, write, opened in (
        ("n-grams", partial(write_ngrams, order=3, report=unreported), NgramsByStyle),
        ("LSTM", partial(write_lstms, settings=settings, report=unreported), LstmByStyle),
    ):
        started = time.process_time()
        with TemporaryDirectory() as folder:
            write(by_style, Path(folder))
            spent = time.process_time() - started
            model = opened(Path(folder))
            own = [held_out.styles[column] for column in held_out.columns]
            others = [held_out.styles[1 - column] for column in held_out.columns]
            nll, units = model.negative_log_likelihood(held_out.texts, own)
            other, _ = model.negative_log_likelihood(held_out.texts, others)
        print(
            f"{name}: perplexity {np.exp(nll.sum() / units.sum()):.1f} of {len(held_out)} reviews, "
            f"trained on {len(shown)}; own style more expected {(nll < other).mean():.3f}; "
            f"{spent:.0f} s of training, {time.process_time() - started - spent:.0f} s of scoring",
            flush=True,
        )


def _trained(kind: str, labelled: LabelledTexts, texts: int) -> Trained:
    recipe = Recipe(kind, {}, most=texts, seed=SEED)
    chosen, left_out = chosen_texts(labelled, recipe)
    return train_on_corpus(chosen, left_out, recipe, unreported)


def _reviews(corpora: Path) -> LabelledTexts:
    rows = list(_rows(corpora / "yelp_sentiment.csv.gz"))
    return LabelledTexts.of([row["text"] for row in rows], [row["style"] for row in rows])


def _grades(corpora: Path, part: str) -> LabelledTexts:
    rows = list(_rows(corpora / f"pt16_formality_{part}.csv"))
    rows = [row for row in rows if row["formality"] not in ("", "None")]
    grades = [float(row["formality"]) for row in rows]
    return LabelledTexts.graded([row["text"] for row in rows], grades, "formal")


def _rows(path: Path) -> Iterator[dict[str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


if __name__ == "__main__":
    main()
