"""Fluency by language models: how predictable a text is, also for models of its target style."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from metrics.language_models import causal
from metrics.language_models.causal import CausalLanguageModel
from metrics.scorers.scorer import Floats, Scorer, Scores, Texts, Unavailable
from metrics.scorers.spec import Library, MetricSpec, Parameter, ParameterError, WordsBy
from metrics.weights import smollm2
from metrics.weights.files import fingerprint
from metrics.weights.registered import MODELS

EMPTY = "the text is empty"
TOO_SHORT = "the text has nothing to predict under this model"
OVERFLOW = "the perplexity is beyond the largest number"
_JELINEK = "Jelinek, Mercer, Bahl and Baker 1977, J. Acoust. Soc. Am. 62"
UNIT = Parameter(
    "unit",
    "token",
    "What the likelihood is shared among: tokens of the model, or words between white space, "
    "which lets models with different tokens be compared.",
    choices=("token", "word"),
)
WINDOW = Parameter(
    "window",
    1024,
    "Most tokens that the model sees at once; longer texts are read in windows that overlap "
    "by half.",
    minimum=16,
    maximum=131072,
)
RULES = (
    "Natural logarithm; <|endoftext|>, else the model's start symbol, precedes the text and is not "
    "counted; no end symbol. float32."
)


_perplexity = partial(
    MetricSpec,
    aspect="fluency",
    orientation="lower",
    statistics=("nll", "units"),
    takes_masked=False,
)
_neural = partial(
    _perplexity, libraries=(Library("torch", "neural"), Library("transformers", "neural"))
)
_causal = partial(
    _neural, citation=_JELINEK, parameters=(causal.MODEL, UNIT, WINDOW), weights=("smollm2",)
)


class PooledScorer(Scorer):
    """A perplexity, whose corpus score is exp(Σ NLL / Σ N); NaN of no units."""

    model_of_style: ClassVar[str] = ""
    """What the model of one style is called; empty where one model serves all."""

    @abstractmethod
    def likelihoods(self, texts: Texts) -> Floats:
        """Return −ln P and the number of units of each output; NaN without a model of its style."""

    def score(self, texts: Texts) -> Scores:
        """Score outputs; see `Scorer.score`."""
        statistics, undefined = self.likelihoods(texts), dict[int, str]()
        for row, (text, style) in enumerate(zip(texts.outputs, texts.target_styles, strict=True)):
            reason = _reason(text, statistics[row])
            if self.model_of_style and np.isnan(statistics[row]).any():
                reason = (
                    f"there is no {self.model_of_style} of style {style!r}"
                    if style
                    else "the study does not say which style the text should have"
                )
            if reason:
                undefined[row] = reason
                statistics[row] = np.nan
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            values = np.exp(statistics[:, 0] / statistics[:, 1])
        for row in np.flatnonzero(np.isinf(values)).tolist():
            undefined[row], values[row] = OVERFLOW, np.nan
        return Scores(values.reshape(-1, 1), undefined, statistics)

    def corpus_score(self, statistics: Floats) -> float:
        """Return the pooled perplexity; see `Scorer.corpus_score`."""
        nll, units = statistics.tolist()
        return math.exp(nll / units) if units else math.nan

    def corpus_scores(self, sums: Floats) -> Floats:
        """Return pooled perplexities; see `Scorer.corpus_scores`."""
        nll, units = sums[..., 0], sums[..., 1]
        means = np.divide(nll, units, out=np.full_like(nll, np.nan), where=units > 0)
        return np.asarray(np.exp(means), dtype=np.float64)


class CausalScorer(Scorer):
    """What metrics under a causal language model share."""

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files."""
        return fingerprint(causal.files(str(self.parameters["model"])))

    @property
    def words_by(self) -> WordsBy:
        """White space, where likelihoods are shared among words."""
        return "spaces" if self.parameters["unit"] == "word" else ""

    def likelihood(self, texts: Sequence[str]) -> Floats:
        """Return −ln P and the number of units of each text, shape (texts, 2)."""
        model = causal.load(
            str(self.parameters["model"]), int(self.parameters["window"]), self.resources.cache
        )
        return causal.likelihood(model, texts, str(self.parameters["unit"]))


