"""Pairs of a source and a text that it should become, divided for training."""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np

from corpus.vocabulary.split_names import TRAIN, VALIDATION
from metrics.styles.labelled import TrainingError, held_out_places, text_key

FEWEST_PAIRS = 8


class TrainingPair(NamedTuple):
    """A source, what it should become, and the styles of both, which may be empty."""

    source: str
    target: str
    source_style: str = ""
    target_style: str = ""


@dataclass(frozen=True, slots=True)
class LeftOutPairs:
    """How many pairs were not trained on, by the reason.

    Attributes
    ----------
    of_test
        In the test split.
    like_test
        For training or validation, but a text of it stands in the test split.
    in_no_split
        In none of the splits.
    empty
        Without a source or without a target.
    repeated
        The same pair again.
    like_valid
        For training, but its source stands in the validation split.
    too_long
        Longer than the tokens that are read.
    """

    of_test: int = 0
    like_test: int = 0
    in_no_split: int = 0
    empty: int = 0
    repeated: int = 0
    like_valid: int = 0
    too_long: int = 0


@dataclass(frozen=True)
class DividedPairs:
    """Pairs to train on, pairs that say when to stop, and what was left out."""

    train: tuple[TrainingPair, ...]
    valid: tuple[TrainingPair, ...]
    left_out: LeftOutPairs

    @property
    def sha256(self) -> str:
        """Hash of both, in their order."""
        return hashlib.sha256(json.dumps([self.train, self.valid]).encode()).hexdigest()


def divided(
    pairs: Iterable[tuple[str, TrainingPair]], of_test: Collection[str], *, share: float, seed: int
) -> DividedPairs:
    """Divide pairs by their splits.

    Parameters
    ----------
    pairs
        Each with its split, one of `SPLITS`, or an empty name.
    of_test
        Keys (`text_key`) of all texts of the test split, outputs too. No pair with one of them
        is used.
    share
        Of the training pairs that say when to stop, where there is no validation split; pairs of
        one source stay together.
    seed
        Of that division.

    Raises
    ------
    TrainingError
        If too few pairs are left.
    """
    found: dict[str, list[TrainingPair]] = {TRAIN: [], VALIDATION: []}
    counts = dict.fromkeys(asdict(LeftOutPairs()), 0)
    known = set[TrainingPair]()
    for split, pair in pairs:
        reason = _reason(split, pair, of_test, known)
        if reason:
            counts[reason] += 1
            continue
        known.add(pair)
        found[split].append(pair)
    valid = found[VALIDATION]
    of_valid = {text_key(pair.source) for pair in valid}
    train = [pair for pair in found[TRAIN] if text_key(pair.source) not in of_valid]
    counts["like_valid"] = len(found[TRAIN]) - len(train)
    if not valid and len(train) >= FEWEST_PAIRS:
        train, valid = _shared(train, share, seed)
    if len(train) < FEWEST_PAIRS or not valid:
        raise TrainingError(
            f"{len(train)} pairs to train on; give at least {FEWEST_PAIRS} pairs of source and "
            "reference in segments whose attribute split is train"
        )
    return DividedPairs(tuple(train), tuple(valid), LeftOutPairs(**counts))


def without_long(given: DividedPairs, is_long: Sequence[Sequence[bool]]) -> DividedPairs:
    """Leave out the pairs that are too long, of training and of validation.

    Raises
    ------
    TrainingError
        If too few are left.
    """
    kept = [
        tuple(pair for pair, is_it in zip(some, long, strict=True) if not is_it)
        for some, long in zip((given.train, given.valid), is_long, strict=True)
    ]
    train, valid = kept
    count = len(given.train) + len(given.valid) - len(train) - len(valid)
    if len(train) < FEWEST_PAIRS or not valid:
        raise TrainingError(
            f"{count} pairs are longer than the tokens that are read, and {len(train)} are left; "
            "let it read more tokens"
        )
    return DividedPairs(train, valid, replace(given.left_out, too_long=count))


def _reason(
    split: str, pair: TrainingPair, of_test: Collection[str], known: Collection[TrainingPair]
) -> str:
    """Return why a pair is not used; empty if it is."""
    if split not in (TRAIN, VALIDATION):
        return "of_test" if split else "in_no_split"
    if not pair.source.strip() or not pair.target.strip():
        return "empty"
    if {text_key(pair.source), text_key(pair.target)} & set(of_test):
        return "like_test"
    return "repeated" if pair in known else ""


def _shared(
    pairs: Sequence[TrainingPair], share: float, seed: int
) -> tuple[list[TrainingPair], list[TrainingPair]]:
    sources = list(dict.fromkeys(text_key(pair.source) for pair in pairs))
    places = held_out_places(len(sources), share, np.random.default_rng(seed))
    chosen = {sources[place] for place in places}
    return (
        [pair for pair in pairs if text_key(pair.source) not in chosen],
        [pair for pair in pairs if text_key(pair.source) in chosen],
    )
