"""Forms of the metrics page and of the score page, made from what metrics declare of themselves."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict

from corpus.models import Study
from corpus.pages.choices import offer
from metrics.catalogue import MetricFacts, declared_metric
from metrics.forms.parameters import ParametersForm
from metrics.models import Metric
from metrics.resources.attributors import is_attributable
from metrics.resources.loaders import TRAINED
from metrics.resources.trained_models import models_of
from metrics.runs.requests import REFERENCE, Planner, RequestError, RunRequest
from metrics.runs.text_settings import PARAMETERS, PRESETS
from metrics.scorers.asking import AskingScorer
from metrics.scorers.registry import scorers
from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import MetricSpec, ParameterError, need_words

_NUMBER = forms.NumberInput(attrs={"step": "any"})


class MetricForm(forms.Form):
    """What is declared of one metric."""

    orientation = forms.ChoiceField(choices=Metric.Orientation.choices, label="direction")
    target = forms.FloatField(required=False, widget=_NUMBER, label="target value")
    speaks_of = forms.ChoiceField(required=False, label="speaks of")
    midpoint = forms.FloatField(required=False, widget=_NUMBER, label="midpoint")

    def __init__(self, metric: Metric, styles: Sequence[str], data: Any = None) -> None:
        stored = {name: getattr(metric, name) for name in self.base_fields}
        super().__init__(data, prefix=f"metric-{metric.pk}", initial=stored)
        self.metric = metric
        styles = list(dict.fromkeys([*styles, *filter(None, [metric.speaks_of])]))
        offer(self, "speaks_of", [("", "no single style"), *((style, style) for style in styles)])
        for name, field in self.fields.items():
            field.widget.attrs["aria-label"] = f"{metric.name}: {field.label}"
            if name in ("target", "midpoint"):
                field.widget.attrs["class"] = "short"

    def clean(self) -> dict[str, Any]:
        """Check what belongs together as an import does."""
        values = self.cleaned_data
        if self.errors:
            return values
        for name in ("target", "midpoint"):
            if values[name] is not None and not math.isfinite(values[name]):
                self.add_error(name, "Expected a finite number.")
        declaration = {name: value for name, value in values.items() if value not in ("", None)}
        try:
            self.facts: MetricFacts = declared_metric(declaration, self.metric.name)
        except ValueError as error:
            self.add_error(None, str(error))
        return values


CHOICE = ""
ATTRIBUTION = "attribution"
_BY = (("lexicon", "a style lexicon"), (ATTRIBUTION, "word attributions of a classifier"))
_TEXTS = (
    ("plain", "as they are"),
    ("style_removed", "style words removed"),
    ("style_masked", "style words masked"),
)


@dataclass(frozen=True)
class OfferedMetric:
    """A metric as the form shows it."""

    spec: MetricSpec
    checked: bool
    missing: str
    """What must be done or chosen before it can be scored; empty if nothing."""
    warning: str
    """Why its words do not fit the study's language; empty if they do."""
    is_available: bool
    fields: list[forms.BoundField]

    @property
    def is_open(self) -> bool:
        """Whether it is chosen, or something about it has to be corrected."""
        return self.checked or any(field.errors for field in self.fields)


