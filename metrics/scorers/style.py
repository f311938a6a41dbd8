"""Style of outputs, as a trained classifier or regressor sees it."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Classifier, Floats, Scorer, Scores, Texts, Unavailable
from metrics.scorers.spec import MetricSpec, Parameter
from metrics.scorers.style_transfer_intensity import (
    direction_corrected_emd,
    share_of_the_possible,
    target_style_change,
    target_style_score,
)

EMPTY = "the text is empty"
EMPTY_SOURCE = "there is no source to compare with"
NO_TARGET = "the study does not say the target style"
NO_ROOM = "hardly any change was possible"
SEEN = "the classifier was trained on this segment"
_TRAIN = "train one on the page Styles and lexicons of the study, or with manage.py train_style"

Targets = npt.NDArray[np.int64]


class StyleScorer(Scorer):
    """What metrics on a trained style model have in common."""

    looks_at_output: ClassVar[bool] = True
    compute: ClassVar[Callable[..., Floats]]
    """Gives scores by the predictions of each side, and the column of the target style."""

    @property
    def model(self) -> Classifier:
        """The trained model; `Unavailable` if the run was given none, or one that does not fit."""
        model = self.resources.classifier
        if model is None:
            raise Unavailable(f"{self.spec.key} needs a trained style model: {_TRAIN}")
        is_graded = len(model.styles) == 1
        if is_graded and "classifier" in self.spec.needs:
            raise Unavailable(
                f"{self.spec.key} needs a classifier, and this model grades {model.styles[0]!r}; "
                "choose another"
            )
        if not is_graded and "regressor" in self.spec.needs:
            raise Unavailable(
                f"{self.spec.key} needs a model of graded texts, and this one tells "
                f"{', '.join(model.styles)} apart; choose another"
            )
        return model

    @abstractmethod
    def sides(self, texts: Texts) -> dict[str, Sequence[str]]:
        """Return the texts that are predicted, by what is said of an empty one."""

    def score(self, texts: Texts) -> Scores:
        """Predict the sides of each text; see `Scorer.score`."""
        has_target, sides = "styles" in self.spec.needs, self.sides(texts)
        undefined = self._without_target(texts) if has_target else {}
        for reason, side in reversed(sides.items()):
            undefined |= {row: reason for row, text in enumerate(side) if not text.strip()}
        predicted, rows = self._predicted(texts, undefined, *sides.values())
        if any(np.isnan(each).any() for each in predicted):
            raise ValueError("the classifier gave a probability that is no number")
        target = self._targets(texts, rows) if has_target else None
        values = np.full((len(texts), len(self.fields)), np.nan)
        values[rows] = self.compute(*predicted, target).reshape(len(rows), len(self.fields))
        impossible = [row for row in rows if np.isnan(values[row]).any()]
        return Scores(values, undefined | dict.fromkeys(impossible, NO_ROOM))

    def fingerprint(self) -> dict[str, str]:
        """Return the hash of the trained model; see `Scorer.fingerprint`."""
        return {"classifier": self.model.sha256}

    def _predicted(
        self, texts: Texts, undefined: dict[int, str], *sides: Sequence[str]
    ) -> tuple[list[Floats], list[int]]:
        """Return predictions of each side and their rows; of those left out, say why."""
        rows = [row for row in range(len(texts)) if row not in undefined]
        found = [self._of_rows(side, texts.segments, rows) for side in sides]
        kept = ~np.isnan(found[-1][:, 0])
        undefined |= {row: SEEN for row, is_kept in zip(rows, kept, strict=True) if not is_kept}
        return [each[kept] for each in found], [row for row in rows if row not in undefined]

    def _of_rows(self, texts: Sequence[str], segments: Sequence[int], rows: list[int]) -> Floats:
        """Return predictions of some texts, the same text of one segment asked for once."""
        pairs = [(texts[row], segments[row]) for row in rows]
        once = list(dict.fromkeys(pairs))
        if not once:
            return np.empty((0, len(self.model.styles)))
        found = self.model.predict([text for text, _ in once], [number for _, number in once])
        place = {pair: number for number, pair in enumerate(once)}
        return found[[place[pair] for pair in pairs]]

    def _without_target(self, texts: Texts) -> dict[int, str]:
        """Return why texts have no target style that the classifier knows."""
        known = set(self.model.styles)
        unknown = {
            style: f"the classifier does not know the style {style!r}, only "
            f"{', '.join(self.model.styles)}"
            for style in set(texts.target_styles) - known
        } | {"": NO_TARGET}
        return {
            row: unknown[style]
            for row, style in enumerate(texts.target_styles)
            if style not in known
        }

    def _targets(self, texts: Texts, rows: list[int]) -> Targets:
        column = {style: number for number, style in enumerate(self.model.styles)}
        return np.array([column[texts.target_styles[row]] for row in rows], dtype=np.int64)


class StyleOfOutput(StyleScorer):
    """A metric that looks at the output alone."""

    def sides(self, texts: Texts) -> dict[str, Sequence[str]]:
        """See `StyleScorer.sides`."""
        return {EMPTY: texts.outputs}


class ChangeOfStyle(StyleScorer):
    """A metric that compares the output's style with its source's."""

    def sides(self, texts: Texts) -> dict[str, Sequence[str]]:
        """See `StyleScorer.sides`."""
        return {EMPTY_SOURCE: [each[0] if each else "" for each in texts.against]} | (
            {EMPTY: texts.outputs} if self.looks_at_output else {}
        )


def _as_predicted(after: Floats, target: None) -> Floats:
    return after


_AS_GOOD = (
    "It is as good as its classifier: see the held-out accuracy on the classifier's page, and "
    "whether its corpus resembles the study."
)
_EMD = "max(Σ(q − p)⁺, Σ(p − q)⁺)"


_seen_in_output = partial(
    MetricSpec,
    aspect="style",
    orientation="higher",
    needs=frozenset({"styles", "classifier"}),
    takes_masked=False,
)


class TargetStyleProbability(StyleOfOutput):
    """The probability of the target style that a style classifier sees in the output.

    Use it to measure style transfer of single outputs.

    Formula
    -------
    q(t): the probability that the classifier gives to the target style t of the output.

    Range
    -----
    0 … 1

    Distrust
    --------
    It says nothing of how far the source was from the target style. {_AS_GOOD}

    Citation
    --------
    Mir et al. 2019, target style score.
    """

    spec = _seen_in_output(
        key="target-style-probability",
        title="Target style probability",
    )

    compute = staticmethod(target_style_score)


class StyleAccuracy(StyleOfOutput):
    """Whether a style classifier finds the target style most likely.

    Its mean is the usual accuracy of a system.

    Formula
    -------
    1 if the classifier's likeliest style of the output is the target style, else 0; of several that
    are equally likely the first in the alphabet counts. The mean over a system is its accuracy
    (ACC).

    Range
    -----
    0 or 1

    Distrust
    --------
    A threshold hides how sure the classifier is; at segment level prefer the probability.
    {_AS_GOOD}

    Citation
    --------
    Hu et al. 2017; Shen et al. 2017.
    """

    spec = _seen_in_output(
        key="style-accuracy",
        title="Style accuracy",
    )

    @staticmethod
    def compute(after: Floats, target: Targets) -> Floats:
        """Return 1 where the likeliest style is the target."""
        return np.asarray(after.argmax(axis=1) == target, dtype=np.float64)


class StyleScore(StyleOfOutput):
    """The grade of style that a model trained on graded texts, such as texts with formality scores,
    gives to the output.

    Formula
    -------
    The grade that a model trained on graded texts gives to the output. It refers to one style:
    where another is wanted, reports mirror it at the midpoint.

    Range
    -----
    that of the grades in training, and somewhat beyond

    Distrust
    --------
    Regressors of sentence-level formality reach a rank correlation of about .45 with human ratings.
    {_AS_GOOD}

    Citation
    --------
    Lai et al. 2022, after Pavlick and Tetreault 2016.
    """

    spec = _seen_in_output(
        key="style-score",
        title="Style score of a regressor",
        needs=frozenset({"regressor"}),
        parameters=(
            Parameter(
                "midpoint",
                0.0,
                "The grade that lies between the two styles; where reports mirror the score.",
            ),
        ),
    )

    @property
    def speaks_of(self) -> str:
        """The one style that it grades."""
        return self.model.styles[0]

    @property
    def midpoint(self) -> float | None:
        """Where reports mirror the score."""
        return float(self.parameters["midpoint"])

    compute = staticmethod(_as_predicted)


class StyleDistribution(StyleOfOutput):
    """The probability of every style that a classifier sees in the output.

    It describes and does not judge: other style metrics are computed from it.

    Formula
    -------
    The probability that the classifier gives to each of its styles.

    Range
    -----
    0 … 1, summing to 1

    Citation
    --------
    Mir et al. 2019.
    """

    spec = _seen_in_output(
        key="style-distribution",
        title="Style distribution",
        orientation="descriptive",
        distrust=_AS_GOOD,
        needs=frozenset({"classifier"}),
        is_distribution=True,
    )

    @property
    def fields(self) -> tuple[str, ...]:
        """The classifier's styles."""
        return self.model.styles

    compute = staticmethod(_as_predicted)


