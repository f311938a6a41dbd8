"""The form by which owners choose the segments of a new campaign."""

from typing import Any

from django import forms

from analysis.choosing.candidates import Candidates
from analysis.choosing.service import SegmentsAsked
from annotation.forms.short import NewCampaignForm

SHARE = 4
"""A quarter of the segments is proposed."""
TITLE = "Chosen segments"


class ChooseSegmentsForm(NewCampaignForm):
    """Which segments are chosen, and what the campaign that rates them is called."""

    by = forms.ChoiceField(label="Chosen by")
    segments = forms.IntegerField(min_value=1)
    way = forms.ChoiceField(
        label="How",
        choices=[
            ("probability", "at random, with probabilities that are known: means can be weighted"),
            ("top", "the best: for comparing systems only"),
        ],
        initial="probability",
        widget=forms.RadioSelect,
    )
    strata = forms.MultipleChoiceField(
        label="Within",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Each part of the study gets its share of the segments, and at least one.",
    )
    allocation = forms.ChoiceField(
        label="Share of each part",
        choices=[("proportional", "in proportion to its segments"), ("equal", "as many as others")],
        required=False,
    )
    unrated = forms.BooleanField(label="Only segments that nobody rated", required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**31, initial=1, help_text="Of the sample.")
    field_order = (
        *("by", "segments", "way", "strata", "allocation", "unrated", "seed"),
        *("title", "slug", "follows"),
    )

    def __init__(self, among: Candidates, data: Any = None) -> None:
        super().__init__(data, initial={"title": TITLE})
        self.fields["title"].widget.attrs.pop("autofocus", None)
        self.fields["by"].choices = among.ways  # type: ignore[attr-defined]
        self.fields["segments"].initial = max(1, len(among.rows) // SHARE)
        self.fields["segments"].help_text = f"Of {len(among.rows):,}."
        if among.strata:
            names = [(name, name) for name in among.strata]
            self.fields["strata"].choices = names  # type: ignore[attr-defined]
        else:
            del self.fields["strata"], self.fields["allocation"]

    @property
    def asked(self) -> SegmentsAsked:
        """What a valid form asks for."""
        values = self.cleaned_data
        return SegmentsAsked(
            by=values["by"],
            count=values["segments"],
            way=values["way"],
            allocation=values.get("allocation") or "proportional",
            strata=tuple(values.get("strata") or ()),
            unrated=values["unrated"],
            seed=values["seed"],
        )
