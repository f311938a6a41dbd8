"""What django-allauth asks of the site when people sign in."""

import ipaddress
import secrets
from collections.abc import Sequence
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from config.mail import send_later, site_address
from corpus.access.log import Action, client_network, forwarded_unasked, log_access
from corpus.access.rate_limits import Steady, give_back, in_words, take
from corpus.models import Study

COOKIE = "known"
SECONDS_KNOWN = 365 * 24 * 3600
ON_THIS_SITE = "django.contrib.auth.backends.ModelBackend"
BY_PROVIDER = "config.accounts.adapter.ProviderBackend"
LINK = "link"
PROOF = "sign_in_proof"
GUESSES = {
    "name-in-browser": Steady(at_once=5, seconds_each=60),
    "name": Steady(at_once=30, seconds_each=120),
    "network": Steady(at_once=20, seconds_each=30),
    "proxy": Steady(at_once=200, seconds_each=3),
}
TOO_MANY = (
    "Too many attempts failed, with this name or from your network. Try again in {}; this attempt "
    "was not checked. A browser in which you have signed in before need not wait for the failures "
    "of others, and an administrator can send you a link that signs you in once."
)
MAILS = {
    "account/email/password_reset_key": ("mail/reset.txt", "Choose a new password"),
    "account/email/email_confirmation": ("mail/confirm_address.txt", "Confirm your e-mail address"),
    "account/email/email_changed": ("mail/changed.txt", "Your account was changed"),
}
MESSAGES = {
    "account/messages/password_changed.txt": "The password was saved. All other sessions ended.",
    "account/messages/password_set.txt": "The password was saved. All other sessions ended.",
    "account/messages/email_confirmed.txt": "The e-mail address was saved.",
    "account/messages/email_confirmation_sent.txt": (
        "A mail was sent to {email}. Its link confirms the address."
    ),
    "mfa/messages/totp_activated.txt": "The authenticator app was set up.",
    "mfa/messages/totp_deactivated.txt": "The authenticator app was removed.",
    "mfa/messages/webauthn_added.txt": "The passkey was added.",
    "mfa/messages/webauthn_removed.txt": "The passkey was removed.",
    "mfa/messages/recovery_codes_generated.txt": "The old recovery codes no longer work.",
    "usersessions/messages/sessions_logged_out.txt": "All other sessions ended.",
}


