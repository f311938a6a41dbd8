"""Fields for the texts of a practice item that an owner writes."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.masks.masking import is_masked
from annotation.models import Campaign
from annotation.protocols.layouts.own_texts import OwnText

START = "own-"
"""What the names of these fields begin with."""


def text_fields(campaign: Campaign, texts: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Return a field for each text that a practice item may have, filled with those it has."""
    fields: dict[str, forms.Field] = {}
    rules = campaign.rules
    count = rules.layout.outputs
    for text in rules.layout.own_texts(rules, campaign.config):
        if text.name == "output" and count > 1:
            given = [*texts.get("outputs", ()), *[""] * count]
            for place in range(count):
                field = _field(campaign, text, given[place], f"Text of output {place + 1}")
                fields[f"{START}output-{place}"] = field
        else:
            fields[f"{START}{text.name}"] = _field(campaign, text, texts.get(text.name, ""))
    return fields


def written_texts(campaign: Campaign, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts that were written into the fields of one item; empty where none was."""
    texts = {
        name.removeprefix(START): value for name, value in given.items() if name.startswith(START)
    }
    count = campaign.rules.layout.outputs
    if count == 1 or not texts:
        return texts
    outputs = [texts.pop(f"output-{place}", "") for place in range(count)]
    return texts | {"outputs": [text for text in outputs if text]}


def _field(campaign: Campaign, text: OwnText, initial: str, label: str = "") -> forms.Field:
    if text.name == "target_style":
        return forms.CharField(
            label=text.label, required=False, max_length=text.longest, initial=initial
        )
    words = "Shown as it is written: put the placeholder where a style word would stand."
    return forms.CharField(
        label=label or text.label,
        required=False,
        max_length=text.longest,
        initial=initial,
        strip=False,
        help_text=words if is_masked(campaign) else "",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
