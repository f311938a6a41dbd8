"""The form of a campaign that is being prepared, made from what its protocol says of itself."""

import secrets
from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.campaign_fields import (
    Fields,
    asked,
    of_access,
    of_controls,
    of_design,
    of_protocol,
    of_selection,
    of_texts,
    takes_controls,
)
from annotation.campaigns import RESERVED_SLUGS, annotators_wanted
from annotation.designs import DesignError
from annotation.drafts import LaunchError
from annotation.models import Campaign
from annotation.planning import previewed
from annotation.pool import SelectionError
from annotation.protocols.protocol import ConfigError, Setting
from annotation.protocols.questions import Scale
from annotation.scale_labels import read_labels


@dataclass(frozen=True)
class Section:
    """Fields of a form that belong together."""

    title: str
    help: str
    fields: list[forms.BoundField]


class CampaignForm(forms.Form):
    """Everything that an owner decides before a campaign starts.

    Fields of the protocol are called ``setting-<name>``, those of its questions
    ``question-<number>`` and ``labels-<number>``. A valid form has written its values into
    `campaign`, which is not stored yet.
    """

    title = forms.CharField(max_length=200, help_text="Annotators see it above the guidelines.")
    slug = forms.SlugField(label="Short name", max_length=100, help_text="For addresses.")

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        self.campaign = campaign
        self.asked = asked(campaign)
        self._sections: list[tuple[str, str, list[str]]] = []
        super().__init__(data, initial={"title": campaign.title, "slug": campaign.slug})
        self._sections.append(("Name", "", ["title", "slug"]))
        self._add("What is asked", campaign.rules.shown.capitalize() + ".", of_protocol(campaign))
        self._add("What is rated", "", of_selection(campaign))
        self._add("Who rates what", "", of_design(campaign))
        if takes_controls(campaign):
            words = (
                "Items that are shown to check attention, far from their originals; they never "
                "count as ratings of systems."
            )
            self._add("Control items", words, of_controls(campaign))
        self._add("What annotators read", "In Markdown.", of_texts(campaign))
        self._add("Taking part", "", of_access(campaign))

    def sections(self) -> list[Section]:
        """Return the fields in groups."""
        return [
            Section(title, words, [self[name] for name in names])
            for title, words, names in self._sections
        ]

    def clean_slug(self) -> str:
        """Refuse names that mean a page, or another campaign."""
        slug: str = self.cleaned_data["slug"]
        others = Campaign.objects.filter(study=self.campaign.study, slug=slug)
        if slug in RESERVED_SLUGS or others.exclude(pk=self.campaign.pk).exists():
            raise forms.ValidationError(f"“{slug}” is taken: choose another name.")
        return slug

    def clean(self) -> dict[str, Any]:
        """Write the values into the campaign and see whether it could start like this."""
        values = self.cleaned_data
        if values.get("questions", "").strip() and not values.get("consent", "").strip():
            self.add_error("consent", "Questions about the annotator are asked with the consent.")
        if not self.errors:
            labels = self._labels()
            if not self.errors:
                self._apply(labels)
                self._check()
        return self.cleaned_data

    def _add(self, title: str, words: str, fields: Fields) -> None:
        self.fields.update(fields)
        self._sections.append((title, words, list(fields)))

    def _labels(self) -> dict[str, dict[str, str]]:
        labels: dict[str, dict[str, str]] = {}
        for number, question in enumerate(self.asked):
            if isinstance(question, Scale):
                try:
                    text = self.cleaned_data[f"labels-{number}"]
                    labels[question.aspect] = read_labels(text, question.low, question.high)
                except ValueError as error:
                    self.add_error(f"labels-{number}", f"{str(error).capitalize()}.")
        return labels

    def _apply(self, labels: dict[str, dict[str, str]]) -> None:
        values, campaign = self.cleaned_data, self.campaign
        config = {
            setting.name: _setting_value(setting, values[f"setting-{setting.name}"])
            for setting in campaign.rules.settings
        }
        config["questions"] = {
            question.aspect: values[f"question-{number}"]
            for number, question in enumerate(self.asked)
        }
        config |= {"labels": labels, "table": bool(values.get("table"))}
        campaign.config = {**campaign.config, **config}
        systems = [int(pk) for pk in values["systems"]]
        every = len(systems) == len(self.fields["systems"].choices)  # type: ignore[attr-defined]
        campaign.selection = {
            **campaign.selection,
            "system_ids": [] if every else systems,
            "directions": values.get("directions") or [],
            "controls": {
                "repeats": values.get("repeats") or 0,
                "degraded": values.get("degraded") or 0,
                "references": values.get("control_references") or 0,
            },
            **{
                name: values.get(name)
                for name in ("segments", "pairs", "sources", "references", "annotators", "batches")
            },
        }
        campaign.title, campaign.slug = values["title"], values["slug"]
        campaign.design = values["design"]
        campaign.ratings_per_item = values["ratings_per_item"]
        for name in ("guidelines", "consent", "content_warning"):
            setattr(campaign, name, values[name].replace("\r\n", "\n"))
        campaign.questions = [
            line.strip() for line in values["questions"].splitlines() if line.strip()
        ]
        campaign.lease_seconds = 60 * values["lease_minutes"]
        if not values["by_code"]:
            campaign.invite_code = ""
        elif not campaign.invite_code:
            campaign.invite_code = secrets.token_urlsafe(15)

    def _check(self) -> None:
        try:
            previewed(self.campaign, annotators_wanted(self.campaign))
        except ConfigError as error:
            name = f"setting-{str(error).partition(':')[0]}"
            self.add_error(name if name in self.fields else None, _sentence(error))
        except SelectionError as error:
            name = "batches" if "batches" in str(error) else "systems"
            self.add_error(name, _sentence(error))
        except DesignError as error:
            self.add_error("annotators", _sentence(error))
        except LaunchError as error:
            name = "control_references" if "references" in str(error) else "repeats"
            self.add_error(name if name in self.fields else None, _sentence(error))


def _setting_value(setting: Setting, value: Any) -> Any:
    if isinstance(setting.default, tuple):
        return [line.strip() for line in value.splitlines() if line.strip()]
    return value


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
