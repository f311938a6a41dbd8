"""The form of a set of campaigns: what its tasks share, and their order."""

from typing import Any

from django import forms
from django.contrib.auth.models import User

from annotation.campaigns.drafts import LaunchError, brought_to, follow
from annotation.campaigns.edits import facts, last_change_of, last_change_of_set
from annotation.campaigns.service import annotators_wanted
from annotation.designs.assignment import DesignError
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
)
from annotation.launch.planning import planned, previewed
from annotation.models import Campaign, CampaignSet
from annotation.protocols.protocol import ConfigError
from annotation.selection.pool import Pool, SelectionError
from annotation.sets.service import draw_sample, facts_of_set, keep_set
from corpus.pages.versioned_form import Change


class SetForm(SectionedForm):
    """Everything that is decided once for all campaigns of a set.

    The places of tasks are called ``place-<primary key>``. A valid form has written its values
    into the set and its campaigns, which are not stored yet; `order` holds their new places.
    """

    title = forms.CharField(
        max_length=200, help_text="Shown to owners; annotators see the title of each task."
    )

    def __init__(self, together: CampaignSet, data: Any = None) -> None:
        self.together, self.campaigns = together, together.tasks
        self.order: dict[int, int] = {}
        self.loaded = facts_of_set(together, self.campaigns)
        self.loaded_tasks = {campaign.pk: facts(campaign) for campaign in self.campaigns}
        self.brought = {campaign.pk: brought_to(campaign) for campaign in self.campaigns}
        super().__init__(data, initial={"title": together.title})
        first = self.campaigns[0]
        self.add_section("Name", "", {"title": self.fields["title"]})
        words = "Everybody gets the tasks in this order."
        self.add_section("Order of the tasks", words, self._places())
        chosen = first.chosen_segments
        words = "One sample for all tasks, taken when you save."
        if chosen:
            words = f"Segments: {chosen.words}."
        self.add_section("What is rated", words, of_sample(self.campaigns))
        design = of_design(first, whole="In all tasks together. ")
        self.add_section("Who rates what", LOAD_HELP, design)
        words = "In Markdown, for all tasks. Guidelines are written for each task."
        self.add_section("What annotators agree to", words, of_language(first) | of_consent(first))
        self.add_section("Taking part", "", of_access(first, together.invite_code))
        if data is None:
            self.show_load(self.campaigns)

    def last_change(self, name: str) -> Change | None:
        """Return who last changed a field: of the set, or of what its tasks share."""
        together = self.together
        fact = "order" if name.startswith("place-") else name
        return last_change_of_set(together.study_id, together.slug, fact) or last_change_of(
            self.campaigns[0], name
        )

    def keep(self, actor: User) -> None:
        """Store a valid form; see `keep_set`."""
        loaded = (self.loaded, self.loaded_tasks)
        keep_set(self.together, self.campaigns, self.order, actor, *loaded)

    def clean(self) -> dict[str, Any]:
        """Write the values into set and campaigns and see whether they could start like this."""
        check_consent(self)
        self._read_order()
        if not self.errors:
            self._apply()
            pools = self.work_out_load(self.campaigns)
            for campaign, pool in zip(self.campaigns, pools, strict=False):
                self._check(campaign, pool)
            if not self.errors:
                for campaign in self.campaigns:
                    follow(campaign, self.brought[campaign.pk])
        return self.cleaned_data

    def _places(self) -> dict[str, forms.Field]:
        count = len(self.campaigns)
        return {
            f"place-{campaign.pk}": forms.TypedChoiceField(
                label=campaign.rules.title,
                coerce=int,
                choices=[(number, str(number)) for number in range(1, count + 1)],
                initial=campaign.position + 1,
            )
            for campaign in self.campaigns
        }

    def _read_order(self) -> None:
        places = {each.pk: self.cleaned_data.get(f"place-{each.pk}") for each in self.campaigns}
        taken: dict[Any, int] = {}
        for campaign, place in places.items():
            if place in taken:
                self.add_error(f"place-{campaign}", f"Another task already has position {place}.")
            taken[place] = campaign
        self.order = {campaign: place - 1 for campaign, place in places.items() if place}

    def _apply(self) -> None:
        together, values = self.together, self.cleaned_data
        together.title = values["title"]
        together.invite_code = code_for(together.invite_code, wanted=values["by_code"])
        for campaign in self.campaigns:
            apply_shared(campaign, values)
        draw_sample(together, self.campaigns[0])

    def _check(self, campaign: Campaign, pool: Pool) -> None:
        count = annotators_wanted(campaign)
        try:
            previewed(campaign, count, planned(campaign, count, pool))
        except (DesignError, SelectionError) as error:
            name = "batches" if "batches" in str(error) else "annotators"
            self.add_error(name, f"{campaign.rules.title}: {sentence(error)}")
        except (LaunchError, ConfigError) as error:
            self.add_error(None, f"{campaign.rules.title}: {sentence(error)}")
