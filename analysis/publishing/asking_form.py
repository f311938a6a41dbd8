"""What an owner chooses when a study is published on its page."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.http import QueryDict

from analysis.publishing.check import WARNING, Check
from analysis.publishing.options import MOST_GROUPED, Options, PublishingError
from analysis.publishing.service import options_from
from analysis.publishing.small_groups import SMALLEST
from corpus.models import Study


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