class Perplexity(PooledScorer, CausalScorer):
    """How predictable the output is for a language model.

    Use it to compare the fluency of texts of one style and similar length.

    Formula
    -------
    exp(NLL / N): NLL = −Σ ln P(token | tokens before) and N the number of tokens, or of words where
    the unit is the word. {RULES} A system's value is the mean over its outputs, or pooled: exp(Σ
    NLL / Σ N).

    Range
    -----
    above 1 per token, without an end

    Distrust
    --------
    Common and repetitive sentences look better than rare and good ones; short texts look worse than
    long ones; a fluent text of another style or with another meaning looks as good. Means are ruled
    by the few worst outputs. Values under different models or units cannot be compared.
    """

    spec = _causal(key="perplexity", title="Perplexity")

    def likelihoods(self, texts: Texts) -> Floats:
        """See `PooledScorer.likelihoods`."""
        return self.likelihood(texts.outputs)


class RelativePerplexity(CausalScorer):
    """How much less predictable the output is than its source, for a language model.

    Formula
    -------
    ln PPL(output) − ln PPL(source), or the reference where one is compared with; PPL = exp(NLL /
    N). {RULES}

    Range
    -----
    any number; 0 where both are as predictable, below 0 where the output is more so

    Distrust
    --------
    A copy of the source has 0. An output that drops the rare words of its source looks more fluent
    than it. Otherwise as perplexity.
    """

    spec = _causal(
        key="relative-perplexity",
        edge_cases=("undefined", "undefined", "undefined", "0", "0"),
        title="Perplexity relative to the source",
        comparisons=("source", "reference"),
        statistics=("nll", "units", "nll_compared", "units_compared"),
    )

    def score(self, texts: Texts) -> Scores:
        """Score outputs against one text each; see `Scorer.score`."""
        compared = [each[0] if each else "" for each in texts.against]
        both = self.likelihood([*texts.outputs, *compared])
        statistics = np.hstack([both[: len(texts)], both[len(texts) :]])
        undefined = {}
        for row, (output, other) in enumerate(zip(texts.outputs, compared, strict=True)):
            reason = _reason(output, statistics[row, :2])
            if not reason and (reason := _reason(other, statistics[row, 2:])):
                reason = f"nothing to compare with: {reason}"
            if reason:
                undefined[row] = reason
                statistics[row] = np.nan
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = statistics[:, [0, 2]] / statistics[:, [1, 3]]
        return Scores((rates[:, 0] - rates[:, 1]).reshape(-1, 1), undefined, statistics)

    def corpus_score(self, statistics: Floats) -> float:
        """Return the difference of the logarithms of both pooled perplexities."""
        nll, units, nll_compared, units_compared = statistics.tolist()
        return float(nll / units - nll_compared / units_compared) if units else math.nan


class NgramPerplexity(PooledScorer):
    """How predictable the output is for an n-gram model of texts in the target style.

    Formula
    -------
    exp(NLL / N) under the n-gram model of the text's target style: interpolated, modified
    Kneser–Ney. Natural logarithm; N counts words and signs and one end symbol; a word that the
    model never saw is its unknown word.

    Range
    -----
    above 1

    Distrust
    --------
    It says how far an output is from the texts of one style that the model was trained on, their
    subjects included, as much as how fluent it is. Sees a few words at a time. Undefined where a
    text's target style has no model.

    Citation
    --------
    Chen and Goodman 1999, Computer Speech and Language 13; Heafield 2011, WMT.
    """

    spec = _perplexity(
        key="ngram-perplexity",
        words_by="spaces",
        title="Perplexity under n-grams of the target style",
        needs=frozenset({"styles", "language_model"}),
    )

    model_of_style = "n-gram model"

    def likelihoods(self, texts: Texts) -> Floats:
        """See `PooledScorer.likelihoods`."""
        model = self.resources.language_model
        if model is None:
            raise ValueError(f"{self.spec.key} was given no language model")
        found = model.negative_log_likelihood(texts.outputs, texts.target_styles)
        return np.column_stack(found)


class LstmPerplexity(NgramPerplexity):
    """How predictable the output is for an LSTM that was trained on texts in the target style.

    Formula
    -------
    exp(NLL / N) under the LSTM language model of the text's target style. Natural logarithm; N
    counts words and signs and one end symbol. Words that the model saw in too few texts are one
    unknown word, of which it knows how often any of them occurs.

    Range
    -----
    above 1

    Distrust
    --------
    It says how far an output is from the texts of one style that the model was trained on, their
    subjects included, as much as how fluent it is. A text of rare words looks predictable, because
    all of them are one unknown word: never compare its values with those of n-grams, or of a model
    with another vocabulary. Undefined where a text's target style has no model.

    Citation
    --------
    Mikolov et al. 2010, Interspeech; Mir et al. 2019.
    """

    spec = _perplexity(
        key="lstm-perplexity",
        words_by="spaces",
        title="Perplexity under an LSTM of the target style",
        needs=frozenset({"styles", "lstm_language_model"}),
        libraries=(Library("torch", "neural"),),
    )
    model_of_style = "LSTM language model"


