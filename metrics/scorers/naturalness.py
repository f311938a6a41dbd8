"""Naturalness by adversarial classifiers: can an output be told from sources?"""

from functools import partial
from typing import ClassVar

import numpy as np

from metrics.catalogue import ABOVE_SOURCE
from metrics.scorers.scorer import (
    Classifier,
    NaturalnessTexts,
    Scorer,
    Scores,
    Texts,
    Unavailable,
)
from metrics.scorers.spec import Library, MetricSpec, Parameter
from metrics.styles.adversarial import SOURCE, train_adversary
from metrics.styles.labelled import TrainingError
from metrics.styles.linear import BagOfWords, FrozenEmbeddings
from metrics.styles.model import Settings
from metrics.styles.word_networks import Lstm
from metrics.weights import minilm
from metrics.weights.files import fingerprint

EMPTY = ("the text is empty", "the source is empty")
NO_MODEL = "no model wrote this text that a classifier could be trained against"
_MIR = "Mir, Felbo, Obradovich and Rahwan 2019, Evaluating Style Transfer for Text, NAACL."
_FORMULA = (
    "P(source) by a classifier that was trained to tell the study's sources from the outputs of "
    "the same model (all its settings), even odds, cross-fitted: no text is scored by a "
    "classifier that saw it, its source or another text of its segment. The field above-source is "
    "the output's score less its source's by the same classifier. New texts in the study make a "
    "new run."
)
_RANGE = "0 to 1, 0.5 where sources and outputs cannot be told apart; above-source −1 to 1"
_DISTRUST = (
    "What is unlike the sources need not be unnatural: a change of style alone can give an output "
    "away. Scores by the classifiers of different models cannot be compared; above-source can "
    "better. Small studies train poor classifiers."
)
_PARAMETERS = (
    Parameter("folds", 5, "Into how many folds segments are divided.", minimum=2, maximum=20),
    Parameter("seed", 0, "What decides the folds.", minimum=0, maximum=2**31 - 1),
    Parameter(
        "most",
        20_000,
        "Texts of a model that are trained on; of more, segments are sampled.",
        minimum=100,
        maximum=1_000_000,
    ),
)


_naturalness = partial(
    MetricSpec,
    aspect="naturalness",
    orientation="higher",
    range=_RANGE,
    citation=_MIR,
    fields=("score", ABOVE_SOURCE),
    needs=frozenset({"source", "naturalness"}),
    parameters=_PARAMETERS,
    takes_masked=False,
)


class AdversarialNaturalness(Scorer):
    """What both kinds have in common. A model's classifiers are trained when it is first met."""

    kind: ClassVar[str]
    settings: ClassVar[Settings]

    def set_up(self) -> None:
        """Begin without classifiers."""
        self._adversaries: dict[str, Classifier | str] = {}

    @property
    def study(self) -> NaturalnessTexts:
        """The texts to train on; `Unavailable` if the run was given none."""
        if self.resources.naturalness is None:
            raise Unavailable(f"{self.spec.key} needs the texts of a study, to be trained on them")
        return self.resources.naturalness

    def fingerprint(self) -> dict[str, str]:
        """Return the hash of the texts that are trained on; see `Scorer.fingerprint`."""
        return {"naturalness": self.study.sha256}

    def score(self, texts: Texts) -> Scores:
        """Score outputs, and how far they are above their sources; see `Scorer.score`."""
        values, undefined = np.full((len(texts), 2), np.nan), dict[int, str]()
        rows_of: dict[str, list[int]] = {}
        for row, system in enumerate(texts.systems):
            model = self.study.models.get(system)
            if model is None:
                undefined[row] = NO_MODEL
            else:
                rows_of.setdefault(model, []).append(row)
        for model, rows in rows_of.items():
            classifier = self._adversary(model)
            if isinstance(classifier, str):
                undefined |= dict.fromkeys(rows, classifier)
                continue
            for column, side in enumerate((texts.outputs, texts.sources)):
                filled = [row for row in rows if side[row].strip()]
                undefined = dict.fromkeys(set(rows) - set(filled), EMPTY[column]) | undefined
                found = classifier.predict(
                    [side[row] for row in filled], [texts.segments[row] for row in filled]
                )
                values[filled, column] = found[:, classifier.styles.index(SOURCE)]
        values[:, 1] = values[:, 0] - values[:, 1]
        return Scores(values, undefined)

    def _adversary(self, model: str) -> Classifier | str:
        """Return a model's classifiers, trained once, or in words why there are none."""
        if model not in self._adversaries:
            folds, seed, most = (int(self.parameters[name]) for name in ("folds", "seed", "most"))
            try:
                self._adversaries[model] = train_adversary(
                    self.study.of_model(model),
                    self.kind,
                    self.settings,
                    folds=folds,
                    seed=seed,
                    most=most,
                )
            except TrainingError as error:
                self._adversaries[model] = f"no classifier could be trained: {error}"
        return self._adversaries[model]


class UnigramNaturalness(AdversarialNaturalness):
    """How hard it is to tell the output from the sources of the study, for a classifier that sees
    only which words occur.

    Formula
    -------
    {_FORMULA} Logistic regression on counts of words and signs.

    Distrust
    --------
    {_DISTRUST} It is blind to the order of words.
    """

    kind = BagOfWords.kind
    settings: ClassVar[Settings] = {
        "longest": 1,
        "fewest": 1,
        "weighting": "counts",
        "strength": 1.0,
    }
    spec = _naturalness(
        key="adversarial-naturalness-unigram",
        words_by="spaces",
        title="Adversarial naturalness, unigrams",
        libraries=(Library("scikit-learn"),),
        is_default=True,
    )


class NeuralNaturalness(AdversarialNaturalness):
    """How hard it is to tell the output from the sources of the study, for a classifier that sees
    sentence embeddings.

    Formula
    -------
    {_FORMULA} Logistic regression on MiniLM's sentence embeddings; the paper trains a convolutional
    network.

    Distrust
    --------
    {_DISTRUST} Sentence embeddings tell what a text is about better than whether it is grammatical.
    """

    kind = FrozenEmbeddings.kind
    settings: ClassVar[Settings] = {"model": minilm.NAME, "strength": 1.0}
    spec = _naturalness(
        key="adversarial-naturalness-neural",
        title="Adversarial naturalness, neural",
        libraries=(
            Library("scikit-learn"),
            Library("torch", "neural"),
            Library("transformers", "neural"),
        ),
        weights=(minilm.NAME,),
        is_default=True,
    )

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the texts and of the encoder's files."""
        return super().fingerprint() | fingerprint(minilm.files())


class LstmNaturalness(AdversarialNaturalness):
    """How hard it is to tell the output from the sources of the study, for a recurrent network that
    reads word by word.

    Formula
    -------
    {_FORMULA} A bidirectional LSTM of 50 numbers each way, trained from random weights; the paper
    trains a convolutional network.

    Distrust
    --------
    {_DISTRUST} A network that is trained anew on a few hundred texts is unsure of itself, and
    another seed gives other scores.
    """

    kind = Lstm.kind
    settings: ClassVar[Settings] = {"size": 50, "hidden": 50, "epochs": 8, "rate": 5e-3}
    spec = _naturalness(
        key="adversarial-naturalness-lstm",
        words_by="spaces",
        title="Adversarial naturalness, LSTM",
        libraries=(Library("torch", "neural"),),
    )


SCORERS = (UnigramNaturalness, NeuralNaturalness, LstmNaturalness)