_change = partial(
    MetricSpec,
    edge_cases=("undefined", "undefined", "undefined", "0", "0"),
    comparisons=("source",),
    needs=frozenset({"source", "styles", "classifier"}),
    takes_masked=False,
)


class StyleTransferIntensity(ChangeOfStyle):
    """How far the style moved from the source to the output, toward the target style or away from
    it.

    Formula
    -------
    Earth Mover's Distance between the style distributions p of the source and q of the output with
    unit distances between styles, {_EMD}; negative where the target style's probability falls.

    Range
    -----
    −1 … 1

    Distrust
    --------
    With more than two styles it also counts movement between styles that are not the target: see
    style-change. A source that has the target style already leaves no room. {_AS_GOOD}

    Citation
    --------
    Mir et al. 2019, direction-corrected EMD.
    """

    spec = _change(
        key="sti",
        title="Style transfer intensity",
        aspect="style",
        orientation="higher",
        is_default=True,
    )

    compute = staticmethod(direction_corrected_emd)


class StyleTransferShare(ChangeOfStyle):
    """How much of the possible change toward the target style was made.

    Use it where sources differ in how far they are from the target style.

    Formula
    -------
    With Δ = q(t) − p(t): Δ / (1 − p(t)) if Δ ≥ 0, else Δ / p(t). Undefined where the denominator is
    below 0.000001.

    Range
    -----
    −1 … 1

    Distrust
    --------
    Where the source nearly has the target style, small changes become large shares. {_AS_GOOD}

    Citation
    --------
    After Mir et al. 2019.
    """

    spec = _change(
        key="sti-share",
        title="Style transfer as a share of the possible",
        aspect="style",
        orientation="higher",
    )

    compute = staticmethod(share_of_the_possible)


