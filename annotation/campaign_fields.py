"""Fields for what an owner decides about a campaign, made from its protocol and study."""

from typing import Any

from django import forms

from annotation.campaigns import annotators_wanted
from annotation.models import Campaign
from annotation.protocols.protocol import Setting
from annotation.protocols.questions import Question, Scale
from annotation.scale_labels import written_labels
from corpus.models import System
from corpus.segments import segment_attributes
from corpus.studies import directions

LONGEST_TEXT = 50_000
MOST_ANNOTATORS = 1000
Fields = dict[str, forms.Field]


def asked(campaign: Campaign) -> tuple[Question, ...]:
    """Return the questions as they are stored."""
    return campaign.rules.questions(campaign.config)


def takes_table(campaign: Campaign) -> bool:
    """Whether all outputs of a source can be judged on one screen."""
    return campaign.rules.layout in ("text", "source_and_output")


def takes_controls(campaign: Campaign) -> bool:
    """Whether control items can be mixed in."""
    return campaign.rules.layout != "order"


def of_protocol(campaign: Campaign) -> Fields:
    """Return what the protocol lets a campaign decide, and the words of its questions."""
    fields: Fields = {}
    config = campaign.config
    for setting in campaign.rules.settings:
        fields[f"setting-{setting.name}"] = _setting_field(setting, config)
    if takes_table(campaign):
        fields["table"] = forms.BooleanField(
            label="All systems’ outputs of one source on one screen",
            required=False,
            initial=bool(config.get("table")),
            help_text="Side by side, in random order; otherwise one output a screen.",
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
                help_text="One point a line, such as “1: very poor”.",
            )
    return fields


def of_selection(campaign: Campaign) -> Fields:
    """Return what is rated."""
    fields: Fields = {}
    study, selection, rules = campaign.study, campaign.selection, campaign.rules
    systems = list(
        study.systems.filter(kind=System.Kind.SYSTEM).order_by("ordinal").values_list("pk", "name")
    )
    fields["systems"] = _boxes(
        "Systems",
        [(str(pk), name) for pk, name in systems],
        [str(pk) for pk in selection.get("system_ids") or [pk for pk, _ in systems]],
        "Annotators never see these names.",
    )
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
        help_text="So many are drawn, the same for every system; all where empty.",
    )
    if rules.compares == "outputs":
        fields["pairs"] = forms.IntegerField(
            label="Pairs of systems per segment",
            required=False,
            min_value=1,
            initial=selection.get("pairs"),
            help_text="So many are drawn for each segment; all where empty.",
        )
    if rules.compares != "source":
        fields["sources"] = _box("Rate the sources too", selection.get("sources"))
    fields["references"] = _box("Rate the references too", selection.get("references"))
    return fields


def of_design(campaign: Campaign) -> Fields:
    """Return who rates what."""
    fields: Fields = {}
    fields["design"] = forms.ChoiceField(
        choices=Campaign.Design.choices, initial=campaign.design, widget=forms.RadioSelect
    )
    fields["ratings_per_item"] = forms.IntegerField(
        label="Ratings per item",
        min_value=1,
        max_value=MOST_ANNOTATORS,
        initial=campaign.ratings_per_item,
        help_text="By different people.",
    )
    fields["annotators"] = forms.IntegerField(
        label="Annotators",
        min_value=1,
        max_value=MOST_ANNOTATORS,
        initial=annotators_wanted(campaign),
    )
    names = [each.name for each in segment_attributes(campaign.study)]
    if names:
        fields["batches"] = forms.ChoiceField(
            label="Batches by",
            required=False,
            initial=campaign.selection.get("batches", ""),
            choices=[("", "drawn at random"), *((name, name) for name in names)],
            help_text="Fixed batches only: segments with the same value go together.",
        )
    return fields


def of_controls(campaign: Campaign) -> Fields:
    """Return how attention is checked."""
    fields: Fields = {}
    controls = campaign.selection.get("controls", {})
    fields["repeats"] = forms.IntegerField(
        label="Exact repeats per annotator",
        min_value=0,
        initial=controls.get("repeats", 0),
        help_text="Shown again later: does a person agree with themselves?",
    )
    # Foreign words make a style more different, not less: there it is not the worse answer.
    if campaign.rules.key != "style_transfer_intensity":
        worse = "not to be chosen" if campaign.rules.choices else "to be rated lower than originals"
        fields["degraded"] = forms.IntegerField(
            label="Degraded outputs per annotator",
            min_value=0,
            initial=controls.get("degraded", 0),
            help_text=f"Outputs with foreign words in them, {worse}. The preview shows how surely "
            "a number of them tells attentive annotators.",
        )
    if campaign.rules.compares != "source":
        better = (
            "Compared with an output, to be chosen."
            if campaign.rules.choices
            else "Shown as outputs, to be rated higher than the outputs of their source."
        )
        fields["control_references"] = forms.IntegerField(
            label="References per annotator",
            min_value=0,
            initial=controls.get("references", 0),
            help_text=f"{better} Only where references are as good as people write.",
        )
    return fields


def of_texts(campaign: Campaign) -> Fields:
    """Return what annotators read and are asked about themselves."""
    fields: Fields = {}
    fields["guidelines"] = _long(
        "Guidelines", campaign.guidelines, 10, "With examples: texts and plausible answers."
    )
    fields["consent"] = _long(
        "Consent", campaign.consent, 5, "Asked before anything else; nothing is asked if empty."
    )
    fields["content_warning"] = _long("Content warning", campaign.content_warning, 2)
    fields["questions"] = _long(
        "Questions about the annotator",
        "\n".join(campaign.questions),
        3,
        "One a line, such as “First language”; answering is optional.",
    )
    return fields


def of_access(campaign: Campaign) -> Fields:
    """Return how people take part."""
    fields: Fields = {}
    fields["lease_minutes"] = forms.IntegerField(
        label="Minutes that an item stays reserved",
        min_value=1,
        max_value=7 * 24 * 60,
        initial=max(campaign.lease_seconds // 60, 1),
        help_text="Shared queue: an item without a sign of life goes to somebody else then.",
    )
    fields["by_code"] = _box(
        "Let people join by one address for all",
        bool(campaign.invite_code),
        "For crowd platforms; each who comes takes one of the places.",
    )
    return fields


def _setting_field(setting: Setting, config: dict[str, Any]) -> forms.Field:
    value = setting.read(config)
    if isinstance(setting.default, bool):
        return _box(setting.label, value, setting.help)
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


def _box(label: str, initial: Any, words: str = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, initial=bool(initial), help_text=words)


def _boxes(
    label: str, choices: list[tuple[str, str]], initial: list[str], words: str = ""
) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label,
        choices=choices,
        initial=initial,
        help_text=words,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )


def _long(label: str, initial: str, rows: int, words: str = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        initial=initial,
        max_length=LONGEST_TEXT,
        help_text=words,
        widget=forms.Textarea(attrs={"rows": rows}),
    )
