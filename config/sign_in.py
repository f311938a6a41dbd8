"""Signing in: by password, as fast as the limits let, and by a link that works once."""

import math
from datetime import datetime
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.second_factor.waiting import ask_for_code, has_second_factor
from config.sign_in_limits import attempt_of, know_browser
from corpus.limits import in_words
from corpus.models import Study


class SignInForm(AuthenticationForm):
    """Name and password; looks at the password only when it is this attempt's turn."""

    wait = 0.0

    def clean(self) -> dict[str, Any]:
        """Check the password.

        Raises
        ------
        ValidationError
            If it is wrong, or not looked at: too many were wrong before, or none is asked for.
        """
        if not settings.PASSWORD_SIGN_IN:
            raise ValidationError("Nobody signs in with a password on this site.")
        request, name = self.request, self.cleaned_data.get("username")
        if request is None or not name or not self.cleaned_data.get("password"):
            return super().clean()
        attempt = attempt_of(request, name)
        self.wait = attempt.begin()
        if self.wait:
            raise ValidationError(f"Too many attempts: try again in {in_words(self.wait)}.")
        values = super().clean()
        attempt.succeeded()
        return values


class SignInView(LoginView):
    """The sign-in page."""

    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, and know this browser from now on; or ask for a code."""
        person = form.get_user()
        if has_second_factor(person):
            return ask_for_code(self.request, person, "password", self.get_redirect_url())
        response = super().form_valid(form)
        know_browser(response, form.get_user().get_username())
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page shows: which ways there are."""
        ways = {
            "provider": settings.OPEN_ID_PROVIDER,
            "by_password": settings.PASSWORD_SIGN_IN,
            "resets": settings.MAIL,
        }
        return super().get_context_data(**kwargs) | ways

    def get_default_redirect_url(self) -> str:
        """Return where somebody begins who came for no page of their own."""
        return first_page(self.request.user)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Say what is wrong, or how long to wait."""
        wait = getattr(form, "wait", 0)
        if not wait:
            return super().form_invalid(form)
        context = {"wait": in_words(wait)}
        response = render(self.request, "registration/locked_out.html", context, status=429)
        response["Retry-After"] = str(math.ceil(wait))
        return response


class OneTimeLink(PasswordResetTokenGenerator):
    """Tokens that stop working with the sign-in that uses them (it changes `last_login`)."""

    key_salt = "config.sign_in.OneTimeLink"

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
            return render(request, "registration/link_used.html", status=403)
        return render(request, "registration/sign_in_once.html", {"person": person})
    with transaction.atomic():
        # The lock makes the second of two clicks at once find the link used.
        person = _holder(people.select_for_update(), name, token)
        if person is None:
            return render(request, "registration/link_used.html", status=403)
        if has_second_factor(person):
            return ask_for_code(request, person, "one-time link", link=token)
        login(request, person, backend="django.contrib.auth.backends.ModelBackend")
    response = redirect(first_page(person))
    know_browser(response, person.get_username())
    return response


def first_page(person: AbstractBaseUser | AnonymousUser) -> str:
    """Return the findings of the one study that a person may open, or the list of several."""
    studies = list(Study.objects.visible_to(cast(User, person)).values_list("slug", flat=True)[:2])
    return reverse("study", args=studies) if len(studies) == 1 else reverse("home")


def _holder(people: QuerySet[User], name: str, token: str) -> User | None:
    """Return whom a link that still works belongs to."""
    try:
        person = people.filter(pk=int(urlsafe_base64_decode(name)), is_active=True).first()
    except ValueError:
        return None
    return person if person is not None and tokens.check_token(person, token) else None
