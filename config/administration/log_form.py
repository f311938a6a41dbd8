"""Which lines of the log of sign-ins and exports are asked for."""

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from corpus.models import AccessEntry

WIDGET = forms.DateInput(attrs={"type": "date"})


class LogForm(forms.Form):
    """The filter of the log; what is wrong in it filters nothing and says so."""

    action = forms.ChoiceField(
        required=False, choices=[("", "any action"), *AccessEntry.Action.choices]
    )
    person = forms.CharField(required=False, max_length=150)
    study = forms.CharField(required=False, max_length=100, label="Short name of the study")
    first = forms.DateField(required=False, label="From", widget=WIDGET)
    last = forms.DateField(required=False, label="Until", widget=WIDGET)
    network = forms.CharField(required=False, max_length=8, label="Network")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_valid()

    @property
    def is_filtered(self) -> bool:
        """Whether anything is left out."""
        return any(self.cleaned_data.values())

    def chosen(self) -> QuerySet[AccessEntry]:
        """Return the lines, latest first."""
        asked = self.cleaned_data
        lines = AccessEntry.objects.select_related("person", "study")
        if action := asked.get("action"):
            lines = lines.filter(action=action)
        if person := asked.get("person"):
            # Who is gone has no name any more, but a number.
            number = person.removeprefix("#")
            is_number = person.startswith("#") and number.isdecimal() and len(number) < 19
            chosen = {"person_id": int(number)} if is_number else {"person__username": person}
            lines = lines.filter(**chosen)
        if study := asked.get("study"):
            lines = lines.filter(study__slug=study)
        if network := asked.get("network"):
            lines = lines.filter(network=network)
        if first := asked.get("first"):
            lines = lines.filter(at__gte=_midnight(first))
        if last := asked.get("last"):
            lines = lines.filter(at__lt=_midnight(last) + timedelta(days=1))
        return lines


def _midnight(day: Any) -> datetime:
    return datetime.combine(day, time(), tzinfo=timezone.get_current_timezone())
