"""Fields for what an owner decides about one campaign, made from its protocol."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from annotation.forms.sections import Fields
from annotation.forms.shared_fields import box, long_text
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
    fields: Fields = {}
    config = campaign.config
    for setting in campaign.rules.settings:
        fields[f"setting-{setting.name}"] = _setting_field(setting, config)
    if campaign.rules.layout.takes_table:
        fields["table"] = forms.BooleanField(
            label="All systems’ outputs of one source on one item page",
            required=False,
            initial=bool(config.get("table")),
            help_text="Side by side in random order. Otherwise one output per item page.",
        )
    for number, question in enumerate(asked(campaign)):
        name = question.aspect.replace("_", " ")
        fields[f"question-{number}"] = forms.CharField(
            label=f"Question about {name}", max_length=500, initial=question.text
        )
        if isinstance(question, Scale):
            fields[f"labels-{number}"] = forms.CharField(
                label=f"Words on the scale of {name}",
                required=False,
                initial=written_labels(question.labels),
                widget=forms.Textarea(attrs={"rows": 3}),
                help_text="One point per line, such as “1: very poor”.",
            )
    return fields


def of_pairs(campaign: Campaign) -> Fields:
    """Return which systems are compared, where two outputs are."""
    if not campaign.rules.layout.takes_pairs:
        return {}
    return {
        "pairs": forms.IntegerField(
            label="Pairs of systems per segment",
            required=False,
            min_value=1,
            initial=campaign.selection.get("pairs"),
            help_text="This many are sampled for each segment. Empty: all.",
        )
    }


def of_controls(campaign: Campaign) -> Fields:
    """Return how attention is checked."""
    fields: Fields = {}
    controls = campaign.selection.get("controls", {})
    fields["repeats"] = forms.IntegerField(
        label="Exact repeats per annotator",
        min_value=0,
        initial=controls.get("repeats", 0),
        help_text="Items shown again later, to see whether annotators agree with themselves.",
    )
    layout = campaign.rules.layout
    if campaign.rules.degraded_is_worse:
        fields["degraded"] = forms.IntegerField(
            label="Degraded outputs per annotator",
            min_value=0,
            initial=controls.get("degraded", 0),
            help_text=f"Outputs with foreign words in them, {layout.degraded_is}. The preview "
            "shows how well this number identifies attentive annotators.",
        )
    if layout.reference_is:
        fields["control_references"] = forms.IntegerField(
            label="References per annotator",
            min_value=0,
            initial=controls.get("references", 0),
            help_text=f"{layout.reference_is} Use them only if the references are good.",
        )
    return fields


def of_guidelines(campaign: Campaign) -> Fields:
    """Return what annotators read before the first item."""
    return {
        "guidelines": long_text(
            "Guidelines",
            campaign.guidelines,
            10,
            "In Markdown, with examples: texts and plausible answers.",
        )
    }


def _setting_field(setting: Setting, config: dict[str, Any]) -> forms.Field:
    value = setting.read(config)
    if isinstance(setting.default, bool):
        return box(setting.label, value, setting.help)
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
