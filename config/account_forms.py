"""Forms of the account page."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict

from config.models import ApiToken
from config.sign_in_limits import ask_for_mail, attempt_of
from corpus.limits import in_words

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


def may_have_address(person: User) -> bool:
    """Whether an address is of use: to who has a password, where mails are sent."""
    return bool(settings.MAIL and settings.PASSWORD_SIGN_IN and person.has_usable_password())


def password_field() -> forms.CharField:
    """Return a field for the password of somebody who is signed in."""
    widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
    return forms.CharField(label="Your password", strip=False, widget=widget)


def confirm_password(request: HttpRequest, typed: str) -> None:
    """Check the password of who is signed in, as fast as on the sign-in page.

    Raises
    ------
    ValidationError
        If it is wrong, or too many were.
    """
    person = cast(User, request.user)
    attempt = attempt_of(request, person.get_username())
    if wait := attempt.begin():
        raise ValidationError(f"Too many attempts: try again in {in_words(wait)}.")
    if not person.check_password(typed):
        raise ValidationError({"password": "This is not your password."})
    attempt.succeeded()


class AddressForm(forms.Form):
    """The address to which a forgotten password may be reset."""

    email = forms.EmailField(label="New e-mail address", max_length=254)
    password = password_field()

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        super().__init__(data, prefix="address")
        self.request = request
        self.fields["email"].widget.attrs["autocomplete"] = "email"

    def clean(self) -> dict[str, Any]:
        """Check the password, and take a turn at a mail.

        Raises
        ------
        ValidationError
            If the password is wrong, or too many were, or too many mails were asked for.
        """
        values = super().clean() or {}
        if self.errors:
            return values
        confirm_password(self.request, values["password"])
        if wait := ask_for_mail(self.request, values["email"]):
            raise ValidationError(f"Too many mails were asked for: try in {in_words(wait)}.")
        return values
