"""Pages and forms of django-allauth that this site changes, or has only by its settings."""

from typing import Any

from allauth.account import views as account
from allauth.account.forms import ResetPasswordForm
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.views import IndexView
from allauth.mfa.models import Authenticator
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.webauthn import forms
from allauth.mfa.webauthn.views import LoginWebAuthnView, RemoveWebAuthnView
from django.conf import settings
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse_lazy

from config.accounts.adapter import came_by
from config.accounts.pages import may_have_address
from config.accounts.second_factor import must_set_up
from corpus.access.log import Action, log_access
from corpus.pages.frame import actor

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


class _Allowed:
    """Answers only where the settings of the site have such a page."""

    request: HttpRequest

    def check(self, request: HttpRequest) -> None:
        """Raise what the page answers otherwise."""
        raise NotImplementedError

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer."""
        self.check(request)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return answer


class _ByPassword(_Allowed):
    def check(self, request: HttpRequest) -> None:
        if not settings.PASSWORD_SIGN_IN:
            raise PermissionDenied("nobody signs in with a password on this site")


class _ByMail(_Allowed):
    def check(self, request: HttpRequest) -> None:
        if not settings.MAIL or not settings.PASSWORD_SIGN_IN:
            raise Http404("no password is reset by mail on this site")


class _WithAddress(_Allowed):
    def check(self, request: HttpRequest) -> None:
        if not may_have_address(actor(request)):
            raise PermissionDenied("this account takes no e-mail address")


class ChangePassword(_ByPassword, account.PasswordChangeView):
    """Takes another password."""


class SetPassword(_ByPassword, account.PasswordSetView):
    """Takes a first password."""


class SignInWithPasskey(_ByPassword, LoginWebAuthnView):
    """Takes a passkey in place of name and password."""


class ResetForm(ResetPasswordForm):
    """The address of an account; what it answers and does looks the same for any address."""

    users: list[User]

    def clean_email(self) -> str:
        """Find whose address it is, of those who have a password."""
        email: str = super().clean_email()
        self.users = [each for each in self.users if each.has_usable_password()]
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Send the mails, and log for whom."""
        if not self.users:
            log_access(Action.RESET_ASKED, "unknown address", request=request)
        email: str = super().save(request, **kwargs)
        return email


class AskForReset(_ByMail, account.PasswordResetView):
    """Asks for the address of an account."""

    form_class = ResetForm


class ResetSent(_ByMail, account.PasswordResetDoneView):
    """Says what happens now."""


class ChooseAfterReset(_ByMail, account.PasswordResetFromKeyView):
    """Takes the new password of who opened the mail."""

    success_url = reverse_lazy("account_login")


class Address(LoginRequiredMixin, _WithAddress, account.EmailView):
    """Asks for another e-mail address; the one that an account has counts as confirmed."""

    def check(self, request: HttpRequest) -> None:
        """Refuse accounts that take no address."""
        super().check(request)
        person = actor(request)
        if person.email:
            EmailAddress.objects.update_or_create(
                user=person,
                email=person.email.lower(),
                defaults={"verified": True, "primary": True},
            )


class ConfirmAddress(LoginRequiredMixin, _WithAddress, account.ConfirmEmailView):
    """Stores the address of who asked for it, and of nobody else."""

    def get_object(self, queryset: Any = None) -> Any:
        """Return what is confirmed.

        Raises
        ------
        Http404
            If it is another person's.
        """
        found = super().get_object(queryset)
        if found.email_address.user != self.request.user:
            raise Http404("this link is of another account")
        return found


class SecondFactorStage(AuthenticateStage):
    """Asks for the second factor, but not whom the provider has let in."""

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Ask, or go on."""
        if came_by(self.request, self.login.user) == "socialaccount":
            return None, True
        answer: tuple[HttpResponse | None, bool] = super().handle()
        return answer


class SecondFactor(IndexView):
    """The second factor and passkeys of who is signed in."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what there is, and whether something is missing."""
        return {**super().get_context_data(**kwargs), "is_due": must_set_up(self.request)}


class RemovePasskey(RemoveWebAuthnView):
    """Removes a passkey of who is signed in."""

    success_url = reverse_lazy("mfa_index")
