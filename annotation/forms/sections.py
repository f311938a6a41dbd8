"""Forms of owners that are made of sections, and that say how much work is asked of whom."""

from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.campaigns.workload import FIELDS, stated_load, work_out
from annotation.designs.load import Load, LoadError
from annotation.forms.shared_fields import Fields
from annotation.models import Campaign
from annotation.selection.pool import Pool, SelectionError, build_pool
from corpus.pages.versioned_form import VersionedForm

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
