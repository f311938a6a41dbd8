"""One number from several: means of scores of outputs, and Joint of a system."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from metrics.scorers.combination import (
    KINDS,
    Combination,
    Kind,
    ListedParts,
    PartFacts,
    PartScores,
    combine,
    not_judging,
    read_weights,
)
from metrics.scorers.scorer import Floats, Scores, Texts
from metrics.scorers.spec import MetricSpec, Parameter, ParameterError, Value

LOWER = {"refuse": "", "reciprocal": "1 / x", "reciprocal-log": "1 / ln x", "one-minus": "1 − x"}
"""What may become of a part whose lower scores are better."""
LIKELIHOOD = ("nll", "units")
_NAMES = (
    "by the name that the list of runs shows (bleu/references, bertscore-f/source); the metric "
    "alone is enough where only one run has it"
)


class OverallMean(ListedParts):
    """One score from several others, by their geometric, harmonic or arithmetic mean.

    Formula
    -------
    Of the scores xᵢ of one output with weights wᵢ: geometric mean exp(Σ wᵢ ln xᵢ / Σ wᵢ), harmonic
    mean Σ wᵢ / Σ (wᵢ / xᵢ), or arithmetic mean Σ wᵢ xᵢ / Σ wᵢ. A score that refers to one style is
    oriented toward the target style first.

    Range
    -----
    that of the scores

    Distrust
    --------
    Parts on different scales pull with different force. Where a part that is 0 leaves the geometric
    and harmonic mean undefined, outputs that failed are left out of means: with accuracy or BLEU,
    which are often 0, set zero=0, by which one part decides all.

    Citation
    --------
    Geometric: Xu et al. 2018, ACL; Krishna, Wieting and Iyyer 2020, EMNLP.
    """

    spec = MetricSpec(
        key="overall-mean",
        edge_cases=("as its parts", "as its parts", "as its parts", "scored", "scored"),
        title="Mean of several scores",
        aspect="overall",
        orientation="higher",
        needs=frozenset({"scores"}),
        parameters=(
            Parameter("parts", "", f"The scores to combine, by commas: {_NAMES}."),
            Parameter("kind", "geometric", "Which mean.", choices=KINDS),
            Parameter("weights", "", "Weights by commas, in the order of the parts; empty: equal."),
            Parameter(
                "lower",
                "refuse",
                "What becomes of a part x whose lower scores are better: refused, 1 / x "
                "(reciprocal), 1 / ln x as Joint does with perplexity (reciprocal-log), or 1 − x "
                "(one-minus).",
                choices=tuple(LOWER),
            ),
            Parameter(
                "zero",
                "undefined",
                "What a part of 0 makes of a geometric or harmonic mean: undefined, or 0.",
                choices=("undefined", "0"),
            ),
        ),
        takes_masked=False,
    )

    def check_weights(self, parts: int) -> None:
        """See `ListedParts.check_weights`."""
        _checked_weights(str(self.parameters["weights"]), parts)

    def objection(self, role: str, part: PartFacts) -> str:
        """See `Combination.objection`."""
        if part.orientation == "lower" and self.parameters["lower"] == "refuse":
            return "its lower scores are better: say with the parameter lower what becomes of them"
        return not_judging(part, ("higher", "lower"))

    def combine(self, texts: Texts, parts: Sequence[PartScores]) -> Scores:
        """See `Combination.combine`; the words of the first part that is missing are given."""
        undefined: dict[int, str] = {}
        weights = read_weights(str(self.parameters["weights"]), len(parts))
        counting = [
            part for place, part in enumerate(parts) if weights is None or weights[place] > 0
        ]
        columns = [self._turned(part, undefined) for part in counting]
        kind = cast(Kind, self.parameters["kind"])
        if kind != "arithmetic":
            is_zero_wrong = self.parameters["zero"] == "undefined"
            for part, values in zip(counting, columns, strict=True):
                wrong = values <= 0 if is_zero_wrong else values < 0
                limit = "positive scores" if is_zero_wrong else "scores from 0 on"
                for row in np.flatnonzero(wrong).tolist():
                    words = f"{part.label} is {values[row]:.4g}, and a {kind} mean takes {limit}"
                    undefined.setdefault(row, words)
        positive = None if weights is None else [each for each in weights if each > 0]
        combined = combine(np.column_stack(columns), positive, kind)
        combined[list(undefined)] = np.nan
        return Scores(combined.reshape(-1, 1), undefined, np.empty((len(combined), 0)))

    def _turned(self, part: PartScores, undefined: dict[int, str]) -> Floats:
        """Return a part's scores so that higher is better, and say why some are missing."""
        for row in np.flatnonzero(np.isnan(part.values)).tolist():
            undefined.setdefault(row, part.missing(row))
        rule = str(self.parameters["lower"])
        if not part.lower_is_better:
            return part.values
        if rule == "one-minus":
            return np.asarray(1 - part.values, dtype=np.float64)
        least = 1 if rule == "reciprocal-log" else 0
        usable = part.values > least
        for row in np.flatnonzero(part.values <= least).tolist():
            undefined.setdefault(
                row,
                f"{part.label} is {part.values[row]:.4g}: {LOWER[rule]} needs more than {least}",
            )
        safe = np.where(usable, part.values, np.e)
        turned = 1 / np.log(safe) if least else 1 / safe
        return np.asarray(np.where(usable, turned, np.nan), dtype=np.float64)


