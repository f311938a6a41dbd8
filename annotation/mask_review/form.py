"""The form in which an owner chooses what masks style words."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.campaigns.edits import last_choice_of_mask
from annotation.masks.masking import chosen_mask, recipes
from annotation.models import Campaign
from corpus.pages.choices import offer
from corpus.pages.versioned_form import Change, VersionedForm
from corpus.texts.masking import (
    LONGEST_PLACEHOLDER,
    PLACEHOLDER,
    PlaceholderError,
    check_placeholder,
)


class MaskForm(VersionedForm):
    """A lexicon with its threshold and placeholder, or masked texts that were imported."""

    source = forms.ChoiceField(label="Masked by")
    threshold = forms.FloatField(
        label="Smallest weight",
        min_value=0,
        initial=0,
        required=False,
        help_text="For a lexicon: words with a smaller absolute weight stay. With 0, all its "
        "words are masked.",
    )
    placeholder = forms.CharField(
        label="Placeholder",
        initial=PLACEHOLDER,
        max_length=LONGEST_PLACEHOLDER,
        required=False,
        help_text="Replaces a word of the lexicon.",
    )

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        self.campaign = campaign
        chosen = chosen_mask(campaign)
        initial = {**chosen, "source": _named(campaign, chosen)}
        super().__init__(data, initial=initial)
        lexicons = campaign.study.lexicons.values_list("name", flat=True)
        self.offered = [(f"lexicon:{name}", f"lexicon {name}") for name in lexicons]
        self.offered += [
            (f"recipe:{name}", f"masked texts {name}") for name in recipes(campaign.study)
        ]
        offer(self, "source", self.offered)

    def last_change(self, name: str) -> Change | None:
        """Return who last chose a mask."""
        return last_choice_of_mask(self.campaign)

    def clean_placeholder(self) -> str:
        """Return the placeholder, if it can be told from words."""
        placeholder = self.cleaned_data["placeholder"] or PLACEHOLDER
        try:
            check_placeholder(placeholder)
        except PlaceholderError as error:
            raise forms.ValidationError(str(error)) from None
        return str(placeholder)

    @property
    def chosen(self) -> dict[str, Any]:
        """What a campaign keeps of a valid form."""
        kind, _, name = self.cleaned_data["source"].partition(":")
        if kind == "recipe":
            return {"recipe": name}
        return {
            "lexicon": name,
            "threshold": self.cleaned_data["threshold"] or 0,
            "placeholder": self.cleaned_data["placeholder"],
        }


def _named(campaign: Campaign, chosen: Mapping[str, Any]) -> str:
    """Return the choice that is stored, as the form names it."""
    if "recipe" in chosen:
        return f"recipe:{chosen['recipe']}"
    lexicon = chosen.get("lexicon", "")
    if isinstance(lexicon, int):
        found = campaign.study.lexicons.filter(pk=lexicon).values_list("name", flat=True).first()
        lexicon = found or ""
    return f"lexicon:{lexicon}"
