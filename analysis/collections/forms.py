"""Forms of collections: a new one from a preset, its tasks, a metric that is added."""

from typing import Any
from urllib.parse import parse_qs, urlencode

from django import forms
from django.contrib.auth.models import User

from analysis.collections.changing import CollectionError, checked
from analysis.collections.content import STATISTICS
from analysis.collections.presets import PRESETS, tasks_of_preset
from analysis.models import Collection, CollectionTask
from corpus.models import Study
from corpus.pages.choices import offer
from metrics.scorers.registry import scorers

LONGEST_KEY = 18


class _Studies(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Studies that are ticked."""

    def clean(self, value: Any) -> Any:
        """Refuse numbers that no database holds, which it would not look up."""
        if any(len(str(pk)) > LONGEST_KEY for pk in value or ()):
            raise forms.ValidationError("Choose studies of the list.")
        return super().clean(value)


class NewCollectionForm(forms.Form):
    """A name, studies, and how tasks are made of them."""

    title = forms.CharField(max_length=200)
    slug = forms.SlugField(
        max_length=100,
        label="Short name",
        help_text="Part of the address; letters, digits, hyphens. It does not change later.",
    )
    preset = forms.ChoiceField(
        choices=[(key, f"{preset.title}. {preset.about}") for key, preset in PRESETS.items()],
        widget=forms.RadioSelect,
        initial=next(iter(PRESETS)),
    )
    studies = _Studies(
        queryset=Study.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        help_text="Each study is one language pair or one data set.",
    )
    aspect = forms.CharField(
        max_length=100,
        required=False,
        help_text="What was rated, such as style. If empty, the first aspect of each study.",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        studies: Any = self.fields["studies"]
        studies.queryset = Study.objects.visible_to(user).order_by("slug")

    def clean(self) -> dict[str, Any]:
        """Make tasks of what was sent."""
        values = self.cleaned_data
        if self.errors:
            return values
        try:
            self.tasks = tasks_of_preset(
                values["preset"], list(values["studies"]), aspect=values["aspect"]
            )
        except CollectionError as error:
            self.add_error(None, f"{error}.")
        return values


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """What holds for the whole collection."""

    class Meta:
        model = Collection
        fields = ("title", "description", "unit_range", "correction", "draws", "seed")
        labels = {
            "unit_range": "Correlations enter the average as (r + 1) / 2",
            "correction": "Correction for the number of pairs",
            "draws": "Draws of tests and intervals",
        }
        help_texts = {
            "unit_range": "They then range from 0 to 1, as accuracies do.",
            "draws": "More draws take longer and give finer p-values.",
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}


class TaskForm(forms.Form):
    """One task; without a study it is none."""

    task: CollectionTask | None = None
    study = forms.ModelChoiceField(queryset=Study.objects.none(), required=False, label="Study")
    name = forms.CharField(max_length=100, required=False, label="Name")
    statistic = forms.ChoiceField(
        choices=[(key, statistic.title) for key, statistic in STATISTICS.items()], label="Statistic"
    )
    weight = forms.FloatField(min_value=0.000001, initial=1, label="Weight")
    pool = forms.CharField(max_length=100, required=False, label="Pool")
    standard_reference = forms.CharField(max_length=100, required=False, label="Reference")
    human_ties = forms.ChoiceField(
        choices=[("exact", "equal scores"), ("rounded", "up to rounding")], label="Human ties"
    )
    question = forms.CharField(
        max_length=1000,
        required=False,
        label="Only",
        help_text="As in addresses of reports: aspect=style&humans=in",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        studies: Any = self.fields["study"]
        studies.queryset = Study.objects.visible_to(user).order_by("slug")
        place = str(self.prefix or "").rpartition("-")[2]
        if place.isdecimal():
            for field in self.fields.values():
                field.widget.attrs["aria-label"] = f"{field.label} of task {int(place) + 1}"
        self.fields["question"].widget.attrs["size"] = 40

    def clean(self) -> dict[str, Any]:
        """Turn what was sent into a task."""
        values = self.cleaned_data
        if self.errors or not values.get("study"):
            return values
        given = {name: values[name] for name in self.base_fields}
        task = CollectionTask(**given | {"question": parse_qs(values["question"])})
        try:
            checked(task, 1)
        except CollectionError as error:
            self.add_error(None, f"{error}.")
        else:
            self.task = task
        return values


def initial_of(task: CollectionTask) -> dict[str, Any]:
    """Return what the form of a task begins with."""
    question = urlencode(task.question, doseq=True)
    return forms.model_to_dict(task, fields=TaskForm.base_fields) | {"question": question}


class RunMetricForm(forms.Form):
    """A metric of the registry that is computed in every study."""

    metric = forms.ChoiceField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        specs = (each.spec for each in scorers().values())
        offered = [(s.key, s.title) for s in specs if "scores" not in s.needs]
        offer(self, "metric", offered)


class ScoresForm(forms.Form):
    """Files of a metric's scores, one for each study; at least one."""

    def __init__(self, studies: list[Study], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for study in studies:
            self.fields[f"study-{study.pk}"] = forms.FileField(
                label=str(study), required=False, help_text="segment, system, metric, score"
            )
        self.studies = studies

    def clean(self) -> dict[str, Any]:
        """Keep the files that were sent, by study."""
        values = self.cleaned_data
        self.files_of = {
            study: values[f"study-{study.pk}"]
            for study in self.studies
            if values.get(f"study-{study.pk}")
        }
        if not self.errors and not self.files_of:
            self.add_error(None, "Choose a file for at least one study.")
        return values
