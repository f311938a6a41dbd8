"""Texts a second of lexical metrics, beside a plain loop over their library.

    python -m benchmarks.lexical_metrics [TEXTS]

Sentences of 5 to 25 English words; each output is its source with a third of the words changed.
In the first table no text occurs twice; in the second, nine systems write for each source.
Seconds are of the processor, the least of several turns, ours and the library's by turns; each
turn starts with a new object on both sides, so that nothing is remembered from the one before.
"""

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts
from metrics.weights import wordnet

TURNS = 5
SYSTEMS = 9
DEMO = Path(__file__).resolve().parent.parent / "demo" / "formality-demo"
Score = Callable[[str, str], float]


def sentences(count: int, systems: int) -> Texts:
    """Make outputs and their sources from the words of the demo study."""
    draw = random.Random(1)
    words = sorted(set((DEMO / "outputs.csv").read_text(encoding="utf-8").split()))

    def written(source: str) -> str:
        return " ".join(
            draw.choice(words) if draw.random() < 1 / 3 else word for word in source.split()
        )

    sources = [
        " ".join(draw.choices(words, k=draw.randint(5, 25))) for _ in range(count // systems)
    ]
    pairs = [(written(source), source) for _ in range(systems) for source in sources]
    return Texts.of([output for output, _ in pairs], [source for _, source in pairs])


def bleu(**settings: str) -> Score:
    """Return sacreBLEU's sentence BLEU."""
    from sacrebleu.metrics import BLEU

    metric = BLEU(effective_order=True, **settings)
    return lambda output, source: metric.sentence_score(output, [source]).score / 100


def chrf(words: int) -> Score:
    """Return sacreBLEU's sentence chrF."""
    from sacrebleu.metrics import CHRF

    metric = CHRF(word_order=words)
    return lambda output, source: metric.sentence_score(output, [source]).score / 100


def rouge(name: str, *, stems: bool = False) -> Score:
    """Return rouge-score's F."""
    from rouge_score.rouge_scorer import RougeScorer

    metric = RougeScorer([name], use_stemmer=stems)
    return lambda output, source: metric.score(source, output)[name].fmeasure


def meteor() -> Score:
    """Return NLTK's METEOR over tokens of sacreBLEU."""
    from nltk.translate.meteor_score import single_meteor_score
    from sacrebleu.metrics import BLEU

    tokenize, english = BLEU().tokenizer, wordnet.load()
    return lambda output, source: single_meteor_score(
        tokenize(source).split(), tokenize(output).split(), wordnet=english
    )


def edits(split: Callable[[str], list[str]]) -> Score:
    """Return NLTK's edit distance, divided by the length of the longer text."""
    from nltk.metrics.distance import edit_distance

    def score(output: str, source: str) -> float:
        first, second = split(output), split(source)
        return edit_distance(first, second) / max(len(first), len(second))

    return score


CASES: dict[str, tuple[str, dict[str, str], Callable[[], Score]]] = {
    "BLEU": ("bleu", {}, bleu),
    "BLEU, characters": ("bleu", {"tokenize": "char"}, partial(bleu, tokenize="char")),
    "chrF": ("chrf", {}, partial(chrf, 0)),
    "chrF++": ("chrf++", {}, partial(chrf, 2)),
    "ROUGE-1": ("rouge-1", {}, partial(rouge, "rouge1")),
    "ROUGE-1, stems": (
        "rouge-1",
        {"tokenize": "rouge-stems"},
        partial(rouge, "rouge1", stems=True),
    ),
    "ROUGE-2": ("rouge-2", {}, partial(rouge, "rouge2")),
    "ROUGE-L": ("rouge-l", {}, partial(rouge, "rougeL")),
    "METEOR": ("meteor", {}, meteor),
    "edit distance, words": ("edit-distance", {"unit": "words"}, partial(edits, str.split)),
    "edit distance, characters": ("edit-distance", {}, partial(edits, list)),
}
SLOW = {"edit distance, characters": 20}
"""Cases of which only one text in so many is timed: NLTK takes tens of milliseconds for each."""


def part_of(texts: Texts, step: int) -> Texts:
    """Return every so manieth text."""
    return Texts.of(texts.outputs[::step], texts.against[::step])


def timed(run: Callable[[], list[float]]) -> tuple[float, list[float]]:
    """Return seconds of the processor and the scores."""
    start = time.process_time()
    scores = run()
    return time.process_time() - start, scores


def compare(
    key: str, parameters: dict[str, str], library: Callable[[], Score], texts: Texts
) -> str:
    """Time both sides by turns and return a line of the table."""
    sources = [source for (source,) in texts.against]

    def ours() -> list[float]:
        return scorer_class(key)(parameters).score(texts).values[:, 0].tolist()

    def theirs() -> list[float]:
        score = library()
        return [score(*pair) for pair in zip(texts.outputs, sources, strict=True)]

    turns = [(timed(ours), timed(theirs)) for _ in range(TURNS)]
    for (_, mine), (_, other) in turns:
        assert mine == other, f"{key}: another number than the library's"
    mine, other = (len(texts) / min(turn[side][0] for turn in turns) for side in (0, 1))
    return f"{mine:12,.0f} {other:12,.0f} {mine / other:8.2f}×"


def main() -> None:
    """Print both tables."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_800
    wordnet.load()
    for title, systems in (("every text unique", 1), (f"{SYSTEMS} systems a source", SYSTEMS)):
        texts = sentences(count, systems)
        print(
            f"{f'{len(texts):,} texts, {title}':34} {'ours/s':>12} {'library/s':>12} {'ratio':>9}"
        )
        for name, (key, parameters, library) in CASES.items():
            some = part_of(texts, SLOW.get(name, 1))
            print(f"{name:34} {compare(key, parameters, library, some)}", flush=True)
        print()


if __name__ == "__main__":
    main()
