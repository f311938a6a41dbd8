"""Labelled texts: what style classifiers and regressors are trained on."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from corpus.vocabulary.split_names import SPLITS
from metrics.scorers.scorer import Floats

Rows = npt.NDArray[np.int64]
FEWEST_PER_STYLE = 5
FEWEST_GRADED = 10


class TrainingError(ValueError):
    """Texts or settings from which nothing can be trained; the message says what to do."""


@dataclass(frozen=True)
class LabelledTexts:
    """Texts, each with its style or with a grade of one style.

    Attributes
    ----------
    texts
        As they are.
    targets : ndarray, shape (texts,)
        Number of each text's style; of graded texts the grade.
    styles
        Names of the styles; one name where the texts are graded.
    splits
        What each text is for, where that is given: one of `SPLITS`.
    pairs
        Number of the pair that each text is one half of, where the texts are pairs.
    """

    texts: tuple[str, ...]
    targets: Floats
    styles: tuple[str, ...]
    splits: tuple[str, ...] = ()
    pairs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.targets):
            raise ValueError(f"{len(self.texts)} texts, but {len(self.targets)} labels")
        for values in (self.splits, self.pairs):
            if values and len(values) != len(self.texts):
                raise ValueError(f"{len(self.texts)} texts, but {len(values)} splits or pairs")

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def of(cls, texts: Sequence[str], labels: Sequence[str]) -> "LabelledTexts":
        """Build classes from names; styles stand in the order of the alphabet.

        Raises
        ------
        TrainingError
            If there are not two styles.

        Examples
        --------
        >>> LabelledTexts.of(["nice .", "bad .", "good ."], ["pos", "neg", "pos"]).targets
        array([1., 0., 1.])
        """
        styles = tuple(sorted(set(labels)))
        if len(styles) < 2:
            named = f"all texts have the style {styles[0]!r}" if styles else "there is no text"
            raise TrainingError(f"{named}; give texts of at least two styles")
        number = {style: float(column) for column, style in enumerate(styles)}
        targets = np.array([number[label] for label in labels], dtype=np.float64)
        return cls(tuple(texts), targets, styles)

    @classmethod
    def graded(cls, texts: Sequence[str], grades: Sequence[float], style: str) -> "LabelledTexts":
        """Build grades of one style."""
        return cls(tuple(texts), np.asarray(grades, dtype=np.float64), (style,))

    @property
    def is_graded(self) -> bool:
        """Whether the targets are grades of one style."""
        return len(self.styles) == 1

    @property
    def columns(self) -> Rows:
        """Number of each text's style, shape (texts,)."""
        return self.targets.astype(np.int64)

    @property
    def sha256(self) -> str:
        """Hash of styles, texts and labels in their order."""
        digest = hashlib.sha256(json.dumps(self.styles).encode())
        for text, target in zip(self.texts, self.targets.tolist(), strict=True):
            digest.update(json.dumps([text, target]).encode())
        if self.splits or self.pairs:
            digest.update(json.dumps([self.splits, self.pairs]).encode())
        return digest.hexdigest()

    def take(self, rows: npt.ArrayLike) -> "LabelledTexts":
        """Return some of the texts, in the order of `rows`."""
        chosen = np.asarray(rows, dtype=np.int64)
        places = chosen.tolist()
        return LabelledTexts(
            tuple(self.texts[row] for row in places),
            self.targets[chosen],
            self.styles,
            tuple(self.splits[row] for row in places) if self.splits else (),
            tuple(self.pairs[row] for row in places) if self.pairs else (),
        )

    def of_split(self, split: str) -> "LabelledTexts":
        """Return the texts of one split."""
        return self.take([row for row, each in enumerate(self.splits) if each == split])

    def among(self, styles: Sequence[str]) -> "LabelledTexts":
        """Return the same texts with the numbers that their styles have among others.

        Raises
        ------
        TrainingError
            If a style is not among them.
        """
        for style in self.styles:
            if style not in styles:
                raise TrainingError(
                    f"the texts have the style {style!r}, and the classifier knows "
                    f"{', '.join(styles)}"
                )
        place = np.array([list(styles).index(style) for style in self.styles], dtype=np.float64)
        return replace(self, targets=place[self.columns], styles=tuple(styles))

    def label(self, row: int) -> str:
        """Return the style of a text by its name."""
        return self.styles[int(self.targets[row])]


@dataclass(frozen=True)
class LeftOut:
    """How many labelled texts were left out, and why.

    Attributes
    ----------
    unlabelled
        Without a style or grade.
    empty
        Without any sign.
    repeated
        The same text again.
    contradictory
        The same text under several styles: all its copies.
    of_the_study
        Texts that stand in the study which is to be scored.
    not_drawn
        Beyond the number that was asked for.
    of_other_splits
        For training, but equal to a text of the validation or test split.
    in_no_split
        Where splits are given, in none of them.
    not_needed
        Of the validation split, where nothing is chosen by it.
    """

    unlabelled: int = 0
    empty: int = 0
    repeated: int = 0
    contradictory: int = 0
    of_the_study: int = 0
    not_drawn: int = 0
    of_other_splits: int = 0
    in_no_split: int = 0
    not_needed: int = 0


