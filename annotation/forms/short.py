"""Short forms of owners: a new campaign, annotators, contacts, withdrawals."""

from typing import Any

from django import forms
from django.utils.text import slugify

from annotation.protocols.catalogue import LIVE, PRESETS

MOST_ADDED = 500


class NewCampaignForm(forms.Form):
    """What a campaign is called and which protocol it follows; all else comes next."""

    title = forms.CharField(
        max_length=150,
        help_text="Shown to annotators above the guidelines.",
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    slug = forms.SlugField(
        label="Short name",
        required=False,
        max_length=60,
        help_text="Part of addresses: letters, digits and hyphens. Empty: made from the title.",
    )
    follows = forms.ChoiceField(
        label="What is asked",
        choices=[
            ("As in a study", [(f"preset:{key}", each.title) for key, each in PRESETS.items()]),
            ("One protocol", [(f"protocol:{key}", each.title) for key, each in LIVE.items()]),
        ],
        help_text="A preset may make several campaigns. You can change every setting afterwards.",
    )

    def clean(self) -> dict[str, Any]:
        """Make a short name where none is given."""
        values = self.cleaned_data
        if "title" in values and "slug" in values and not values["slug"]:
            values["slug"] = slugify(values["title"])[:60].strip("-")
            if not values["slug"]:
                self.add_error("slug", "No short name can be made from this title: enter one.")
        return values


class AddAnnotatorsForm(forms.Form):
    """How many more people are to rate."""

    count = forms.IntegerField(label="How many more", min_value=1, max_value=MOST_ADDED, initial=1)


class ContactForm(forms.Form):
    """Who an annotator is; seen by owners only, and deletable."""

    name = forms.CharField(max_length=200, required=False)
    email = forms.EmailField(label="E-mail", required=False)


class WithdrawForm(forms.Form):
    """Why an annotator's work is not to count."""

    reason = forms.CharField(max_length=1000, widget=forms.Textarea(attrs={"rows": 2}))
