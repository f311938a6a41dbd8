"""What style models see in two texts: styles before and after, and the words that decide."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Case, Q, QuerySet, When

from corpus.models import Study
from metrics.attribution.attribution import Attribution, units
from metrics.attribution.classifier import Baseline
from metrics.attribution.masking import (
    AS_IN_2022,
    AT_LEAST_ONE,
    REPORT_2022,
    RULES,
    MaskingRule,
    mask_by_attribution,
)
from metrics.models import TrainedModel
from metrics.resources.attributors import KEEP_SPECIAL, attributor, check_rule, is_attributable
from metrics.resources.loaders import TrainedThing
from metrics.resources.trained_models import stored_classifier
from metrics.runs.text_settings import NO_WORD_LEFT
from metrics.scorers.scorer import Unavailable
from metrics.styles.evaluation import quality_words
from metrics.trials.trial import Trial

MOST_MODELS = 8
"""Style models that are asked about one pair of texts."""
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5)
STEPS = (0.005, 0.1, 0.2, 0.3, 0.4)
"""Shares of all attribution from which on a word has the next deeper of five colours."""
NOT_OF_THE_STUDY = -1
"""Segment of a text that no fold of a cross-fitted model is known to have seen."""


@dataclass(frozen=True, slots=True)
class StyleRow:
    """One style as a model sees it in the source and in the output."""

    style: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """By how much the output has more of it."""
        return self.after - self.before


@dataclass(frozen=True)
class StyleView:
    """What one model sees, or why it sees nothing."""

    model: TrainedModel
    quality: str
    rows: tuple[StyleRow, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class ColouredPart:
    """A word with its attribution, or what stands between words."""

    text: str
    share: float | None = None
    """Of all attribution, with the sign of the word's own; None between words."""

    @property
    def step(self) -> int:
        """How deep its colour is, 0 to 5."""
        return sum(abs(self.share or 0.0) >= step for step in STEPS)

    @property
    def hundredths(self) -> str:
        """Its share as shown over the word, with its sign."""
        rounded = round(100 * (self.share or 0.0))
        return f"{'+' if rounded > 0 else '−' if rounded < 0 else ''}{abs(rounded)}"

    @property
    def css_class(self) -> str:
        """Class of its colour; empty for none."""
        if not self.step:
            return ""
        return f"{'for' if (self.share or 0.0) > 0 else 'against'}-{self.step}"


class MaskedText(NamedTuple):
    """A text masked at a threshold, and the reason where there is none."""

    threshold: float
    text: str
    undefined: str


@dataclass(frozen=True)
class ColouredText:
    """A text whose words are coloured, and the same masked at each threshold."""

    name: str
    parts: tuple[ColouredPart, ...]
    masked: tuple[MaskedText, ...]


@dataclass(frozen=True)
class Explanation:
    """Which words a classifier owes its view of one style to, or why that is not known."""

    model: TrainedModel | None = None
    style: str = ""
    texts: tuple[ColouredText, ...] = ()
    missing: str = ""
    rule: str = AT_LEAST_ONE
    """By which the texts are masked where one word exceeds a threshold."""

    @property
    def rule_words(self) -> str:
        """The rule in words."""
        return RULES[self.rule]


def models_for(
    user: User | AnonymousUser, study: Study | None = None
) -> QuerySet[TrainedModel, TrainedModel]:
    """Return the style models that a person may use: of their studies, and shared ones."""
    visible = Study.objects.visible_to(user)
    models = TrainedModel.objects.style_models()
    models = models.filter(Q(study__in=visible) | Q(study=None))
    models = models.select_related("study")
    if study is None:
        return models.order_by("-pk")
    return models.order_by(Case(When(study=study, then=0), default=1), "-pk")


def style_views(trial: Trial, models: Sequence[TrainedModel]) -> list[StyleView]:
    """Ask each model about source and output."""
    return [_style_view(trial, model) for model in models]


def explanation(trial: Trial, model: TrainedModel | None) -> Explanation:
    """Attribute the target style, or the likeliest style of the output, to words."""
    if model is None:
        return Explanation(
            missing="no style classifier is chosen; train or register one on the page Styles"
        )
    if not is_attributable(model):
        return Explanation(
            missing=f"{model.name} has no word attributions: they are of one classifier with "
            "probabilities, not cross-fitted; choose or train such a one"
        )
    try:
        return _explained(trial, model)
    except (Unavailable, ValueError) as error:
        return Explanation(missing=str(error))


def _style_view(trial: Trial, model: TrainedModel) -> StyleView:
    quality = quality_words(model.report)
    try:
        texts = [trial.source, trial.output]
        before, after = stored_classifier(model).predict(texts, [NOT_OF_THE_STUDY] * 2)
    except Unavailable as error:
        return StyleView(model, quality, missing=str(error))
    rows = zip(model.styles, before.tolist(), after.tolist(), strict=True)
    return StyleView(model, quality, tuple(StyleRow(*row) for row in rows))


def _explained(trial: Trial, model: TrainedModel) -> Explanation:
    stored = stored_classifier(model)
    stored.models  # noqa: B018  # Damaged files are refused here.
    baseline: Baseline = "pad-all" if trial.rule == AS_IN_2022 else KEEP_SPECIAL
    attributing = attributor(TrainedThing(model.name, model.sha256, stored), baseline=baseline)
    check_rule(attributing, MaskingRule(), baseline)
    styles = attributing.styles
    if trial.target_style in styles:
        column = styles.index(trial.target_style)
    else:
        [probabilities] = stored.predict([trial.output], [NOT_OF_THE_STUDY])
        column = styles.index(stored.styles[int(probabilities.argmax())])
    texts = {"Source": trial.source, "Output": trial.output}
    found = attributing.attributions(list(texts.values()), [column] * len(texts))
    return Explanation(
        model,
        styles[column],
        tuple(
            ColouredText(name, tuple(_parts(text, each)), tuple(_masked(text, each, trial.rule)))
            for (name, text), each in zip(texts.items(), found, strict=True)
        ),
        rule=trial.rule,
    )


def _parts(text: str, attribution: Attribution) -> Iterator[ColouredPart]:
    """Cut a text into words with their shares and what stands between them."""
    place = 0
    for unit in units(text, attribution):
        if unit.start > place:
            yield ColouredPart(text[place : unit.start])
        share = unit.share if unit.value >= 0 else -unit.share
        yield ColouredPart(text[unit.start : unit.end], share)
        place = unit.end
    if place < len(text):
        yield ColouredPart(text[place:])


def _masked(text: str, attribution: Attribution, rule: str) -> Iterator[MaskedText]:
    for threshold in THRESHOLDS:
        masking = (
            MaskingRule(threshold, **REPORT_2022)
            if rule == AS_IN_2022
            else MaskingRule(threshold, at_least_one=rule == AT_LEAST_ONE)
        )
        masked = mask_by_attribution(text, attribution, masking)
        reason = attribution.limit_reason or (NO_WORD_LEFT if masked.is_emptied else "")
        yield MaskedText(threshold, masked.text, reason)
