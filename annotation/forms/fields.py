"""Fields for what an owner decides about one campaign, made from its protocol."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from annotation.forms.declared import Fields, field, fields
from annotation.models import Campaign
from annotation.protocols.protocol import LONGEST_LABEL, Setting
from annotation.protocols.questions import Question, Scale


def read_labels(text: str, low: float, high: float) -> dict[str, str]:
    """Read labels.

    Raises
    ------
    ValueError
        Naming the first line that is not a label, or whose point is not on the scale.

    Examples
    --------
    >>> read_labels("1: poor\\n5: very good", 1, 5)
    {'1': 'poor', '5': 'very good'}
    """
    labels: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        point, colon, words = (part.strip() for part in line.partition(":"))
        if not colon or not words:
            raise ValueError(f"line {number}: expected a point, a colon and words, as in “1: poor”")
        try:
            value = float(point)
        except ValueError:
            raise ValueError(f"line {number}: “{point[:20]}” is not a number") from None
        if not low <= value <= high:
            raise ValueError(f"line {number}: {point} is not from {low:g} to {high:g}")
        if len(words) > LONGEST_LABEL:
            raise ValueError(f"line {number}: at most {LONGEST_LABEL} characters")
        if f"{value:g}" in labels:
            raise ValueError(f"line {number}: {value:g} has words already")
        labels[f"{value:g}"] = words
    return labels


def written_labels(labels: Mapping[str, str] | Iterable[tuple[float, str]]) -> str:
    """Write labels so that `read_labels` reads them again.

    Examples
    --------
    >>> written_labels([(1.0, "poor"), (5.0, "very good")])
    '1: poor\\n5: very good'
    """
    pairs = labels.items() if isinstance(labels, Mapping) else labels
    return "\n".join(f"{float(point):g}: {words}" for point, words in pairs)


def asked(campaign: Campaign) -> tuple[Question, ...]:
    """Return the questions as they are stored."""
    return campaign.rules.questions(campaign.config)


def of_protocol(campaign: Campaign) -> Fields:
    """Return what the protocol lets a campaign decide, and the words of its questions."""
    found: Fields = {}
    config = campaign.config
    for setting in campaign.rules.settings:
        found[f"setting-{setting.name}"] = _setting_field(setting, config)
    if campaign.rules.layout.takes_table:
        found |= fields(table=config.get("table"))
    for number, question in enumerate(asked(campaign)):
        name = question.aspect.replace("_", " ")
        found[f"question-{number}"] = forms.CharField(
            label=f"Question about {name}", max_length=500, initial=question.text
        )
        if isinstance(question, Scale):
            found[f"labels-{number}"] = forms.CharField(
                label=f"Words on the scale of {name}",
                required=False,
                initial=written_labels(question.labels),
                widget=forms.Textarea(attrs={"rows": 3}),
                help_text="One point per line, such as “1: very poor”.",
            )
    return found


def of_pairs(campaign: Campaign) -> Fields:
    """Return which systems are compared, where two outputs are."""
    if not campaign.rules.layout.takes_pairs:
        return {}
    return fields(pairs=campaign.selection.get("pairs"))


def of_controls(campaign: Campaign) -> Fields:
    """Return how attention is checked."""
    controls, layout = campaign.selection.get("controls", {}), campaign.rules.layout
    found = fields(repeats=controls.get("repeats", 0))
    if campaign.rules.degraded_is_worse:
        count = controls.get("degraded", 0)
        found["degraded"] = field("degraded", count, expected=layout.degraded_is)
    if layout.reference_is:
        name, count = "control_references", controls.get("references", 0)
        found[name] = field(name, count, expected=layout.reference_is)
    return found


def _setting_field(setting: Setting, config: dict[str, Any]) -> forms.Field:
    value = setting.read(config)
    if isinstance(setting.default, bool):
        return forms.BooleanField(
            label=setting.label, required=False, initial=bool(value), help_text=setting.help
        )
    if isinstance(setting.default, tuple):
        return forms.CharField(
            label=setting.label,
            initial="\n".join(value),
            help_text=f"{setting.help} One a line.",
            widget=forms.Textarea(attrs={"rows": len(value) + 1}),
        )
    return forms.FloatField(
        label=setting.label,
        initial=value,
        help_text=setting.help,
        min_value=setting.low,
        max_value=setting.high,
    )