def _reason(text: str, likelihood: Any) -> str:
    if not text.strip():
        return EMPTY
    return "" if likelihood[1] else TOO_SHORT


class StylePerplexity(PooledScorer):
    """How predictable the output is for a language model that was trained on texts of the target
    style. Each style has a model of its own.

    Formula
    -------
    exp(NLL / N) under the causal model of the text's target style: NLL = −Σ ln P(token | tokens
    before) and N the number of tokens, or of words where the unit is the word. {RULES} A system's
    value is the mean over its outputs, or pooled: exp(Σ NLL / Σ N).

    Range
    -----
    above 1 per token, without an end

    Distrust
    --------
    Values of two directions come from two models and cannot be compared with each other: compare
    systems within a direction. It says how far an output is from the texts that the model was
    trained on, as much as how fluent it is. Otherwise as perplexity. Undefined where a text's
    target style has no model.

    Citation
    --------
    Lai et al. 2022: two GPT-2 models, one for each style.
    """

    spec = _neural(
        key="style-perplexity",
        title="Perplexity under causal models of the target style",
        needs=frozenset({"styles"}),
        parameters=(
            Parameter(
                "models",
                "",
                "Styles and their models by commas: formal=gpt2-formal, informal=gpt2-informal. "
                "A model is smollm2, or a causal language model that the administrator lists.",
            ),
            UNIT,
            WINDOW,
        ),
    )

    model_of_style = "causal language model"

    def set_up(self) -> None:
        """Read which model each style has."""
        self._models = models_by_style(str(self.parameters["models"]))
        self._loaded: dict[str, CausalLanguageModel] = {}

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of each style's model."""
        return {
            f"{style}: {name}": sha256
            for style, model in self._named().items()
            for name, sha256 in fingerprint(causal.files(model)).items()
        }

    def likelihoods(self, texts: Texts) -> Floats:
        """See `PooledScorer.likelihoods`."""
        found = np.full((len(texts), 2), np.nan)
        for style in self._named():
            rows = [row for row, target in enumerate(texts.target_styles) if target == style]
            if rows:
                found[rows] = self._likelihood(style, [texts.outputs[row] for row in rows])
        return found

    def _named(self) -> dict[str, str]:
        if not self._models:
            raise Unavailable(
                f"{self.spec.key}: set the parameter models to one model for each style, such as "
                "formal=gpt2-formal, informal=gpt2-informal; the administrator lists models in "
                f"{MODELS.variable}"
            )
        return self._models

    def _likelihood(self, style: str, texts: Sequence[str]) -> Floats:
        """Return −ln P and the number of units of texts under the model of a style."""
        if style not in self._loaded:
            # All stay in memory: blocks of a study mix its styles.
            window = int(self.parameters["window"])
            self._loaded[style] = causal.load(self._models[style], window, self.resources.cache)
        return causal.likelihood(self._loaded[style], texts, str(self.parameters["unit"]))


def models_by_style(text: str) -> dict[str, str]:
    """Read styles and names of their models.

    Raises
    ------
    ParameterError
        If a style has no model or two, or a model is not on the administrator's list.

    Examples
    --------
    >>> models_by_style("formal=smollm2")
    {'formal': 'smollm2'}
    """
    found: dict[str, str] = {}
    known = (smollm2.NAME, *MODELS.names())
    for entry in filter(None, map(str.strip, text.split(","))):
        style, _, model = map(str.strip, entry.rpartition("="))
        if not style:
            raise ParameterError(f"models: found {entry[:100]!r}, expected a style and its model")
        if model not in known:
            raise ParameterError(
                f"models: found {model[:100]!r}, expected one of {', '.join(known)}; the "
                f"administrator lists names in {MODELS.variable}"
            )
        if style in found:
            raise ParameterError(f"models: the style {style!r} has two models")
        found[style] = model
    return found


SCORERS = (Perplexity, RelativePerplexity, NgramPerplexity, LstmPerplexity, StylePerplexity)
