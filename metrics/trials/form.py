"""The form of the try-it page: two texts, and what is known of them."""

from collections.abc import Sequence
from typing import Any

from django import forms

from corpus.pages.choices import offer
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.models import TrainedModel
from metrics.resources.attributors import is_attributable, usual_model
from metrics.trials.trial import LONGEST_TEXT, Trial

_LENGTH = f"Up to {LONGEST_TEXT:,} characters."


def _text(label: str, **options: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={
            "max_length": f"The text has %(show_value)d characters; up to {LONGEST_TEXT:,} are "
            "read here. Shorten it, or import it into a study and score it there."
        },
        **options,
    )


class TrialForm(forms.Form):
    """Two texts, and what is known of them."""

    source = _text("Source", help_text=_LENGTH)
    output = _text("Output", help_text=_LENGTH)
    reference = _text(
        "Reference", required=False, help_text="A human-written text to compare with."
    )
    target_style = forms.ChoiceField(
        required=False, help_text="The style that the output should have; style metrics need it."
    )
    model = forms.ChoiceField(
        required=False,
        label="Style model",
        help_text="Used to colour words and to compute style metrics. Distributions are shown "
        "for all models.",
    )
    rule = forms.ChoiceField(
        required=False,
        label="Where one word exceeds the threshold",
        choices=list(RULES.items()),
        help_text="How masking treats such a text; the first choice is the published rule.",
    )

    def __init__(
        self,
        models: Sequence[TrainedModel],
        styles: Sequence[str],
        data: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(data, **options)
        self._models = {str(model.pk): model for model in models}
        known = dict.fromkeys([*styles, *(style for model in models for style in model.styles)])
        offer(self, "target_style", [("", "not said"), *((each, each) for each in known)])
        labels = [(key, _label(model)) for key, model in self._models.items()]
        offer(self, "model", labels or [("", "none is trained yet")])
        usual = usual_model(models)
        if usual is not None:
            self.fields["model"].initial = str(usual.pk)

    @property
    def trial(self) -> Trial:
        """Texts of a valid form."""
        names = ("source", "output", "reference", "target_style")
        given = {name: self.cleaned_data[name] for name in names}
        return Trial(**given, rule=self.cleaned_data["rule"] or AT_LEAST_ONE)

    @property
    def chosen_model(self) -> TrainedModel | None:
        """Model of a valid form; the usual one where none was sent."""
        key = self.cleaned_data["model"] or self.fields["model"].initial or ""
        return self._models.get(key) or next(iter(self._models.values()), None)


def _label(model: TrainedModel) -> str:
    owner = f" of {model.study}" if model.study else ""
    note = "" if is_attributable(model) else " (words stay uncoloured)"
    return f"{model.name}{owner}{note}"
