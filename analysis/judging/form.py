"""The form that asks a judge what raters are asked."""

from typing import Any

from django import forms

from analysis.judging.asked import Judging
from analysis.judging.questions import aspects_of
from corpus.models import Study
from corpus.pages.choices import offer
from metrics.scorers.chat_completions import allowed_addresses
from metrics.weights.registered import MODELS

SEPARATOR = "\x1f"
LOCAL = "a model of this machine"


def _price(label: str, help_text: str = "") -> forms.FloatField:
    return forms.FloatField(
        label=label, required=False, min_value=0, max_value=1e9, initial=0, help_text=help_text
    )


class JudgingForm(forms.Form):
    """Which question is put to whom, and what it may cost."""

    question = forms.ChoiceField(required=False, help_text="Asked as the campaign asks its raters.")
    guidelines = forms.BooleanField(
        required=False,
        initial=True,
        label="Put the campaign’s guidelines before the question",
        help_text="They make every prompt longer.",
    )
    segments = forms.IntegerField(
        required=False,
        min_value=0,
        initial=0,
        help_text="Of pairs of all systems: how many segments are compared; 0 for all.",
    )
    base_url = forms.ChoiceField(required=False, label="Address")
    model = forms.CharField(max_length=200, initial="smollm2")
    answer = forms.ChoiceField(
        choices=[
            ("weighted", "the mean weighted by probabilities"),
            ("greedy", "the number that it writes"),
        ],
        label="Answer of a model of this machine",
    )
    price_in = _price("Price of a million tokens read")
    price_out = _price("Price of a million tokens written")
    budget = _price(
        "Budget",
        "0 for no limit. Where it is used up the run stops, its answers are kept, and the same "
        "form with a larger budget goes on.",
    )

    def __init__(self, study: Study, data: Any = None, campaign: str = "") -> None:
        super().__init__(data)
        questions = [
            (f"{each.slug}{SEPARATOR}{aspect}", f"{each}: {aspect}")
            for each in study.campaigns.all()
            for aspect in aspects_of(each)
        ]
        pairs = ("", "Which of two outputs is better, for all pairs of systems")
        offer(self, "question", [*questions, pairs])
        chosen = [key for key, _ in questions if key.startswith(f"{campaign}{SEPARATOR}")]
        self.fields["question"].initial = (chosen if campaign else [""])[0] if chosen else ""
        addresses = allowed_addresses()
        offer(self, "base_url", [("", LOCAL), *((each, each) for each in addresses)])
        local = ", ".join(("smollm2", *MODELS.names()))
        self.fields[
            "model"
        ].help_text = f"On this machine: {local}. At an address: as the address knows it."

    @property
    def judging(self) -> Judging:
        """What a valid form asks for."""
        values = dict(self.cleaned_data)
        campaign, _, aspect = values.pop("question").partition(SEPARATOR)
        numbers = ("segments", "price_in", "price_out", "budget")
        values |= {name: values[name] or 0 for name in numbers}
        return Judging(campaign, aspect, **values)
