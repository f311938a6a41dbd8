"""The second factor: how its secrets are kept, when it is asked for, and who must have one."""

import base64
import re
from typing import Any

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin

from config.accounts.adapter import BY_PROVIDER

FREE = re.compile(
    r"mfa_.*|account_(login|logout|reauthenticate)|privacy|(help|rate|join|sign-in|open-id)(-.*)?"
)
"""Pages that need no account, and those on which a second factor is set up."""
FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets are encrypted: who reads a copy of the database makes no codes with it."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "This code is wrong, too old, or was used before."
    }

    def encrypt(self, text: str) -> str:
        """Encrypt a secret with the secret key of the site."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a secret."""
        return str(_cipher().decrypt(encrypted_text.encode()).decode())

    def get_totp_label(self, user: Any) -> str:
        """Return what the app calls the account."""
        return str(user.get_username())

    def get_totp_issuer(self) -> str:
        """Return what the app calls the site."""
        return f"Touchstone {context.request.get_host().partition(':')[0]}"

    def build_totp_svg(self, url: str) -> str:
        """Return a QR code."""
        import segno

        title = "QR code for the authenticator app"
        code = segno.make(url, micro=False, error="m")
        return str(code.svg_inline(border=4, light="white", omitsize=True, title=title))

    def get_public_key_credential_user_entity(self, user: Any) -> dict[str, Any]:
        """Return what a passkey calls the account."""
        entity = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.get_username()}

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """Return a name for the next passkey."""
        count = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {count + 1}"


class SecondFactorMiddleware(MiddlewareMixin):
    """Leads whoever must have a second factor to the page that sets one up."""

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Let a request through, or lead elsewhere."""
        if settings.REQUIRE_SECOND_FACTOR == "nobody":
            return None
        match = request.resolver_match
        if match is None or FREE.fullmatch(match.view_name or "") or not must_set_up(request):
            return None
        if match.route.startswith("api/"):
            words = "This site requires a second factor: set one up on the page Account."
            return JsonResponse({"detail": words}, status=403)
        return redirect("mfa_index")


def must_set_up(request: HttpRequest) -> bool:
    """Whether somebody who is signed in lacks a second factor that this site requires."""
    person = request.user
    if settings.REQUIRE_SECOND_FACTOR == "nobody" or not isinstance(person, User):
        return False
    if settings.REQUIRE_SECOND_FACTOR == "administrators" and not person.is_superuser:
        return False
    by_provider = request.session.get(BACKEND_SESSION_KEY) == BY_PROVIDER
    return not by_provider and not is_mfa_enabled(person, FACTORS)


def _cipher() -> Any:
    # Nothing but a second factor needs cryptography, which takes time to import.
    from cryptography.fernet import Fernet

    key = salted_hmac("config.accounts.second_factor", "", algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))
