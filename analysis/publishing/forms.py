"""The forms of an owner who publishes a study: details, choices, and the public page."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.http import QueryDict

from analysis.publishing.checks import WARNING, Check
from analysis.publishing.options import MOST_GROUPED, Options, PublishingError
from analysis.publishing.personal_data import SMALLEST
from analysis.publishing.service import options_from
from corpus.models import AuditEntry, Study
from corpus.vocabulary.publication_details import (
    IMPORTED,
    LICENCES,
    LONGEST,
    LONGEST_TEXT,
    NAME,
    Details,
    imported_details,
    wrong_details,
)

_CHOICES = [("", "not stated"), *((key, f"{each.title} ({key})") for key, each in LICENCES.items())]


def _text(label: str, help_text: str = "", rows: int = 2) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": rows}),
        help_text=help_text,
    )


class DetailsForm(forms.Form):
    """Licences, authors and everything else that no table of the study says."""

    licence = forms.ChoiceField(
        label="Licence",
        choices=_CHOICES,
        required=False,
        help_text="For ratings, scores and everything else that was made for the study.",
    )
    licence_terms = _text("Terms of the licence", "In words, if the licence is not in the list.")
    text_licence = forms.ChoiceField(label="Licence of the texts", choices=_CHOICES, required=False)
    text_licence_terms = _text("Terms of the licence of the texts")
    text_source = _text("Where the texts come from")
    authors = _text(
        "Authors",
        "One line for each: Family, Given; ORCID; affiliation. ORCID and affiliation may be left "
        "out, as in “King, Ada; ; Analytical Society”.",
        rows=4,
    )
    citation = _text("Citation", "If empty: authors, year of publication, title and version.")
    paper = forms.URLField(
        label="Address of the paper", required=False, max_length=LONGEST, assume_scheme="https"
    )
    keywords = forms.CharField(
        label="Keywords", required=False, max_length=LONGEST, help_text="Separated by commas."
    )
    version = forms.CharField(label="Version", required=False, max_length=LONGEST)
    contact = forms.CharField(
        label="Contact",
        required=False,
        max_length=LONGEST,
        help_text="This e-mail address is published.",
    )
    ratings_source = _text("Where imported ratings come from")
    consent = _text(
        "Consent of annotators",
        "What they agreed to about publication, if the campaigns’ consent texts do not mention it.",
    )
    ethics = _text("Approval by an ethics committee")
    uses = _text("Intended uses")
    limitations = _text("Limitations")
    maintenance = _text("Who maintains the data")

    @classmethod
    def of(cls, study: Study) -> "DetailsForm":
        """Return the form with what the study declares."""
        details = Details.from_declared(study.declarations.get(NAME, {}))
        lines = [
            "; ".join((author.name, author.orcid, author.affiliation)).rstrip("; ")
            for author in details.authors
        ]
        initial = details.declared() | {
            "authors": "\n".join(lines),
            "keywords": ", ".join(details.keywords),
        }
        return cls(initial=initial)

    def clean_authors(self) -> list[dict[str, str]]:
        """Read a line for each author."""
        authors = []
        for line in filter(str.strip, self.cleaned_data["authors"].splitlines()):
            name, orcid, affiliation = (part.strip() for part in f"{line};;".split(";", 3)[:3])
            facts = {"name": name, "orcid": orcid, "affiliation": affiliation}
            authors.append({key: value for key, value in facts.items() if value})
        return authors

    def clean_keywords(self) -> list[str]:
        """Read words that are separated by commas."""
        return [word.strip() for word in self.cleaned_data["keywords"].split(",") if word.strip()]

    def clean(self) -> dict[str, Any]:
        """Check everything as an import does."""
        stated = {name: value for name, value in self.cleaned_data.items() if value}
        for name, found, expected in wrong_details(stated):
            field = name.partition(",")[0]
            shown = f"{name.partition(', ')[2]}: {found}: " if "," in name else ""
            self.add_error(field if field in self.fields else None, f"{shown}expected {expected}.")
        return self.cleaned_data

    @property
    def stated(self) -> dict[str, Any]:
        """What is stated, as ``study.json`` would say it."""
        return {name: value for name, value in self.cleaned_data.items() if value}


def change_details(study: Study, stated: dict[str, Any], actor: User) -> bool:
    """Store what an owner states; return whether anything changed."""
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        before = study.declarations.get(NAME, {})
        if before == stated:
            return False
        imported = imported_details(
            study.declarations.get(IMPORTED, ()), before, stated, by_import=False
        )
        study.declarations = study.declarations | {NAME: stated, IMPORTED: imported}
        study.revision += 1
        study.save(update_fields=["declarations", "revision"])
        AuditEntry.record(study, actor, "declare publication", before=before, after=stated)
    return True


class AskingForm(forms.Form):
    """Reports, comments, groups and warnings; every frozen report is chosen at first."""

    reports = forms.MultipleChoiceField(
        label="Frozen reports", required=False, widget=forms.CheckboxSelectMultiple
    )
    comments = forms.BooleanField(
        label="Publish comments of annotators",
        required=False,
        help_text="Read them first: a program does not find every name or personal story.",
    )
    smallest = forms.IntegerField(
        label="Smallest group",
        min_value=2,
        max_value=MOST_GROUPED,
        initial=SMALLEST,
        required=False,
        help_text="Groups of fewer raters must be confirmed.",
    )
    accept = forms.MultipleChoiceField(
        label="I have looked at", required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        frozen = study.frozen_reports.order_by("pk").values_list("pk", "title", "kind")
        choices = [(str(pk), f"{title} ({kind})") for pk, title, kind in frozen]
        self._reports().choices = choices
        self._reports().initial = [pk for pk, _ in choices]
        if not choices:
            del self.fields["reports"]

    def _reports(self) -> forms.MultipleChoiceField:
        return cast(forms.MultipleChoiceField, self.fields["reports"])

    def offer(self, checks: Sequence[Check]) -> None:
        """Offer the warnings of these checks to be confirmed."""
        field = cast(forms.MultipleChoiceField, self.fields["accept"])
        field.choices = [(c.name, f"{c.name}: {c.why}") for c in checks if c.verdict == WARNING]
        if not field.choices:
            del self.fields["accept"]

    def options(self) -> Options:
        """Return what was chosen; before anything is sent, the defaults.

        Raises
        ------
        PublishingError
            If a choice makes no sense.
        """
        if not self.is_bound:
            return options_from({})
        values = cast(QueryDict, self.data)
        smallest = values.get("smallest", "")
        if smallest and not (smallest.isdecimal() and len(smallest) < 9):
            raise PublishingError("Smallest group: expected a whole number.")
        return options_from(
            {
                "reports": [
                    int(pk) for pk in values.getlist("reports") if pk.isdecimal() and len(pk) < 19
                ],
                "comments": bool(values.get("comments")),
                "smallest": int(smallest) if smallest else SMALLEST,
                "accept": values.getlist("accept"),
            }
        )