class Joint(Combination):
    """One score of a system from style accuracy, BLEU and fluency, as in the style transfer
    literature.

    Formula
    -------
    Of a system: (ACC · BLEU / ln PPL)^⅓; as the text of the paper has it, (ACC · BLEU · FL)^⅓ with
    a fluency score FL. ACC and FL are means over outputs, BLEU is the corpus score, PPL pooled,
    exp(Σ NLL / Σ N), each over the outputs for which its part is defined. All but PPL from 0 to 1.
    With weights a, b, c of style, content and fluency: (ACCᵃ · BLEUᵇ · Fᶜ)^(1/(a + b + c)), where F
    is 1 / ln PPL or FL.

    Range
    -----
    0 to 1 with a fluency score; without an end where PPL is near 1

    Distrust
    --------
    A copy of the source has a high BLEU and a low PPL and may win on two of three. Dividing by ln
    PPL is not the variant that the paper's text describes, but what its code does: never compare
    the two. Undefined where PPL is at most 1. The paper compares with all references and takes PPL
    under a model of the target style: other parts make another number.

    Citation
    --------
    TSTBench.
    """

    spec = MetricSpec(
        key="joint",
        edge_cases=("–", "–", "–", "–", "–"),
        title="Joint",
        aspect="overall",
        orientation="higher",
        fields=(),
        needs=frozenset({"scores"}),
        parameters=(
            Parameter(
                "style", "style-accuracy", f"Whether the style is right, from 0 to 1, {_NAMES}."
            ),
            Parameter("content", "bleu/references", "A run of BLEU that was scored here."),
            Parameter(
                "fluency",
                "ngram-perplexity",
                "A run of a perplexity that was scored here, or a fluency score from 0 to 1.",
            ),
            Parameter(
                "third",
                "perplexity",
                "The third factor: 1 / ln PPL, or a fluency score.",
                choices=("perplexity", "fluency"),
            ),
            Parameter(
                "scale",
                1.0,
                "By what ACC and BLEU are multiplied; 100 multiplies the result by 21.5.",
                minimum=1,
                maximum=100,
            ),
            Parameter(
                "weights",
                "",
                "Weights of style, content and fluency, by commas, such as 2,1,1; empty: equal.",
            ),
        ),
        takes_masked=False,
    )

    ROLES = ("style", "content", "fluency")

    def parts(self) -> dict[str, str]:
        """See `Combination.parts`."""
        names = {role: str(self.parameters[role]).strip() for role in self.ROLES}
        for role, name in names.items():
            if not name:
                raise ParameterError(f"{role}: name the score that Joint takes for it")
        _checked_weights(str(self.parameters["weights"]), len(names))
        return names

    def naming(self, names: Mapping[str, str]) -> dict[str, Value]:
        """See `Combination.naming`."""
        return self.parameters | dict(names)

    def objection(self, role: str, part: PartFacts) -> str:
        """See `Combination.objection`."""
        if role == "content":
            if part.metric == "bleu" and part.statistics:
                return ""
            return "Joint takes corpus BLEU, for which a run of bleu that was scored here is needed"
        if role == "fluency" and self.parameters["third"] == "perplexity":
            if part.statistics == LIKELIHOOD:
                return ""
            return (
                "Joint pools perplexities, for which it needs the likelihoods of a run that was "
                "scored here; set third=fluency to take a score of fluency"
            )
        return not_judging(part, ("higher",))


def _checked_weights(text: str, scores: int) -> None:
    """Raise `ParameterError` if weights cannot be those of so many scores."""
    try:
        read_weights(text, scores)
    except ValueError as error:
        words = str(error)
        raise ParameterError(
            words if words.startswith("weights") else f"weights: {words}"
        ) from None


SCORERS = (OverallMean, Joint)
