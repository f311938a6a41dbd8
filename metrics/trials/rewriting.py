"""The form that rewrites a source, and what comes of it."""

from typing import Any

from django import forms

from corpus.pages.choices import offer
from metrics.language_models.rewriting import Decoding, load
from metrics.trials.trial import LONGEST_TEXT
from metrics.weights.registered import REWRITERS

_USUAL = Decoding()
NOTHING = "The model wrote nothing; try other settings or another task prefix."


class RewriteForm(forms.Form):
    """Which model rewrites, and how it decodes."""

    rewriter = forms.ChoiceField(label="Model")
    task = forms.CharField(
        label="Task prefix",
        required=False,
        max_length=100,
        strip=False,
        help_text="For example the prefix with which a T5 model was trained.",
    )
    beams = forms.IntegerField(initial=_USUAL.beams, min_value=1, max_value=8)
    sample = forms.BooleanField(
        required=False, help_text="Sample tokens instead of taking the most probable one."
    )
    temperature = forms.FloatField(
        initial=1.0,
        min_value=0.05,
        max_value=5,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="For sampling: values below 1 prefer probable tokens.",
    )
    top_k = forms.IntegerField(
        label="Top k",
        required=False,
        initial=_USUAL.top_k,
        min_value=0,
        max_value=100_000,
        help_text="For sampling: from the k most probable tokens only; 0 for all.",
    )
    top_p = forms.FloatField(
        label="Top p",
        required=False,
        initial=_USUAL.top_p,
        min_value=0.01,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="For sampling: from the fewest tokens that together have this probability.",
    )
    longest = forms.IntegerField(
        label="Most tokens", initial=_USUAL.longest, min_value=1, max_value=256
    )
    seed = forms.IntegerField(initial=0, min_value=0, max_value=2**32 - 1)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        names = REWRITERS.names()
        offer(self, "rewriter", [(name, name) for name in names])
        self.is_offered = bool(names)

    def rewritten(self, source: str) -> str:
        """Return what the model makes of a source.

        Raises
        ------
        metrics.scorers.scorer.Unavailable
            If the model is not there.
        """
        values = self.cleaned_data
        names = ("beams", "sample", "temperature", "longest", "seed", "top_k", "top_p")
        given = {name: values[name] for name in names if values[name] is not None}
        decoding = Decoding(**given)
        model = load(values["rewriter"])
        return model.rewrite(values["task"] + source, decoding)[:LONGEST_TEXT]
