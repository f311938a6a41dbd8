"""Word attributions of a whole study beside captum's, in one run: speed, error, equal masks.

    python -m benchmarks.integrated_gradients [--model FOLDER] [--timed 200] [--compared 200]

Without a model, one is trained first and kept in var/benchmarks (about a minute on two cores).
The study is mir2019: every source and output, attributed for its segment's target style. Captum
attributes one text after the other, 50 steps each, as it is used; it is timed on texts drawn at
random, in turns with ours, so that whatever else the machine does slows both. Errors and masks are
compared on different texts drawn at random, against captum's with 300 steps.
"""

import argparse
import csv
import os
import random
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.sentiment_classifier import train
from metrics.attribution.attribution import Attribution
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import TEXTS_AT_ONCE, integrated_gradients
from metrics.attribution.selection import select
from metrics.attribution.words import units

ROOT = Path(__file__).resolve().parent.parent
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5)
STEPS, MANY_STEPS = 50, 300
SEED = 11
Pair = tuple[str, int]


@dataclass
class Clock:
    """Seconds of one side, by the wall and of all processors."""

    wall: float = 0.0
    processor: float = 0.0

    def __enter__(self) -> "Clock":
        self._started = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *exception: object) -> None:
        self.wall += time.perf_counter() - self._started[0]
        self.processor += time.process_time() - self._started[1]


class Captum:
    """Captum's Integrated Gradients of the same model, against the same baseline."""

    def __init__(self, classifier: TransformerClassifier) -> None:
        from captum.attr import LayerIntegratedGradients

        model = classifier._model
        self._classifier = classifier
        self._method = LayerIntegratedGradients(
            lambda ids: model(ids).logits, model.get_input_embeddings()
        )

    def __call__(self, text: str, column: int, steps: int) -> np.ndarray:
        """Return the attribution of every word piece of one text."""
        import torch

        [encoded] = self._classifier.encode([text])
        ids = torch.tensor([encoded.ids])
        baseline = ids.where(torch.from_numpy(encoded.pieces["is_special"]), 0)
        found = self._method.attribute(ids, baseline, target=column, n_steps=steps)
        return found.sum(-1)[0].detach().double().numpy()