def text_key(text: str) -> str:
    """Return what is equal for texts that count as the same.

    Case, white space and the form in which accents are written make no difference, so that a
    tokenised corpus is told to hold the sentences of an untokenised study.

    Examples
    --------
    >>> text_key("Great food .") == text_key("great  food.")
    True
    """
    return "".join(unicodedata.normalize("NFC", text).casefold().split())


def deduplicated(labelled: LabelledTexts) -> tuple[LabelledTexts, LeftOut]:
    """Keep each text once.

    Empty texts are left out; so is a text under several styles, which teaches nothing. A text
    that was graded several times keeps the mean. Of copies in several splits the one of the test
    split stays, then the one of the validation split.
    """
    places: dict[str, list[int]] = {}
    for row, text in enumerate(labelled.texts):
        places.setdefault(text_key(text), []).append(row)
    empty = len(places.pop("", []))
    kept, targets, repeated, contradictory, of_other_splits = [], list[float](), 0, 0, 0
    for rows in places.values():
        found = labelled.targets[rows]
        if not labelled.is_graded and np.ptp(found):
            contradictory += len(rows)
            continue
        ranks = [SPLITS.index(labelled.splits[row]) for row in rows] if labelled.splits else [0]
        first = rows[ranks.index(max(ranks))]
        of_others = sum(rank < max(ranks) for rank in ranks)
        repeated += len(rows) - 1 - of_others
        of_other_splits += of_others
        kept.append(first)
        targets.append(float(found.mean()))
    once = replace(labelled.take(kept), targets=np.array(targets, dtype=np.float64))
    return once, LeftOut(
        empty=empty, repeated=repeated, contradictory=contradictory, of_other_splits=of_other_splits
    )


def without(labelled: LabelledTexts, texts: Iterable[str]) -> tuple[LabelledTexts, int]:
    """Leave out the texts that stand among others, which are read once; return how many."""
    keys = [text_key(text) for text in labelled.texts]
    wanted = set(keys)
    met = {key for key in map(text_key, texts) if key in wanted}
    kept = [row for row, key in enumerate(keys) if key not in met]
    return labelled.take(kept), len(labelled) - len(kept)


def drawn(labelled: LabelledTexts, most: int, seed: int) -> LabelledTexts:
    """Return at most so many texts, drawn at random, in their order; all of them for 0."""
    if not 0 < most < len(labelled):
        return labelled
    chosen = np.random.default_rng(seed).choice(len(labelled), most, replace=False)
    return labelled.take(np.sort(chosen))


def held_out_split(
    labelled: LabelledTexts, share: float, seed: int
) -> tuple[LabelledTexts, LabelledTexts]:
    """Split off a share of the texts of each style; copies of one text, and pairs, stay together.

    Returns
    -------
    tuple of LabelledTexts
        What to train on, and what is held out.
    """
    keys: Sequence[object] = labelled.pairs or [text_key(text) for text in labelled.texts]
    groups: dict[object, list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)
    strata: dict[float, list[list[int]]] = {}
    for rows in groups.values():
        one_stratum = labelled.is_graded or bool(labelled.pairs)
        stratum = 0.0 if one_stratum else float(labelled.targets[rows[0]])
        strata.setdefault(stratum, []).append(rows)
    generator, out = np.random.default_rng(seed), set[int]()
    for stratum in sorted(strata):
        members = strata[stratum]
        for place in held_out_places(len(members), share, generator):
            out.update(members[place])
    kept = [row for row in range(len(labelled)) if row not in out]
    return labelled.take(kept), labelled.take(sorted(out))


def held_out_places(count: int, share: float, generator: np.random.Generator) -> list[int]:
    """Return the places of a random share of so many: at least one, and never all."""
    held_out = min(max(1, round(share * count)), count - 1)
    places: list[int] = generator.permutation(count)[:held_out].tolist()
    return places


def check_trainable(labelled: LabelledTexts) -> None:
    """Raise `TrainingError` unless there are enough texts to train on and to hold some out."""
    if labelled.is_graded:
        if not np.isfinite(labelled.targets).all():
            raise TrainingError("a grade is not a finite number; correct it or leave it out")
        if len(labelled) < FEWEST_GRADED:
            raise TrainingError(f"{len(labelled)} graded texts; give at least {FEWEST_GRADED}")
        if not np.ptp(labelled.targets):
            raise TrainingError("all grades are the same; there is nothing to learn")
        return
    counts = np.bincount(labelled.columns, minlength=len(labelled.styles))
    for style, count in zip(labelled.styles, counts.tolist(), strict=True):
        if count < FEWEST_PER_STYLE:
            raise TrainingError(
                f"{count} texts of style {style!r}; give at least {FEWEST_PER_STYLE} of each"
            )
