"""Forms for codes."""

from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict

from config.account_forms import confirm_password, password_field
from config.second_factor.factors import use
from config.sign_in_limits import code_attempt_of
from corpus.limits import in_words


class _CodeInput(forms.TextInput):
    """An input that does not repeat what was wrong."""

    def format_value(self, value: Any) -> None:
        """Begin empty."""


_WIDGET = _CodeInput(
    attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
)
WRONG = "This code is wrong, too old, or was used before."


class CodeForm(forms.Form):
    """A code of the app, or one for recovery."""

    code = forms.CharField(label="Code", max_length=40, widget=_WIDGET)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.fields["code"].widget.attrs["autofocus"] = True


class SetUpForm(forms.Form):
    """A first code, with the password of whose account it is to guard."""

    password = password_field()
    code = forms.CharField(label="Code that the app shows", max_length=40, widget=_WIDGET)

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.request = request
        # Who came by a one-time link, or from a provider, may have none.
        if not cast(User, request.user).has_usable_password():
            del self.fields["password"]

    def clean(self) -> dict[str, Any]:
        """Check the password."""
        values = super().clean() or {}
        if "password" in self.fields and not self.errors:
            confirm_password(self.request, values["password"])
        return values


class ChangeForm(SetUpForm):
    """Password and code of who wants other recovery codes, or no second factor."""

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        super().__init__(request, data)
        self.fields["code"].label = "Code of the app, or a recovery code"

    def clean(self) -> dict[str, Any]:
        """Check the password, then use the code up.

        Raises
        ------
        ValidationError
            If one of them is wrong, or too many were.
        """
        values = super().clean()
        if self.errors:
            return values
        person = cast(User, self.request.user)
        attempt = code_attempt_of(self.request, person.get_username())
        if wait := attempt.begin():
            raise ValidationError(f"Too many codes were wrong: try again in {in_words(wait)}.")
        if not use(person, values["code"]):
            raise ValidationError({"code": WRONG})
        attempt.succeeded()
        return values
