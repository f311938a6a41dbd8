"""Forms of the account page."""

from django import forms

from config.models import ApiToken

DAYS = {"30": "30 days", "90": "90 days", "365": "a year", "0": "no end"}


class TokenForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a new API token is for, what it may do and for how long."""

    days = forms.ChoiceField(label="Works for", choices=list(DAYS.items()), initial="90")

    class Meta:
        model = ApiToken
        fields = ("name", "scope")

    def clean_days(self) -> int | None:
        """Return how many days it works; None for no end."""
        return int(self.cleaned_data["days"]) or None
