"""Texts a second of metrics and of sentence embeddings, beside their libraries, in turns.

    python -m benchmarks.scoring [--texts 720] [--turns 5]

A study as they are published: nine systems write for each source, about every fourth output is
equal to another system's. Lexical metrics are beside a plain loop over their library. Embeddings of
outputs and sources are beside sentence-transformers at the batch size that is best for it, on the
processor in float32, and, where a GPU is there, on it in float32 and float16. Both sides must come
to the same numbers, and every turn starts with nothing remembered. Rates are of processor seconds,
with a GPU of those of the clock, and medians over turns.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.site import ROOT
from metrics.encoders.sentence import KEPT_BYTES, SentenceEncoder
from metrics.encoders.stored_vectors import VectorCache
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts
from metrics.weights import minilm, wordnet

SYSTEMS = 9
BATCH_SIZES = (16, 32, 64, 128, 256)
CLOSE = {"float32": 1e-5, "float16": 1e-2}
Score = Callable[[str, str], float]
Pairs = list[tuple[str, str]]


def made_up(count: int) -> Pairs:
    """Return outputs with their sources, of words of the demo study."""
    draw = random.Random(1)
    outputs = ROOT / "demo" / "formality-demo" / "outputs.csv"
    words = sorted(set(outputs.read_text(encoding="utf-8").split()))
    pairs: Pairs = []
    for _ in range(count // SYSTEMS):
        source = draw.choices(words, k=round(draw.triangular(5, 25, 8)))
        written: list[str] = []
        for _ in range(SYSTEMS):
            new = " ".join(draw.choice(words) if draw.random() < 1 / 3 else w for w in source)
            written.append(draw.choice(written) if written and draw.random() < 1 / 4 else new)
        pairs += [(output, " ".join(source)) for output in written]
    return pairs


def bleu() -> Score:
    """Return sacreBLEU's sentence BLEU."""
    from sacrebleu.metrics import BLEU

    metric = BLEU(effective_order=True)
    return lambda output, source: metric.sentence_score(output, [source]).score / 100


def chrf() -> Score:
    """Return sacreBLEU's sentence chrF."""
    from sacrebleu.metrics import CHRF

    metric = CHRF()
    return lambda output, source: metric.sentence_score(output, [source]).score / 100


def rouge() -> Score:
    """Return rouge-score's F of ROUGE-L."""
    from rouge_score.rouge_scorer import RougeScorer

    metric = RougeScorer(["rougeL"])
    return lambda output, source: metric.score(source, output)["rougeL"].fmeasure


def meteor() -> Score:
    """Return NLTK's METEOR over tokens of sacreBLEU."""
    from nltk.translate.meteor_score import single_meteor_score
    from sacrebleu.metrics import BLEU

    tokenize, english = BLEU().tokenizer, wordnet.load()
    return lambda output, source: single_meteor_score(
        tokenize(source).split(), tokenize(output).split(), wordnet=english
    )


LEXICAL = {"bleu": bleu, "chrf": chrf, "rouge-l": rouge, "meteor": meteor}


def lexical(key: str, library: Callable[[], Score], pairs: Pairs, turns: int) -> None:
    """Score by one metric in turns, and check that numbers are equal."""
    texts = Texts.of([output for output, _ in pairs], [source for _, source in pairs])

    def ours() -> list[float]:
        return scorer_class(key)({}).score(texts).values[:, 0].tolist()

    def theirs() -> list[float]:
        score = library()
        return [score(*pair) for pair in pairs]

    np.testing.assert_allclose(ours(), theirs(), atol=1e-9)
    compare(key, len(pairs), ours, theirs, turns)


def embeddings(device: str, precision: str, pairs: Pairs, turns: int) -> None:
    """Embed outputs and sources in turns, and check that vectors are close."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)  # Waiting threads would count as work.
    clock = time.process_time if device == "cpu" else time.perf_counter
    model = {"dtype": getattr(torch, precision)}
    library = SentenceTransformer(str(minilm.folder()), device=device, model_kwargs=model)
    encoder = SentenceEncoder(device=device, precision=precision)
    columns = [[output for output, _ in pairs], [source for _, source in pairs]]

    def ours() -> None:
        encoder.kept = VectorCache(KEPT_BYTES)
        for column in columns:
            encoder.encode(column)

    def theirs(size: int) -> None:
        for column in columns:
            library.encode(column, batch_size=size, show_progress_bar=False)

    some = columns[0][:64]
    np.testing.assert_allclose(encoder.encode(some), library.encode(some), atol=CLOSE[precision])
    best = min(BATCH_SIZES, key=lambda size: seconds(partial(theirs, size), clock))
    name = f"embeddings, {device}, {precision}, batches of {best}"
    compare(name, len(pairs), ours, partial(theirs, best), turns, clock)


def seconds(run: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds of a run, by a clock."""
    begun = clock()
    run()
    return clock() - begun


def compare(
    name: str,
    texts: int,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    turns: int,
    clock: Callable[[], float] = time.process_time,
) -> None:
    """Print a line of the table."""
    pairs = [(seconds(ours, clock), seconds(theirs, clock)) for _ in range(turns)]
    mine, other = (texts / statistics.median(each) for each in zip(*pairs, strict=True))
    print(f"{name:48}{mine:10,.0f}{other:12,.0f}{mine / other:9.2f}×", flush=True)


def main() -> None:
    """Print the table."""
    import torch

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=720)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    pairs = made_up(options.texts)
    print(f"{f'{len(pairs):,} outputs':48}{'ours/s':>10}{'library/s':>12}{'ratio':>10}")
    for key, library in LEXICAL.items():
        lexical(key, library, pairs, options.turns)
    embeddings("cpu", "float32", pairs, options.turns)
    if torch.cuda.is_available():
        for precision in CLOSE:
            embeddings("cuda", precision, pairs, options.turns)


if __name__ == "__main__":
    main()
