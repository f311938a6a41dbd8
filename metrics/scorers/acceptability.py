"""Fluency by a classifier of acceptable sentences."""

import numpy as np

from metrics.language_models import sequence_classifier
from metrics.language_models.sequence_classifier import SequenceClassifier
from metrics.scorers.scorer import Scorer, Scores, Texts, Unavailable
from metrics.scorers.spec import Library, MetricSpec, Parameter
from metrics.weights import local
from metrics.weights.files import fingerprint
from metrics.weights.registered import MODELS

EMPTY = "the text is empty"


class Acceptability(Scorer):
    """How probable it is that the output is acceptable language, by a classifier trained on
    judgements of acceptability.

    Formula
    -------
    P(acceptable) by a sequence classifier that was trained on judgements of acceptability, such as
    CoLA; the class is chosen by its name or number.

    Range
    -----
    0 to 1

    Distrust
    --------
    Classifiers of acceptability are trained on examples from textbooks of grammar: informal,
    tokenised or lower-case text looks unacceptable whatever its fluency. No weights come with this
    program. A text longer than the model takes is undefined.

    Citation
    --------
    Warstadt, Singh and Bowman 2019, TACL 7; as fluency of transfer: Krishna, Wieting and Iyyer
    2020, EMNLP.
    """

    spec = MetricSpec(
        key="acceptability",
        title="Acceptability",
        aspect="fluency",
        orientation="higher",
        parameters=(
            sequence_classifier.MODEL,
            Parameter("label", "1", "Name or number of the class of acceptable texts."),
        ),
        libraries=(Library("torch", "neural"), Library("transformers", "neural")),
        takes_masked=False,
    )

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files; see `Scorer.fingerprint`."""
        return fingerprint(local.files(self._model))

    def score(self, texts: Texts) -> Scores:
        """Score outputs; see `Scorer.score`."""
        classifier = sequence_classifier.load(self._model)
        column = self._column(classifier)
        undefined = {row: EMPTY for row, text in enumerate(texts.outputs) if not text.strip()}
        rows = [row for row in range(len(texts)) if row not in undefined]
        values = np.full((len(texts), 1), np.nan)
        if rows:
            found = classifier.predict([texts.outputs[row] for row in rows])
            values[rows, 0] = found[:, column]
        too_long = f"the text is longer than the {classifier.limit} tokens that the model takes"
        undefined |= {row: too_long for row in rows if np.isnan(values[row, 0])}
        return Scores(values, undefined)

    @property
    def _model(self) -> str:
        name = str(self.parameters["model"])
        if not name:
            raise Unavailable(
                "acceptability: no weights come with this program; set the parameter model to a "
                f"sequence classifier that the administrator lists in {MODELS.variable}"
            )
        return name

    def _column(self, classifier: SequenceClassifier) -> int:
        label, labels = str(self.parameters["label"]), classifier.labels
        if label in labels:
            return labels.index(label)
        if label.isdecimal() and int(label) < len(labels):
            return int(label)
        raise Unavailable(
            f"acceptability: the model has no class {label!r}; it has {', '.join(labels)}, "
            f"numbered from 0"
        )


SCORERS = (Acceptability,)
