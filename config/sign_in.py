"""Signing in by a link that works once."""

from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.encoding import force_str
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode


class OneTimeLink(PasswordResetTokenGenerator):
    """Tokens that stop working with the sign-in that uses them (it changes `last_login`)."""

    key_salt = "config.sign_in.OneTimeLink"


tokens = OneTimeLink()


def one_time_path(person: AbstractUser) -> str:
    """Return the path of a fresh link for one person."""
    name = urlsafe_base64_encode(str(person.pk).encode())
    return reverse("sign-in-once", args=[name, tokens.make_token(person)])


def sign_in_once(request: HttpRequest, name: str, token: str) -> HttpResponse:
    """Ask for a click, then sign in: what only fetches links must not use them up."""
    person = _person(name)
    if person is None or not person.is_active or not tokens.check_token(person, token):
        return HttpResponseForbidden(
            render(request, "registration/link_used.html").content, content_type="text/html"
        )
    if request.method != "POST":
        return render(request, "registration/sign_in_once.html", {"person": person})
    login(request, person, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("home")


def _person(name: str) -> AbstractUser | None:
    try:
        key = int(force_str(urlsafe_base64_decode(name)))
    except (ValueError, UnicodeDecodeError):
        return None
    return get_user_model().objects.filter(pk=key).first()
