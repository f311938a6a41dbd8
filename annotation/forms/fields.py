"""Fields for what an owner decides about one campaign, made from its protocol."""

from typing import Any

from django import forms

from annotation.forms.scale_labels import written_labels
from annotation.forms.shared_fields import Fields, box, long_text
from annotation.models import Campaign
from annotation.protocols.protocol import Setting
from annotation.protocols.questions import Question, Scale


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