class ScoreForm(ParametersForm):
    """Which metrics shall be scored, and how.

    The parameters of a metric are called ``<metric>:<parameter>``.
    """

    against = forms.ChoiceField(
        required=False, label="Compared with", help_text="For metrics that compare at all."
    )
    text = forms.ChoiceField(choices=_TEXTS, initial="plain", label="Texts")
    by = forms.ChoiceField(required=False, label="Style words by")
    lexicon = forms.ChoiceField(required=False, help_text="Defines which words are style words.")
    threshold = forms.FloatField(
        required=False,
        min_value=0,
        help_text="Words with a smaller weight are kept; 0 masks every word of the lexicon.",
    )
    placeholder = forms.CharField(required=False, max_length=40, help_text="For masked words.")

    def __init__(self, study: Study, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self._chosen = None if data is None else data.getlist("metric")
        self._planner = Planner(study)
        self._add_texts(study)
        references = self._planner.references
        against = [(CHOICE, "what each metric prefers"), ("source", "the source")]
        if references:
            against += [(f"{REFERENCE}.{n}", f"reference {n}") for n in range(1, references + 1)]
            against += [(REFERENCE, "each reference, one run for each")] if references > 1 else []
            against += [("references", "all references at once")]
        offer(self, "against", against)
        self._add_models()
        for key, scorer in scorers().items():
            self.add_parameters(key, scorer.spec.parameters, study.language)

    def _add_texts(self, study: Study) -> None:
        """Offer what can say which words are style words: lexicons, attributions of a model."""
        lexicons = [(name, name) for name in study.lexicons.values_list("name", flat=True)]
        classifiers = filter(is_attributable, models_of(study))
        models = [(model.name, model.name) for model in classifiers if not model.is_graded]
        offer(self, "lexicon", lexicons)
        offer(
            self, "by", [each for each, some in zip(_BY, (lexicons, models), strict=True) if some]
        )
        if models:
            self.fields[f"{ATTRIBUTION}:model"] = forms.ChoiceField(
                choices=models, required=False, label="Classifier"
            )
            presets = [(name, name or "none") for name in PRESETS]
            self.fields[f"{ATTRIBUTION}:preset"] = forms.ChoiceField(
                choices=presets,
                required=False,
                help_text="Settings that you do not change come from this preset.",
            )
            self.add_parameters(ATTRIBUTION, PARAMETERS)
        if not lexicons:
            for name in ("lexicon", "threshold", "placeholder"):
                del self.fields[name]
        if not (lexicons or models):
            del self.fields["by"]
            offer(self, "text", _TEXTS[:1])

    def _text(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the text setting that was chosen; what is as usual is left to its preset."""
        text = {"kind": values.get("text", "plain"), "by": values.get("by") or "lexicon"}
        if text["kind"] == "plain":
            return {}
        if text["by"] == "lexicon":
            return text | {
                name: values.get(name) for name in ("lexicon", "threshold", "placeholder")
            }
        usual = {parameter.name: parameter.default for parameter in PARAMETERS}
        return text | {
            name: value
            for name, value in self.given_to(ATTRIBUTION).items()
            if str(value) != str(usual.get(name))
        }

    @property
    def attribution(self) -> list[forms.BoundField]:
        """Fields of masks by word attributions; none where no model has any."""
        return self.fields_of(ATTRIBUTION)

    def _add_models(self) -> None:
        """Ask for trained models where a metric needs some."""
        needed = {need for scorer in scorers().values() for need in scorer.spec.needs}
        # Classifiers of naturalness are trained by the run itself.
        self._needs = [need for need in TRAINED if need in needed and need != "naturalness"]
        for need in self._needs:
            self.fields[f"model-{need}"] = forms.CharField(
                required=False,
                label=need_words(need)[:1].upper() + need_words(need)[1:],
                help_text="Name or hash of a trained model. Empty: the only existing model.",
            )

    def groups(self) -> Iterator[tuple[str, list[OfferedMetric]]]:
        """Yield metrics by what they measure, in the order of the registry; judges apart."""
        aspects: dict[str, list[OfferedMetric]] = {}
        for key, scorer in scorers().items():
            if not issubclass(scorer, AskingScorer):
                aspects.setdefault(scorer.spec.aspect, []).append(self._offered(key))
        yield from aspects.items()

    @cached_property
    def judges(self) -> list[OfferedMetric]:
        """Metrics that ask language models: many, and each takes long."""
        found = (key for key, scorer in scorers().items() if issubclass(scorer, AskingScorer))
        return [self._offered(key) for key in found]

    @property
    def shows_judges(self) -> bool:
        """Whether the judges are in sight from the beginning."""
        return any(judge.is_open for judge in self.judges)

    def _offered(self, key: str) -> OfferedMetric:
        spec = scorers()[key].spec
        missing, warning, is_available = self._missing(key)
        checked = (
            key in self._chosen if self._chosen is not None else spec.is_default and not missing
        )
        return OfferedMetric(spec, checked, missing, warning, is_available, self.fields_of(key))

    def _missing(self, key: str) -> tuple[str, str, bool]:
        """Say what a metric lacks, what to mind, and whether something on this page may help it."""
        try:
            return "", self._planner.plan(RunRequest(key)).warning, True
        except RequestError as error:
            return str(error), "", True
        except Unavailable as error:
            return str(error), "", bool(scorers()[key].spec.parameters)

    def clean(self) -> dict[str, Any]:
        """Turn what was sent into requests."""
        values = self.cleaned_data
        chosen = self._chosen or []
        unknown = [key for key in chosen if key not in scorers()]
        if unknown or not chosen:
            what = f"There is no metric {unknown[0]!r}." if unknown else "Choose a metric."
            raise forms.ValidationError(what)
        text = self._text(values)
        self.requests: list[RunRequest] = []
        for key in chosen:
            spec = scorers()[key].spec
            names = {parameter.name: f"{key}:{parameter.name}" for parameter in spec.parameters}
            try:
                parameters = spec.read({name: values[place] for name, place in names.items()})
            except (ParameterError, KeyError) as error:
                name = str(error).partition(":")[0]
                self.add_error(names.get(name), str(error))
                continue
            models: dict[str, str] = {
                need: values[f"model-{need}"]
                for need in self._needs
                if need in spec.needs and values.get(f"model-{need}")
            }
            against = values.get("against", "") if any(spec.comparisons) else ""
            self.requests.append(RunRequest(key, parameters, against, text, models))
        return values
