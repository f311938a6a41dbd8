"""Forms of passkeys: a credential that is none is refused, whatever is wrong with it."""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms

FAULTS = (KeyError, IndexError, TypeError, ValueError, AttributeError)


class _Checked:
    """Checks a credential; what parses it expects one that a browser made."""

    def clean_credential(self) -> Authenticator:
        """Return whose passkey it is.

        Raises
        ------
        ValidationError
            If it is nobody's.
        """
        try:
            found: Authenticator = super().clean_credential()  # type: ignore[misc]
        except FAULTS:
            raise get_adapter().validation_error("incorrect_code") from None
        return found


class SignInForm(_Checked, forms.LoginWebAuthnForm):
    """A passkey alone."""


class SecondFactorForm(_Checked, forms.AuthenticateWebAuthnForm):
    """A passkey after a password."""


class ShowAgainForm(_Checked, forms.ReauthenticateWebAuthnForm):
    """A passkey before a change of the account."""


class AddForm(forms.AddWebAuthnForm):
    """A new passkey."""

    def clean(self) -> dict[str, Any]:
        """Check the new passkey.

        Raises
        ------
        ValidationError
            If it was not made for this request.
        """
        try:
            values: dict[str, Any] = super().clean()
        except FAULTS:
            raise get_adapter().validation_error("incorrect_code") from None
        return values
