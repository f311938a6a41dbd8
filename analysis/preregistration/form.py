"""The form of a preregistration, filled in from its campaign as far as it is known."""

from typing import Any
from urllib.parse import parse_qs, urlencode

from django import forms

from analysis.filter.fields_of_kinds import check_asked
from analysis.filter.question import Question, QuestionError
from analysis.models import Preregistration
from analysis.preregistration.service import HEADINGS
from analysis.reports.catalogue import LISTED
from annotation.designs.stopping import rule_of
from annotation.models import Campaign

_LONGEST = 20_000


class PreregistrationForm(forms.Form):
    """Question, primary analysis and exclusions; design and rule are those of the campaign.

    A valid form has `kind` and `asked`, the report that is the primary analysis.
    """

    question = forms.CharField(
        label=HEADINGS["question"],
        max_length=_LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="What is to be found out, and what you expect.",
    )
    kind = forms.ChoiceField(
        label="Primary analysis: report",
        choices=[(each.key, f"{each.title}: {each.asks}") for each in LISTED],
    )
    filter = forms.CharField(
        label="Primary analysis: filter",
        required=False,
        max_length=2000,
        help_text="Campaign, aspect, test and every other choice, as in the address of the "
        "report’s page: paste the address, or what follows its question mark.",
    )
    exclusions = forms.CharField(
        label=HEADINGS["exclusions"],
        required=False,
        max_length=_LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Which annotators or ratings will not count, and by which rule.",
    )
    notes = forms.CharField(
        label=HEADINGS["notes"],
        required=False,
        max_length=_LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    public = forms.BooleanField(
        label="Let anybody read it",
        required=False,
        help_text="At an address that is made of its hash. Otherwise members of the study read it.",
    )

    asked: Question | None = None

    def __init__(
        self, campaign: Campaign, last: Preregistration | None = None, data: Any = None
    ) -> None:
        initial = proposed(campaign) if last is None else _of_last(last)
        super().__init__(data, initial=initial)

    def clean(self) -> dict[str, Any]:
        """Read the filter, and see whether the report could answer it."""
        values = self.cleaned_data
        if "kind" in values and "filter" in values:
            query = parse_qs(values["filter"].rpartition("?")[2].partition("#")[0])
            try:
                self.asked = Question.parse(query)
                check_asked(values["kind"], self.asked)
            except QuestionError as error:
                self.add_error("filter", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return values


def proposed(campaign: Campaign) -> dict[str, str]:
    """Return what a first plan of a campaign starts from."""
    asked = campaign.rules.questions(campaign.config)
    rule = rule_of(campaign.selection)
    aspect = rule.aspect if rule else asked[0].aspect
    query = {"campaign": campaign.slug, "aspect": aspect}
    text = f"Do the systems differ in {aspect.replace('_', ' ')}?"
    return {"question": text, "kind": "system-comparison", "filter": urlencode(query)}


def _of_last(last: Preregistration) -> dict[str, Any]:
    content = last.content
    return {
        **{name: content.get(name, "") for name in HEADINGS},
        "kind": content["primary"]["kind"],
        "filter": urlencode(content["primary"]["question"], doseq=True),
        "public": last.public,
    }