def know_browser(response: HttpResponse, name: str) -> None:
    """Let this browser count by itself from now on when it tries this name."""
    nonce = secrets.token_urlsafe(16)
    response.set_cookie(
        COOKIE,
        f"{nonce}:{_browser_proof(nonce, name)}",
        max_age=SECONDS_KNOWN,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def known_browser(request: HttpRequest, name: str) -> str:
    """Return the mark of a browser in which this name has signed in before, or nothing."""
    nonce, _, proof = request.COOKIES.get(COOKIE, "").partition(":")
    return nonce if nonce and constant_time_compare(proof, _browser_proof(nonce, name)) else ""


def _browser_proof(nonce: str, name: str) -> str:
    return salted_hmac("config.accounts", f"{nonce} {name}", algorithm="sha256").hexdigest()


class ProviderBackend(ModelBackend):
    """Knows accounts by their number, and no passwords: sessions end with the setting."""

    def authenticate(self, *args: Any, **kwargs: Any) -> None:
        """Take no password."""


class AccountAdapter(DefaultAccountAdapter):
    """Limits of guesses, stages of a sign-in, mails and messages."""

    _taken: Sequence[str] = ()
    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": TOO_MANY.format("five minutes"),  # Of codes.
        "username_password_mismatch": (
            "Please enter a correct username and password. Both are case-sensitive."
        ),
        "incorrect_password": "This is not your password.",
        "incorrect_code": "This code is wrong, too old, or was used before.",
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return an address that stands for the client's network; its own is stored nowhere."""
        mark = salted_hmac("config.accounts", _network(request), algorithm="sha256").digest()
        return str(ipaddress.IPv6Address(b"\xfd" + mark[:7] + bytes(8)))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Take a turn at a password, which a right one gives back.

        Raises
        ------
        ValidationError
            If it is not looked at: too many were wrong before, or none is asked for.
        """
        if not settings.PASSWORD_SIGN_IN:
            raise ValidationError("Nobody signs in with a password on this site.")
        turns = [
            (GUESSES[kind], f"sign-in {kind} {key}")
            for kind, key in _counted(request, str(credentials["username"]))
        ]
        if seconds := take(*turns):
            words = TOO_MANY.format(in_words(seconds))
            raise ValidationError(words, code="too_many_login_attempts")
        self._taken = [words for _, words in turns]

    def _rollback_login_failed_rl_usage(self) -> None:
        """Give back what a right password took; django-allauth calls this."""
        give_back(*self._taken)

    def get_login_stages(self) -> list[str]:
        """Ask for a second factor, but not whom the provider has let in."""
        return ["config.accounts.views.SecondFactorStage"]

    def pre_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse | None:
        """Keep what the sign-in rests on until it is complete."""
        request.session[PROOF] = _proof(request, user)
        return super().pre_login(request, user, **kwargs)

    def login(self, request: HttpRequest, user: Any) -> None:
        """Sign in, unless what it rests on has changed since it began.

        Raises
        ------
        ImmediateHttpResponse
            If the account ended, has a new password, or its link was used meanwhile.
        """
        began_with = request.session.pop(PROOF, "")
        if not user.is_active or not constant_time_compare(began_with, _proof(request, user)):
            messages.info(request, "Sign in again: this account was changed meanwhile.")
            raise ImmediateHttpResponse(redirect("account_login"))
        user.backend = BY_PROVIDER if came_by(request, user) == "socialaccount" else ON_THIS_SITE
        super().login(request, user)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Know this browser from now on."""
        response = super().post_login(request, user, **kwargs)
        know_browser(response, user.get_username())
        return response

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Say why nobody is signed in."""
        messages.error(request, "This account was deactivated.")
        return redirect("account_login")

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where somebody begins who came for no page of their own."""
        return first_page(request.user)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Let nobody make an account for themselves."""
        return False

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Ask again who it is, where there is anything to ask for."""
        return bool(self.get_reauthentication_methods(self.request.user))

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """Return how somebody shows again who they are: by the second factor if they have one."""
        found = super().get_reauthentication_methods(user)
        passkeys = [
            {**each, "description": "Use a passkey"}
            for each in found
            if each["id"] == "mfa_reauthenticate:webauthn"
        ]
        codes = [each for each in found if each["id"] == "mfa_reauthenticate"]
        return passkeys + codes or found

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return the account page."""
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        """Return the account page."""
        return reverse("account")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the address in a mail: what a request says of its host can be made up."""
        person, _, token = key.partition("-")
        return site_address(reverse("account_reset_password_from_key", args=[person, token]))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the address in a mail."""
        return site_address(reverse("account_confirm_email", args=[emailconfirmation.key]))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one of the mails of this site, from a thread."""
        if template_prefix in MAILS and settings.MAIL:
            template, subject = MAILS[template_prefix]
            link = context.get("password_reset_url") or context.get("activate_url", "")
            words = {"name": context["user"].get_username(), "link": link}
            send_later(template, subject, email, words)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: Any,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell the old address that there is a new one."""
        if email:
            self.send_mail(template_prefix, email, {"user": user})

    def send_password_reset_mail(self, user: Any, email: str, context: dict[str, Any]) -> None:
        """Send a link to choose a new password, to the address that the account has."""
        log_access(Action.RESET_ASKED, person=user, request=self.request)
        super().send_password_reset_mail(user, user.email, context)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Say what happened in the words of this site; that somebody signed in is plain to see."""
        words = message or MESSAGES.get(message_template or "", "")
        if words:
            email = (message_context or {}).get("email", "")
            messages.add_message(request, level, words.replace("{email}", email), extra_tags)


def first_page(person: Any) -> str:
    """Return the findings of the one study that a person may open, or the list of several."""
    studies = list(Study.objects.visible_to(person).values_list("slug", flat=True)[:2])
    return reverse("study", args=studies) if len(studies) == 1 else reverse("home")


def came_by(request: HttpRequest, user: Any) -> str:
    """Return the way by which somebody began to sign in: `password`, `link`, `socialaccount`…"""
    records = get_authentication_records(request, user)
    first = [each["method"] for each in records if each["method"] != "mfa"]
    return str(first[-1]) if first else ""


def _proof(request: HttpRequest, user: Any) -> str:
    """Return a mark of what a sign-in rests on: the password, and that a link is still unused."""
    last = user.last_login if came_by(request, user) == LINK else None
    return f"{user.get_session_auth_hash()} {last.isoformat() if last else ''}"


def _counted(request: HttpRequest, name: str) -> list[tuple[str, str]]:
    """Return what an attempt counts against: kinds of `GUESSES` and keys."""
    if nonce := known_browser(request, name):
        return [("name-in-browser", nonce)]
    network = _network(request)
    found = [
        ("name-in-browser", f"{network} {name}"),
        ("name", name),
        ("network", network),
    ]
    if forwarded_unasked(request):
        found.append(("proxy", client_network(request)))
    return found


def _network(request: HttpRequest) -> str:
    return f"{client_network(request)} {forwarded_unasked(request)}"
