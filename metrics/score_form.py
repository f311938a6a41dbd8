"""The form of the score page, made from what the metrics declare of themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from corpus.models import Study
from metrics.resources import TRAINED
from metrics.run_requests import REFERENCE, Planner, RequestError, RunRequest
from metrics.scorers.registry import scorers
from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import MetricSpec, Parameter, ParameterError

CHOICE = ""
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
    """What must be done before it can be scored; empty if nothing."""
    fields: list[forms.BoundField]


class ScoreForm(forms.Form):
    """Which metrics shall be scored, and how.

    The parameters of a metric are called ``<metric>:<parameter>``.
    """

    against = forms.ChoiceField(
        required=False,
        label="Compared with",
        help_text="For metrics that compare at all.",
    )
    text = forms.ChoiceField(choices=_TEXTS, initial="plain", label="Texts")
    lexicon = forms.ChoiceField(required=False, help_text="Says which words are style words.")
    threshold = forms.FloatField(
        required=False, min_value=0, help_text="Words with a smaller weight stay; 0 keeps none."
    )
    placeholder = forms.CharField(required=False, max_length=40, help_text="For masked words.")

    def __init__(self, study: Study, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self._chosen = None if data is None else data.getlist("metric")
        self._planner = Planner(study)
        lexicons = [(name, name) for name in study.lexicons.values_list("name", flat=True)]
        self._choices("lexicon", lexicons)
        references = self._planner.references
        against = [(CHOICE, "what each metric prefers"), ("source", "the source")]
        if references:
            against += [(f"{REFERENCE}.{n}", f"reference {n}") for n in range(1, references + 1)]
            against += [(REFERENCE, "each reference, one run for each")] if references > 1 else []
            against += [("references", "all references at once")]
        self._choices("against", against)
        if not lexicons:
            for name in ("lexicon", "threshold", "placeholder"):
                del self.fields[name]
            self._choices("text", _TEXTS[:1])
        self._add_models()
        for key, scorer in scorers().items():
            for parameter in scorer.spec.parameters:
                self.fields[f"{key}:{parameter.name}"] = parameter_field(parameter)

    def _choices(self, name: str, choices: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = choices

    def _add_models(self) -> None:
        """Ask for trained models where a metric needs some."""
        needed = {need for scorer in scorers().values() for need in scorer.spec.needs}
        self._needs = [need for need in TRAINED if need in needed]
        for need in self._needs:
            self.fields[f"model-{need}"] = forms.CharField(
                required=False,
                label=need.replace("_", " ").capitalize(),
                help_text="Name or hash of a trained model; empty: the only one there is.",
            )

    @property
    def settings(self) -> list[forms.BoundField]:
        """Fields that hold for every metric."""
        return [self[name] for name in self.fields if ":" not in name]

    def groups(self) -> Iterator[tuple[str, list[OfferedMetric]]]:
        """Yield metrics by what they measure, in the order of the registry."""
        aspects: dict[str, list[OfferedMetric]] = {}
        for key, scorer in scorers().items():
            spec, missing = scorer.spec, self._missing(key)
            checked = (
                key in self._chosen if self._chosen is not None else spec.is_default and not missing
            )
            fields = [self[f"{key}:{parameter.name}"] for parameter in spec.parameters]
            offered = OfferedMetric(spec, checked, missing, fields)
            aspects.setdefault(spec.aspect, []).append(offered)
        yield from aspects.items()

    def _missing(self, key: str) -> str:
        try:
            self._planner.plan(RunRequest(key))
        except (RequestError, Unavailable) as error:
            return str(error)
        return ""

    def clean(self) -> dict[str, Any]:
        """Turn what was sent into requests."""
        values = self.cleaned_data
        chosen = self._chosen or []
        unknown = [key for key in chosen if key not in scorers()]
        if unknown or not chosen:
            what = f"There is no metric {unknown[0]!r}." if unknown else "Choose a metric."
            raise forms.ValidationError(what)
        text = {"kind": values.get("text")}
        text |= {name: values.get(name) for name in ("lexicon", "threshold", "placeholder")}
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


def parameter_field(parameter: Parameter) -> forms.Field:
    """Make the field of a parameter; the parameter itself says what it takes."""
    common: dict[str, Any] = {
        "required": False,
        "initial": parameter.default,
        "label": parameter.name.replace("_", " "),
        "help_text": parameter.help,
    }
    if isinstance(parameter.default, bool):
        return forms.BooleanField(**common)
    if parameter.choices:
        choices = [(each, each) for each in parameter.choices]
        return forms.ChoiceField(choices=choices, **common)
    if isinstance(parameter.default, str):
        if "\n" in parameter.default:
            return forms.CharField(strip=False, widget=forms.Textarea, **common)
        return forms.CharField(**common)
    attributes = {"step": "1" if isinstance(parameter.default, int) else "any"}
    limits = {"min": parameter.minimum, "max": parameter.maximum}
    attributes |= {name: f"{limit:g}" for name, limit in limits.items() if limit is not None}
    return forms.CharField(widget=forms.NumberInput(attrs=attributes), **common)
