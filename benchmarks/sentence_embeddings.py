"""Sentence embeddings a second, beside sentence-transformers at its best batch size.

    python -m benchmarks.sentence_embeddings [--texts 720] [--threads 2] [--turns 5]
    python -m benchmarks.sentence_embeddings --memory

The first line has texts that all differ; the others a study as they are published: nine systems
for each source, about every fourth output equal to another system's, each compared with its source
and with four references. There the library gets the columns as they stand, or each source and
reference once, but outputs always as they stand. Turns alternate, medians are shown. Where other
programs run too, the ratio of processor seconds says more than that of wall seconds.

With --memory a million outputs pass in windows through an encoder of random weights, while the
resident memory is printed.
"""

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import show_figure
from metrics.encoders.sentence import KEPT_BYTES, SentenceEncoder
from metrics.encoders.vector_cache import VectorCache
from metrics.weights import minilm

BATCH_SIZES = (8, 16, 32, 64, 128)
SYSTEMS, REFERENCES = 9, 4
DEMO = Path(__file__).resolve().parent.parent / "demo" / "formality-demo"
Encode = Callable[[], Any]


def sentence(draw: random.Random, words: Sequence[str]) -> str:
    """Return 5 to 25 words; half of all sentences have at most 12."""
    return " ".join(draw.choices(words, k=round(draw.triangular(5, 25, 8))))


def published_study(draw: random.Random, words: Sequence[str], outputs: int) -> dict[str, Any]:
    """Return aligned columns, output by output."""
    columns: dict[str, Any] = {"output": [], "source": [], "references": []}
    for _ in range(outputs // SYSTEMS):
        source = sentence(draw, words)
        references = [sentence(draw, words) for _ in range(REFERENCES)]
        written: list[str] = []
        for _ in range(SYSTEMS):
            equal = written and draw.random() < 1 / 4
            written.append(draw.choice(written) if equal else sentence(draw, words))
        columns["output"] += written
        columns["source"] += [source] * SYSTEMS
        columns["references"] += [references] * SYSTEMS
    return columns


def timed(run: Encode) -> tuple[float, float]:
    """Return seconds of the wall and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - processor


def compare(name: str, texts: int, ours: Encode, library: Encode, turns: int) -> float:
    """Print a line of the table; return by how much we need less of the processor."""
    pairs = [(timed(ours), timed(library)) for _ in range(turns)]
    wall, processor = (
        [statistics.median(pair[side][clock] for pair in pairs) for side in (0, 1)]
        for clock in (0, 1)
    )
    print(
        f"{name:44} {texts / wall[0]:8,.0f} {texts / wall[1]:10,.0f} "
        f"{wall[1] / wall[0]:6.2f}× {processor[1] / processor[0]:9.2f}×",
        flush=True,
    )
    return processor[1] / processor[0]


def speed(count: int, threads: int, turns: int) -> None:
    """Print both tables."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    draw = random.Random(1)
    words = sorted(set((DEMO / "outputs.csv").read_text(encoding="utf-8").split()))
    library = SentenceTransformer(str(minilm.folder()), device="cpu")
    encoder = SentenceEncoder()
    unique = list(dict.fromkeys(sentence(draw, words) for _ in range(count)))
    np.testing.assert_allclose(encoder.encode(unique[:64]), library.encode(unique[:64]), atol=1e-6)

    def encoded(texts: Sequence[str], size: int) -> Any:
        return library.encode(list(texts), batch_size=size, show_progress_bar=False)

    tried = {
        size: min(timed(lambda size=size: encoded(unique[:400], size))[1] for _ in range(3))
        for size in BATCH_SIZES
    }
    best = min(tried, key=lambda size: tried[size])
    rates = ", ".join(f"{size}: {400 / seconds:,.0f}/s" for size, seconds in tried.items())
    print(f"{threads} threads; library by batch size, of the processor: {rates}; best {best}\n")
    print(f"{'':44} {'ours/s':>8} {'library/s':>10} {'wall':>7} {'processor':>10}")

    def ours(*columns: Sequence[str]) -> None:
        encoder.kept = VectorCache(KEPT_BYTES)
        for column in columns:
            encoder.encode(column)

    name = f"{len(unique):,} different texts"
    compare(name, len(unique), lambda: ours(unique), lambda: encoded(unique, best), turns)
    study = published_study(draw, words, count)
    outputs, sources = study["output"], study["source"]
    references = [each for some in study["references"] for each in some]
    size = len(outputs)
    cases = (
        ("sources as they stand", (outputs, sources), (outputs, sources)),
        ("each source once", (outputs, sources), (outputs, list(dict.fromkeys(sources)))),
        (
            "each source and reference once",
            (outputs, sources, references),
            (outputs, list(dict.fromkeys(sources)), list(dict.fromkeys(references))),
        ),
    )
    for label, columns, plain in cases:
        ratio = compare(
            f"{size:,} outputs of a study, {label}",
            size,
            lambda columns=columns: ours(*columns),
            lambda plain=plain: [encoded(column, best) for column in plain],
            turns,
        )
        show_figure(f"sentence_embeddings.{label.replace(' ', '_')}", ratio, "times")


def memory(outputs: int = 1_000_000, window: int = 2_000) -> None:
    """Print resident memory while outputs pass."""
    from transformers import AutoTokenizer, BertConfig, BertModel

    with tempfile.TemporaryDirectory() as folder:
        tokenizer: Any = AutoTokenizer.from_pretrained(minilm.folder())
        tokenizer.save_pretrained(folder)
        config = BertConfig(
            vocab_size=len(tokenizer), hidden_size=96, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=96,
        )  # fmt: skip
        BertModel(config).save_pretrained(folder)
        encoder = SentenceEncoder(folder)
        print(f"{'outputs':>10} {'kept texts':>11} {'kept MB':>8} {'resident MB':>12}")
        for start in range(0, outputs, window):
            encoder.encode([f"number {row} of many" for row in range(start, start + window)])
            if (start + window) % (outputs // 10) == 0:
                kept = encoder.kept
                print(
                    f"{start + window:10,} {len(kept):11,} {kept.used_bytes / 2**20:8.1f} "
                    f"{_resident() / 2**20:12.0f}",
                    flush=True,
                )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak {peak:,.0f} MB")


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def main() -> None:
    """Read the options, measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--texts", type=int, default=720)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--turns", type=int, default=5)
    options.add_argument("--memory", action="store_true")
    given = options.parse_args()
    if given.memory:
        memory()
    else:
        speed(given.texts, given.threads, given.turns)


if __name__ == "__main__":
    main()
