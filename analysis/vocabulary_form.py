"""The form in which an owner says how names are read, what metrics measure, and what is pooled."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.forms import BoundField

from analysis.data.picking import declared_as
from analysis.data.vocabulary import CampaignPair, MetricRow, Name, Vocabulary
from corpus.studies.reading_names import Entry
from corpus.vocabulary.aspects import ASPECTS, FAMILY_TITLES, Family, find_aspect
from metrics.catalogue import family_of

OWN_FAMILY: Mapping[Family, str] = {
    "style": "metrics of style",
    "content": "metrics of content",
    "fluency": "metrics of fluency",
    "overall": "any metric (an overall judgement)",
    "other": "any metric (no family)",
}
"""What tracks an aspect of its own, by its family."""
MEASURED: Mapping[Family, str] = {**FAMILY_TITLES, "other": "Something else"}


class VocabularyForm(forms.Form):
    """One select for each name, each metric whose family may be declared, and each later campaign.

    What was not sent stays as it is: an import may have brought it meanwhile.
    """

    def __init__(self, words: Vocabulary, data: Any = None) -> None:
        super().__init__(data)
        self.names = {f"name:{row.name}": row.name for row in words.names}
        self.metrics = {
            f"metric:{row.metric}": row.metric for row in words.metrics if row.can_be_declared
        }
        for row in words.names:
            self._add(f"name:{row.name}", f"{row.name}: read as", _choices(row), _stored(row))
        for metric in words.metrics:
            if metric.can_be_declared:
                declared = metric.measured.family if metric.measured.rule == "declared" else ""
                label = f"{metric.metric}: measures"
                self._add(f"metric:{metric.metric}", label, _families(metric), declared)
        self.campaigns = campaigns_of(words.pairs)
        for campaign, pairs in self.campaigns.items():
            possible = [pair.other for pair in pairs if not pair.why_not or pair.is_declared]
            choices = [("", "not pooled"), *((other, other) for other in possible)]
            other = next((pair.other for pair in pairs if pair.is_declared), "")
            self._add(f"pooled:{campaign}", f"{campaign}: pooled with", choices, other)

    def _add(self, field: str, label: str, choices: list[Any], initial: str) -> None:
        self.fields[field] = forms.ChoiceField(
            label=label,
            required=False,
            choices=choices,
            initial=initial,
            widget=forms.Select(attrs={"aria-label": label}),
        )

    def of_name(self, name: str) -> BoundField:
        """Return the field of a name."""
        return self[f"name:{name}"]

    def of_metric(self, metric: str) -> BoundField:
        """Return the field of a metric."""
        return self[f"metric:{metric}"]

    def of_campaign(self, campaign: str) -> BoundField:
        """Return the field of a campaign."""
        return self[f"pooled:{campaign}"]

    @property
    def wanted_names(self) -> dict[str, Entry | None]:
        """What was declared of names; None where they are read by themselves."""
        wanted: dict[str, Entry | None] = {}
        for field, name in self.names.items():
            if field in self.data:
                kind, _, value = self.cleaned_data[field].partition(":")
                wanted[name] = {kind: value} if kind else None
        return wanted

    @property
    def wanted_families(self) -> dict[str, str]:
        """What was declared of metrics; empty where their names say it."""
        return {
            declared_as(name): self.cleaned_data[field]
            for field, name in self.metrics.items()
            if field in self.data
        }

    @property
    def wanted_pooled(self) -> dict[str, str]:
        """With which other one each campaign is pooled; empty where with none."""
        return {
            campaign: self.cleaned_data[f"pooled:{campaign}"]
            for campaign in self.campaigns
            if f"pooled:{campaign}" in self.data
        }


def campaigns_of(pairs: Iterable[CampaignPair]) -> dict[str, list[CampaignPair]]:
    """Return the pairs of each campaign with others before it."""
    found: dict[str, list[CampaignPair]] = {}
    for pair in pairs:
        found.setdefault(pair.campaign, []).append(pair)
    return found


def _stored(row: Name) -> str:
    return "".join(f"{kind}:{value}" for kind, value in (row.declared or {}).items())


def _choices(row: Name) -> list[Any]:
    found = find_aspect(row.name)
    known = found.key in ASPECTS
    itself = f"{found.title} (by its name)" if known else "its own aspect (nothing is known)"
    return [
        ("", itself),
        ("Read as", [(f"aspect:{key}", aspect.title) for key, aspect in ASPECTS.items()]),
        (
            "An aspect of its own, tracked by",
            [(f"family:{family}", words) for family, words in OWN_FAMILY.items()],
        ),
    ]


def _families(row: MetricRow) -> list[Any]:
    known = "style" if row.measured.rule == "distribution" else family_of(row.metric)
    itself = f"{FAMILY_TITLES[known]} (by its name)" if known else "not known"
    return [("", itself), *MEASURED.items()]
