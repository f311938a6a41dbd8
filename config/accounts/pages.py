"""A person's own account: what lets them in, one session, and API tokens."""

from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.accounts.second_factor import FACTORS
from config.accounts.tokens import new_token
from config.models import ApiToken
from corpus.access.log import Action, log_access
from corpus.pages.frame import actor

BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Macintosh": "macOS",
    "Linux": "Linux",
}
LONGEST_NAME = 60
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


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Show the account."""
    return account_page(request)


@require_POST
@login_required
def end_session(request: HttpRequest) -> HttpResponse:
    """Sign one browser out."""
    number = request.POST.get("session", "")
    mine = UserSession.objects.filter(user=actor(request))
    if session := mine.filter(pk=number).first() if number.isdecimal() else None:
        session.end()
        messages.success(request, "The session ended.")
    return redirect("account")


@require_POST
@never_cache
@login_required
def make_token(request: HttpRequest) -> HttpResponse:
    """Make an API token and show it, this once."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return account_page(request, token_form=form, status=400)
    values = form.cleaned_data
    person = actor(request)
    key = new_token(person, values["name"], values["scope"], values["days"])
    log_access(Action.TOKEN_MADE, values["scope"], person=person, request=request)
    return account_page(request, key=key)


@require_POST
@login_required
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """End one API token."""
    if ApiToken.objects.filter(user=actor(request), pk=pk).delete()[0]:
        log_access(Action.TOKEN_REVOKED, person=actor(request), request=request)
        messages.success(request, "The token was revoked.")
    return redirect("account")


def may_have_address(person: User) -> bool:
    """Whether an address is of use: to who has a password, where mails are sent."""
    return bool(settings.MAIL and settings.PASSWORD_SIGN_IN and person.has_usable_password())


def account_page(
    request: HttpRequest, token_form: TokenForm | None = None, key: str = "", status: int = 200
) -> HttpResponse:
    """Show the account, with the form as it was sent."""
    person = actor(request)
    sessions = [
        {"row": row, "device": device_name(row.user_agent)}
        for row in sorted(UserSession.objects.purge_and_list(person), key=lambda row: -row.pk)
    ]
    context = {
        "token_form": token_form or TokenForm(),
        "tokens": ApiToken.objects.filter(user=person),
        "key": key,
        "sessions": sessions,
        "here": request.session.session_key,
        "by_password": settings.PASSWORD_SIGN_IN,
        "has_factor": is_mfa_enabled(person, FACTORS),
        "takes_address": may_have_address(person),
    }
    return render(request, "account/account.html", context, status=status)


def device_name(user_agent: str) -> str:
    """Return the browser and system of a `User-Agent`; browsers pretend to be older ones.

    >>> device_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    >>> device_name("curl/8.5.0")
    'curl/8.5.0'
    """
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or user_agent[:LONGEST_NAME] or "unknown device"
