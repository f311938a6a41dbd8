"""Forms of owners that are made of sections, and that say how much work is asked of whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.campaigns.service import annotators_wanted
from annotation.designs.preview import Load, LoadError, complete
from annotation.forms.declared import Fields
from annotation.models import Campaign
from annotation.selection.pool import Pool, SelectionError, build_pool
from corpus.pages.versioned_form import VersionedForm

FIELDS = {"people": "annotators", "ratings": "ratings_per_item", "each": "items_per_person"}
"""The fields of forms, by what a load calls them."""


def stated_load(campaign: Campaign) -> dict[str, int | None]:
    """Return what the owner stated, as fields of a form: the computed one is empty."""
    computed = campaign.selection.get("computed", FIELDS["each"])
    values = {
        "annotators": annotators_wanted(campaign),
        "ratings_per_item": campaign.ratings_per_item,
        "items_per_person": campaign.selection.get("items_per_person"),
    }
    return {name: None if name == computed else value for name, value in values.items()}


def work_out(
    campaigns: Sequence[Campaign], pools: Sequence[Pool], stated: Mapping[str, Any]
) -> Load:
    """Complete what is stated and note it in the campaigns, which are not stored.

    Parameters
    ----------
    campaigns, pools
        Campaigns of the same people, each with its screens.
    stated
        Values of `FIELDS`; empty for the one that is to be computed.

    Raises
    ------
    LoadError
        If the numbers do not go together.
    """
    screens = sum(len(pool.screens) for pool in pools)
    given = {part: stated.get(name) or None for part, name in FIELDS.items()}
    batches = campaigns[0].design == Campaign.Design.BATCHES
    load = complete(screens, **given, team=0 if batches else 1)
    for campaign in campaigns:
        campaign.ratings_per_item = load.ratings
        campaign.selection = {
            **campaign.selection,
            "annotators": load.people,
            "items_per_person": None if load.computed == "each" else load.each,
            "computed": FIELDS[load.computed],
        }
    return load


LOAD_HELP = "Enter two of the three numbers; the third is computed from them."


@dataclass(frozen=True)
class Section:
    """Fields of a form that belong together."""

    title: str
    help: str
    fields: list[forms.BoundField]

    @property
    def shows_load(self) -> bool:
        """Whether what the numbers give belongs here."""
        return any(field.name == FIELDS["each"] for field in self.fields)


class SectionedForm(VersionedForm):
    """A form whose fields come in sections.

    After validation, or unbound, `load` says what the numbers of people, ratings and items give;
    it is None where they cannot be worked out.
    """

    load: Load | None = None

    def __init__(self, data: Any = None, **options: Any) -> None:
        self._sections: list[tuple[str, str, list[str]]] = []
        super().__init__(data, **options)

    def sections(self) -> list[Section]:
        """Return the fields in groups."""
        return [
            Section(title, words, [self[name] for name in names])
            for title, words, names in self._sections
        ]

    def add_section(self, title: str, words: str, fields: Fields) -> None:
        """Append a group of fields."""
        self.fields.update(fields)
        self._sections.append((title, words, list(fields)))

    def show_load(self, campaigns: list[Campaign]) -> None:
        """Work out the load of campaigns as they are stored."""
        try:
            pools = [build_pool(campaign) for campaign in campaigns]
            self.load = work_out(campaigns, pools, stated_load(campaigns[0]))
        except (SelectionError, LoadError):
            self.load = None

    def work_out_load(self, campaigns: list[Campaign]) -> list[Pool]:
        """Complete what the owner stated; where that is impossible, say so at the fields."""
        try:
            pools = [build_pool(campaign) for campaign in campaigns]
        except SelectionError as error:
            self.add_error("batches" if "batches" in str(error) else "systems", sentence(error))
            return []
        try:
            self.load = work_out(campaigns, pools, self.cleaned_data)
        except LoadError as error:
            self.add_error(FIELDS["each"], sentence(error))
            return []
        return pools


def sentence(error: Exception) -> str:
    """Return an error's message as a sentence."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
