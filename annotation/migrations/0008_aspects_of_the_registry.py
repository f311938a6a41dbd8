"""Name aspects in what campaigns keep as the registry names them; ratings stay as they are."""

import re

from django.db import migrations

FORMER = {
    "style_transfer_intensity": {"style_transfer_intensity": "style"},
    "content_preservation": {"content_preservation": "content"},
    "likert": {"style_strength": "style"},
    "ranking": {"rank": "overall"},
}


def renamed(value, names):
    """Return a value of JSON with aspects renamed where they are keys."""
    if isinstance(value, dict):
        return {_key(key, names): renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    return value


def _key(key, names):
    """Rename `aspect`, and what ends in it behind a number: `0-aspect`, `answer-0-aspect`."""
    found = re.fullmatch(r"((?:answer-)?\d+-)?(.+)", key, re.DOTALL)
    return (found[1] or "") + names.get(found[2], found[2]) if found else key


def forwards(apps, schema_editor):
    campaigns = apps.get_model("annotation", "Campaign").objects.filter(protocol__in=FORMER)
    for campaign in campaigns.filter(origin="live"):
        names = FORMER[campaign.protocol]
        config, selection = dict(campaign.config), dict(campaign.selection)
        if "aspects" in config:
            config["aspects"] = [names.get(name, name) for name in config["aspects"]]
        for kept, parts in ((config, ("questions", "labels")),
                            (selection, ("practice", "qualification"))):
            kept.update({part: renamed(kept[part], names) for part in parts if part in kept})
        campaign.config, campaign.selection = config, selection
        campaign.save(update_fields=["config", "selection"])
    drafts = apps.get_model("annotation", "Draft").objects.filter(
        assignment__item__campaign__protocol__in=FORMER
    )
    for draft in drafts.select_related("assignment__item__campaign"):
        draft.answers = renamed(draft.answers, FORMER[draft.assignment.item.campaign.protocol])
        draft.save(update_fields=["answers"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0007_practice_texts")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
