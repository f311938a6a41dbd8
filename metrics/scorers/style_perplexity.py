"""Fluency by one causal language model for each style: that of the target style is asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.language_models import causal
from metrics.language_models.causal import CausalLanguageModel
from metrics.scorers.perplexity import RULES, UNIT, WINDOW, perplexities, pooled, pooled_all
from metrics.scorers.scorer import Floats, Scorer, Scores, Texts, Unavailable
from metrics.scorers.spec import Library, MetricSpec, Parameter, ParameterError
from metrics.weights import smollm2
from metrics.weights.hashing import fingerprint
from metrics.weights.registered import MODELS


class StylePerplexity(Scorer):
    """exp(NLL / N) of the output under the causal model of its target style."""

    spec = MetricSpec(
        key="style-perplexity",
        title="Perplexity under causal models of the target style",
        summary="How predictable the output is for a language model that was trained on texts of "
        "the target style. Each style has a model of its own.",
        aspect="fluency",
        orientation="lower",
        formula="exp(NLL / N) under the causal model of the text's target style: NLL = −Σ ln "
        "P(token | tokens before) and N the number of tokens, or of words where the unit is the "
        f"word. {RULES} A system's value is the mean over its outputs, or pooled: "
        "exp(Σ NLL / Σ N).",
        range="above 1 per token, without an end",
        distrust="Values of two directions come from two models and cannot be compared with each "
        "other: compare systems within a direction. It says how far an output is from the texts "
        "that the model was trained on, as much as how fluent it is. Otherwise as perplexity. "
        "Undefined where a text's target style has no model.",
        citation="Lai et al. 2022: two GPT-2 models, one for each style.",
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
        libraries=(Library("torch", "neural"), Library("transformers", "neural")),
        statistics=("nll", "units"),
        takes_masked=False,
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._models = models_by_style(str(self.parameters["models"]))
        self._loaded: dict[str, CausalLanguageModel] = {}

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of each style's model."""
        return {
            f"{style}: {name}": sha256
            for style, model in self._named().items()
            for name, sha256 in fingerprint(causal.files(model)).items()
        }

    def score(self, texts: Texts) -> Scores:
        """Score outputs; see `Scorer.score`."""
        found = np.full((len(texts), 2), np.nan)
        for style in self._named():
            rows = [row for row, target in enumerate(texts.target_styles) if target == style]
            if rows:
                found[rows] = self._likelihood(style, [texts.outputs[row] for row in rows])
        return perplexities(
            texts.outputs, found, styles=texts.target_styles, model="causal language model"
        )

    def corpus_score(self, statistics: Floats) -> float:
        """Return the pooled perplexity, exp(Σ NLL / Σ N)."""
        return pooled(statistics)

    def corpus_scores(self, sums: Floats) -> Floats:
        """Return pooled perplexities; see `Scorer.corpus_scores`."""
        return pooled_all(sums)

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


SCORERS = (StylePerplexity,)