class StyleChange(ChangeOfStyle):
    """How much more probable the target style is in the output than in the source.

    Formula
    -------
    Δ = q(t) − p(t). With two styles the same as STI, up to rounding.

    Range
    -----
    −1 … 1

    Citation
    --------
    Mir et al. 2019, for more than two styles.
    """

    spec = _change(
        key="style-change",
        title="Change of the target style's probability",
        aspect="style",
        orientation="higher",
        distrust=_AS_GOOD,
    )

    compute = staticmethod(target_style_change)


class TransferNeeded(ChangeOfStyle):
    """Whether the source lacks the target style, so that there is something to transfer.

    Use it to find segments without a task.

    Formula
    -------
    1 if the classifier's likeliest style of the source is not the target style, else 0: then the
    source had the target style before any transfer.

    Range
    -----
    0 or 1

    Distrust
    --------
    It describes the source, not the output. {_AS_GOOD}

    Citation
    --------
    After Mir et al. 2019.
    """

    spec = _change(
        key="transfer-needed",
        edge_cases=("scored", "scored", "undefined", "scored", "scored"),
        title="Transfer needed",
        aspect="description",
        orientation="descriptive",
    )
    looks_at_output = False

    @staticmethod
    def compute(before: Floats, target: Targets) -> Floats:
        """Return 1 where the source's likeliest style is not the target."""
        return np.asarray(before.argmax(axis=1) != target, dtype=np.float64)


SCORERS = (
    TargetStyleProbability,
    StyleAccuracy,
    StyleScore,
    StyleTransferIntensity,
    StyleTransferShare,
    StyleChange,
    TransferNeeded,
    StyleDistribution,
)