def timed(
    classifier: TransformerClassifier, captum: Captum, pairs: list[Pair], number: int
) -> tuple[Clock, Clock, int, list[Attribution]]:
    """Attribute all by ours and some by captum's, in turns; return both clocks, how many, ours."""
    drawn = random.Random(SEED).sample(pairs, min(number, len(pairs)))
    turns = -(-len(set(pairs)) // TEXTS_AT_ONCE)
    ours, theirs = Clock(), Clock()
    done = 0

    def their_turn(message: str, number: int, of: int) -> None:
        nonlocal done
        ours.__exit__()
        until = min(len(drawn), done + -(-len(drawn) // turns))
        with theirs:
            for text, column in drawn[done:until]:
                captum(text, column, STEPS)
        done = until
        ours.__enter__()

    with ours:
        found = integrated_gradients(
            classifier, [text for text, _ in pairs], [c for _, c in pairs], tell=their_turn
        )
    return ours, theirs, done, found


def masked_words(text: str, attribution: Attribution) -> list[set[int]]:
    """Return where the words begin that are masked, for each threshold."""
    words = units(text, attribution)
    return [
        {unit.start for unit in select(words, threshold, at_least_one=False)}
        for threshold in THRESHOLDS
    ]


def compared(captum: Captum, known: dict[Pair, Attribution], number: int) -> None:
    """Print errors and the share of texts with the masks that many steps give."""
    drawn = random.Random(SEED + 1).sample(sorted(known), min(number, len(known)))
    sides: dict[str, list[Attribution]] = {"ours": [], "captum, 50 steps": []}
    expected = []
    for pair in drawn:
        base = known[pair]
        sides["ours"].append(base)
        for steps, found in ((STEPS, sides["captum, 50 steps"]), (MANY_STEPS, expected)):
            pieces = base.pieces.copy()
            pieces["value"] = captum(*pair, steps)
            found.append(replace(base, pieces=pieces))
    wanted = [masked_words(text, each) for (text, _), each in zip(drawn, expected, strict=True)]
    print(f"\n{len(drawn)} different texts drawn at random, against captum with {MANY_STEPS} steps")
    columns = "".join(f"{threshold:>8}" for threshold in THRESHOLDS)
    print(
        f"{'':20}{'mean error':>12}{'95 %':>10}{'difference':>12}   same words masked at{columns}"
    )
    for name, found in (*sides.items(), ("captum, 300 steps", expected)):
        errors = [each.convergence_error for each in found]
        masks = [masked_words(text, each) for (text, _), each in zip(drawn, found, strict=True)]
        same = np.mean(
            [
                [a == b for a, b in zip(*two, strict=True)]
                for two in zip(masks, wanted, strict=True)
            ],
            axis=0,
        )
        difference = np.mean([_difference(a, b) for a, b in zip(found, expected, strict=True)])
        shares = "".join(f"{share:8.1%}" for share in same)
        print(
            f"{name:20}{np.mean(errors):12.4f}{np.quantile(errors, 0.95):10.4f}"
            f"{difference:12.2%}{'':23}{shares}"
        )


def _difference(found: Attribution, expected: Attribution) -> float:
    """Return the differences of all pieces as a share of their attributions."""
    wanted = expected.pieces["value"]
    return float(np.abs(found.pieces["value"] - wanted).sum() / np.abs(wanted).sum())


def study_pairs(classifier: TransformerClassifier) -> list[Pair]:
    """Return every source and output of mir2019 with the column of its target style."""
    folder = _shared("studies")
    targets, pairs = {}, []
    for row in _rows(folder / "mir2019" / "segments.csv"):
        targets[row["segment_id"]] = classifier.styles.index(row["target_style"])
        pairs.append((row["source"], targets[row["segment_id"]]))
    outputs = _rows(folder / "mir2019" / "outputs.csv")
    return pairs + [(row["output"], targets[row["segment_id"]]) for row in outputs]


def _shared(name: str) -> Path:
    """Return a folder of shared data, where its variable says or beside the project."""
    return Path(os.environ.get(f"TOUCHSTONE_{name.upper()}") or ROOT.parent / "shared" / name)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    """Time, compare and print."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=ROOT / "var" / "benchmarks" / "sentiment")
    parser.add_argument("--timed", type=int, default=200)
    parser.add_argument("--compared", type=int, default=200)
    chosen = parser.parse_args()
    torch.set_num_threads(2)
    if not chosen.model.exists():
        print("training a classifier on 6,000 sentences …")
        train(chosen.model, _shared("corpora"), 6_000)
    classifier = TransformerClassifier(chosen.model)
    captum = Captum(classifier)
    pairs = study_pairs(classifier)
    unique = len(set(pairs))
    print(f"{len(pairs):,} texts, {unique:,} different with their target style")
    ours, theirs, done, found = timed(classifier, captum, pairs, chosen.timed)
    print(f"{'':24}{'texts/s':>10}{'per processor second':>22}{'ratio':>8}{'by processor':>14}")
    rate, effort = done / theirs.wall, done / theirs.processor
    print(f"{f'captum, {STEPS} steps':24}{rate:10.2f}{effort:22.2f}{1:8.2f}{1:14.2f}")
    for name, number in (("ours, whole study", len(pairs)), ("ours, different texts", unique)):
        wall, processor = number / ours.wall, number / ours.processor
        print(f"{name:24}{wall:10.2f}{processor:22.2f}{wall / rate:8.2f}{processor / effort:14.2f}")
    errors = [each.convergence_error for each in found]
    print(
        f"convergence error over the whole study: mean {np.mean(errors):.4f}, "
        f"95 % {np.quantile(errors, 0.95):.4f}, largest {max(errors):.4f}"
    )
    compared(captum, dict(zip(pairs, found, strict=True)), chosen.compared)


if __name__ == "__main__":
    main()
