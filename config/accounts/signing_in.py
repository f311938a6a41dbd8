"""The sign-in page, and links that sign in once: they wait for nothing that other pages need."""

from datetime import datetime
from typing import Any

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from allauth.account.views import LoginView
from django.conf import settings
from django.contrib.auth import get_user_model, logout
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.accounts.adapter import LINK


class SignIn(LoginView):
    """Asks for name and password, and leads to the other ways there are."""

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form, ready to type in, without placeholders that repeat the labels."""
        form = super().get_form(form_class)
        for field in form.fields.values():
            field.widget.attrs.pop("placeholder", None)
        form.fields["login"].widget.attrs["autofocus"] = True
        return form

    def form_invalid(self, form: Any) -> HttpResponse:
        """Say what is wrong."""
        answer: HttpResponse = super().form_invalid(form)
        if form.has_error("__all__", "too_many_login_attempts"):
            answer.status_code = 429
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page shows."""
        ways = {
            "provider": settings.OPEN_ID_PROVIDER,
            "by_password": settings.PASSWORD_SIGN_IN,
            "resets": settings.MAIL,
            "next": self.get_next_url() or "",
        }
        return {**super().get_context_data(**kwargs), **ways}


class OneTimeLink(PasswordResetTokenGenerator):
    """Tokens that stop working with the sign-in that uses them (it changes `last_login`)."""

    key_salt = "config.accounts.signing_in.OneTimeLink"

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        """Hash the last sign-in to the microsecond; Django's own second would allow two uses."""
        last: datetime | None = user.last_login
        return f"{user.pk}{user.password}{last.isoformat() if last else ''}{timestamp}"


tokens = OneTimeLink()


def one_time_path(person: User) -> str:
    """Return the path of a fresh link for one person."""
    name = urlsafe_base64_encode(str(person.pk).encode())
    return reverse("sign-in-once", args=[name, tokens.make_token(person)])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_in_once(request: HttpRequest, name: str, token: str) -> HttpResponse:
    """Ask for a click, then sign in: what only fetches links must not use them up."""
    people = get_user_model().objects.all()
    if request.method != "POST":
        person = _holder(people, name, token)
        if person is None:
            return render(request, "account/link_used.html", status=403)
        return render(request, "account/sign_in_once.html", {"person": person})
    with transaction.atomic():
        # The lock makes the second of two clicks at once find the link used.
        person = _holder(people.select_for_update(), name, token)
        if person is None:
            return render(request, "account/link_used.html", status=403)
        if request.user.is_authenticated:
            logout(request)
        record_authentication(request, person, LINK)
        return perform_login(request, Login(user=person))


def _holder(people: QuerySet[User], name: str, token: str) -> User | None:
    """Return whom a link that still works belongs to."""
    try:
        person = people.filter(pk=int(urlsafe_base64_decode(name)), is_active=True).first()
    except ValueError:
        return None
    return person if person is not None and tokens.check_token(person, token) else None
