"""The form of a campaign that is being prepared, made from what its protocol says of itself."""

from typing import Any

from django import forms
from django.contrib.auth.models import User

from annotation.campaigns.drafts import LaunchError, brought_to, follow
from annotation.campaigns.edits import facts, last_change_of
from annotation.campaigns.service import RESERVED_SLUGS, annotators_wanted, keep_draft
from annotation.designs.assignment import DesignError
from annotation.designs.stopping import RuleError
from annotation.forms.declared import fields
from annotation.forms.fields import (
    asked,
    of_controls,
    of_pairs,
    of_protocol,
    read_labels,
)
from annotation.forms.sections import LOAD_HELP, SectionedForm, sentence
from annotation.forms.shared_fields import (
    apply_shared,
    check_consent,
    code_for,
    of_access,
    of_consent,
    of_design,
    of_language,
    of_sample,
    written,
)
from annotation.forms.stopping_fields import (
    NO_RULE_IN_SETS,
    START,
    of_stopping,
    read_stopping,
    stopping_help,
)
from annotation.launch.planning import planned, previewed
from annotation.models import Campaign
from annotation.protocols.protocol import ConfigError, Setting
from annotation.protocols.questions import Scale
from annotation.selection.pool import Pool, SelectionError
from corpus.pages.versioned_form import Change


class CampaignForm(SectionedForm):
    """Everything that an owner decides before a campaign starts.

    Fields of the protocol are called ``setting-<name>``, those of its questions
    ``question-<number>`` and ``labels-<number>``. A valid form has written its values into
    `campaign`, which is not stored yet. What a campaign shares with the others of its set is
    decided on the page of the set.
    """

    title = forms.CharField(max_length=200, help_text="Shown to annotators above the guidelines.")
    slug = forms.SlugField(label="Short name", max_length=100, help_text="For addresses.")

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        self.campaign, self.loaded = campaign, facts(campaign)
        self.asked = asked(campaign)
        self.brought = brought_to(campaign)
        super().__init__(data, initial={"title": campaign.title, "slug": campaign.slug})
        named = {name: self.fields[name] for name in ("title", "slug")}
        self.add_section("Name", "", named)
        alone = campaign.set_id is None
        words = campaign.rules.shown.capitalize() + "."
        self.add_section("What is asked", words, of_protocol(campaign))
        pairs = of_pairs(campaign)
        if alone:
            chosen = campaign.chosen_segments
            words = f"Segments: {chosen.words}." if chosen else ""
            self.add_section("What is rated", words, of_sample([campaign]) | pairs)
            self.add_section("Who rates what", LOAD_HELP, of_design(campaign))
            stopping = of_stopping(campaign, self.asked)
            self.add_section("When to stop", stopping_help(campaign), stopping)
        else:
            if pairs:
                self.add_section("What is rated", "", pairs)
            self.add_section("When to stop", NO_RULE_IN_SETS, {})
        if campaign.rules.layout.takes_controls({}):
            words = (
                "Items that check attention. They are shown far from their originals and never "
                "count as ratings of systems."
            )
            self.add_section("Control items", words, of_controls(campaign))
        texts = fields(guidelines=campaign.guidelines)
        if alone:
            texts = of_language(campaign) | texts | of_consent(campaign)
        self.add_section("What annotators read", "In Markdown.", texts)
        if alone:
            self.add_section("Taking part", "", of_access(campaign, campaign.invite_code))
            if data is None:
                self.show_load([campaign])

    def last_change(self, name: str) -> Change | None:
        """Return who last changed a field."""
        return last_change_of(self.campaign, name)

    def keep(self, actor: User) -> None:
        """Store a valid form; see `keep_draft`."""
        keep_draft(self.campaign, actor, self.loaded)

    def clean_slug(self) -> str:
        """Refuse names that mean a page, or another campaign."""
        slug: str = self.cleaned_data["slug"]
        others = Campaign.objects.filter(study=self.campaign.study, slug=slug)
        if slug in RESERVED_SLUGS or others.exclude(pk=self.campaign.pk).exists():
            raise forms.ValidationError(f"“{slug}” is taken; choose another name.")
        return slug

    def clean(self) -> dict[str, Any]:
        """Write the values into the campaign and see whether it could start like this."""
        check_consent(self)
        if not self.errors:
            labels, rule = self._labels(), self._rule()
            if not self.errors:
                self._apply(labels, rule)
                if self.campaign.set_id is not None:
                    self._check()
                elif pools := self.work_out_load([self.campaign]):
                    self._check(pools[0])
            if not self.errors:
                follow(self.campaign, self.brought)
        return self.cleaned_data

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

    def _rule(self) -> dict[str, Any] | None:
        try:
            return read_stopping(self.campaign, self.cleaned_data)
        except RuleError as error:
            name = {"pair": "second"}.get(error.field, error.field)
            self.add_error(f"{START}{name}", str(error))
            return None

    def _apply(self, labels: dict[str, dict[str, str]], rule: dict[str, Any] | None) -> None:
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
        controls = {
            "repeats": values.get("repeats") or 0,
            "degraded": values.get("degraded") or 0,
            "references": values.get("control_references") or 0,
        }
        campaign.selection = {
            **campaign.selection,
            "controls": controls,
            "pairs": values.get("pairs"),
        }
        campaign.title, campaign.slug = values["title"], values["slug"]
        campaign.guidelines = written(values["guidelines"])
        if campaign.set_id is None:
            apply_shared(campaign, values)
            kept = {name: each for name, each in campaign.selection.items() if name != "stopping"}
            campaign.selection = kept | ({"stopping": rule} if rule else {})
            campaign.invite_code = code_for(campaign.invite_code, wanted=values["by_code"])

    def _check(self, pool: Pool | None = None) -> None:
        campaign, count = self.campaign, annotators_wanted(self.campaign)
        try:
            previewed(campaign, count, planned(campaign, count, pool) if pool else None)
        except ConfigError as error:
            name = f"setting-{str(error).partition(':')[0]}"
            self.add_error(name if name in self.fields else None, sentence(error))
        except SelectionError as error:
            name = "batches" if "batches" in str(error) else "systems"
            self.add_error(name, sentence(error))
        except DesignError as error:
            name = "design" if "stopping" in str(error) else "annotators"
            self.add_error(name, sentence(error))
        except LaunchError as error:
            name = "control_references" if "references" in str(error) else "repeats"
            self.add_error(name if name in self.fields else None, sentence(error))


def _setting_value(setting: Setting, value: Any) -> Any:
    if isinstance(setting.default, tuple):
        return [line.strip() for line in value.splitlines() if line.strip()]
    return value
