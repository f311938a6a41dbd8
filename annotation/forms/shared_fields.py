"""Fields for what a campaign decides for itself, or a set for all of its campaigns.

Which texts are rated by how many people, what they consent to, and how they take part.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation.forms.sections import Fields, stated_load
from annotation.models import Campaign
from annotation.protocols.language import LANGUAGES, language_of
from annotation.selection.rated_systems import offered_systems, rated_by_default
from corpus.models import Study
from corpus.studies.overview import directions
from corpus.texts.segments import segment_attributes

LONGEST_TEXT = 50_000
MOST_ANNOTATORS = 1000
DESIGNS = [
    (
        value,
        f"{label}: outputs at random, equal loads" if value == Campaign.Design.OVERLAP else label,
    )
    for value, label in Campaign.Design.choices
]


class _Number(forms.NumberInput):
    """A number that a browser lets be empty."""

    def use_required_attribute(self, initial: Any) -> bool:
        """Never: which of three numbers may be empty is for their owner to say."""
        return False


class OneOfThree(forms.IntegerField):
    """One of three numbers of which two are wanted, so that none is called optional."""

    widget = _Number

    def clean(self, value: Any) -> int | None:
        """Return the number; None where it is empty."""
        return None if value in self.empty_values else super().clean(value)


def of_sample(campaigns: Sequence[Campaign]) -> Fields:
    """Return which texts are rated."""
    fields: Fields = {}
    study, selection = campaigns[0].study, campaigns[0].selection
    systems = offered_systems(study)
    fields["systems"] = _boxes(
        "Systems",
        [
            (str(each.pk), f"{each.name} ({each.why_not})" if each.why_not else each.name)
            for each in systems
        ],
        [str(pk) for pk in selection.get("system_ids") or rated_by_default(study)],
        "Annotators never see these names. Baselines and copies are rated only if you select them.",
    )
    if not campaigns[0].chosen_segments:
        fields |= _of_segments(study, selection)
    if any(campaign.rules.layout.rates_sources for campaign in campaigns):
        fields["sources"] = box("Rate the sources too", selection.get("sources"))
    fields["references"] = box("Rate the references too", selection.get("references"))
    return fields


def _of_segments(study: Study, selection: Mapping[str, Any]) -> Fields:
    """Return which segments are rated, where they were not chosen before."""
    fields: Fields = {}
    ways = [
        (f"{row['source_style']}-to-{row['target_style']}", f"{row['name']} ({row['segments']})")
        for row in directions(study)
    ]
    if len(ways) > 1:
        chosen = selection.get("directions") or [value for value, _ in ways]
        fields["directions"] = _boxes("Directions", ways, chosen)
    fields["segments"] = forms.IntegerField(
        label="Segments",
        required=False,
        min_value=1,
        initial=selection.get("segments"),
        help_text="This many are sampled, in proportion to directions, the same for every "
        "system. Empty: all.",
    )
    names = [each.name for each in segment_attributes(study) if each.values]
    if names:
        fields["strata"] = _boxes(
            "Sample in proportion by",
            [(name, name) for name in names],
            selection.get("strata") or [],
            "Attributes of segments: each value gets the same share in the sample as in the study.",
            required=False,
        )
    return fields


def of_design(campaign: Campaign, *, whole: str = "") -> Fields:
    """Return who rates what; `whole` says over what the items of one person are counted."""
    fields: Fields = {}
    fields["design"] = forms.ChoiceField(
        choices=DESIGNS, initial=campaign.design, widget=forms.RadioSelect
    )
    stated = stated_load(campaign)
    for name, label, words in (
        ("ratings_per_item", "Ratings per item", "By different people."),
        ("annotators", "Annotators", ""),
        (
            "items_per_person",
            "Items per annotator",
            f"{whole}Control and practice items are added.",
        ),
    ):
        fields[name] = OneOfThree(
            label=label,
            min_value=1,
            max_value=None if name == "items_per_person" else MOST_ANNOTATORS,
            initial=stated[name],
            help_text=words,
        )
    names = [each.name for each in segment_attributes(campaign.study)]
    if names:
        fields["batches"] = forms.ChoiceField(
            label="Batches by",
            required=False,
            initial=campaign.selection.get("batches", ""),
            choices=[("", "chosen at random"), *((name, name) for name in names)],
            help_text="For fixed batches only: segments with the same value form a batch.",
        )
    return fields


def of_language(campaign: Campaign) -> Fields:
    """Return the language of the pages."""
    return {
        "language": forms.ChoiceField(
            choices=list(LANGUAGES.items()),
            initial=language_of(campaign.config),
            help_text="Language of the rating pages; texts may be in another. Questions, "
            "guidelines and scale labels that you have not changed follow it.",
        )
    }


def of_consent(campaign: Campaign) -> Fields:
    """Return what annotators agree to and are asked about themselves."""
    fields: Fields = {}
    fields["consent"] = long_text(
        "Consent", campaign.consent, 5, "Shown first. Empty: annotators are not asked."
    )
    fields["content_warning"] = long_text("Content warning", campaign.content_warning, 2)
    fields["questions"] = long_text(
        "Questions about the annotator",
        "\n".join(campaign.questions),
        3,
        "One per line, such as “First language”. Annotators may skip them.",
    )
    return fields


def of_access(campaign: Campaign, invite_code: str) -> Fields:
    """Return how people take part."""
    fields: Fields = {}
    fields["lease_minutes"] = forms.IntegerField(
        label="Minutes that an item stays reserved",
        min_value=1,
        max_value=7 * 24 * 60,
        initial=max(campaign.lease_seconds // 60, 1),
        help_text="Shared queue: after this time without activity, the item goes to another "
        "annotator.",
    )
    fields["by_code"] = box(
        "Let annotators join by a shared address",
        bool(invite_code),
        "For crowd platforms: each person who opens it takes one slot.",
    )
    return fields


def apply_shared(campaign: Campaign, values: Mapping[str, Any]) -> None:
    """Write the values of these fields into a campaign, which is not stored."""
    systems = [int(pk) for pk in values["systems"]]
    by_default = set(systems) == set(rated_by_default(campaign.study))
    campaign.selection = {
        **campaign.selection,
        # What comes later is rated too, unless the owner chose.
        "system_ids": [] if by_default else systems,
        "directions": values.get("directions") or [],
        "strata": values.get("strata") or [],
        **{name: values.get(name) for name in ("segments", "sources", "references", "batches")},
    }
    campaign.config = {**campaign.config, "language": values["language"]}
    campaign.design = values["design"]
    for name in ("consent", "content_warning"):
        setattr(campaign, name, written(values[name]))
    campaign.questions = [line.strip() for line in values["questions"].splitlines() if line.strip()]
    campaign.lease_seconds = 60 * values["lease_minutes"]


def code_for(invite_code: str, *, wanted: bool) -> str:
    """Return the code of the address for all: the one there is, a new one, or none."""
    if not wanted:
        return ""
    return invite_code or secrets.token_urlsafe(15)


def check_consent(form: forms.Form) -> None:
    """Refuse questions about the annotator without a consent that they are asked with."""
    values = form.cleaned_data
    if values.get("questions", "").strip() and not values.get("consent", "").strip():
        form.add_error("consent", "Questions about the annotator are asked with the consent.")


def written(text: str) -> str:
    """Return a text with the line ends that are stored."""
    return text.replace("\r\n", "\n")


def box(label: str, initial: Any, words: str = "") -> forms.BooleanField:
    """Return a box to tick."""
    return forms.BooleanField(label=label, required=False, initial=bool(initial), help_text=words)


def long_text(label: str, initial: str, rows: int, words: str = "") -> forms.CharField:
    """Return a field for a long text."""
    return forms.CharField(
        label=label,
        required=False,
        initial=initial,
        max_length=LONGEST_TEXT,
        help_text=words,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


def _boxes(
    label: str,
    choices: list[tuple[str, str]],
    initial: list[str],
    words: str = "",
    *,
    required: bool = True,
) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label,
        required=required,
        choices=choices,
        initial=initial,
        help_text=words,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )
