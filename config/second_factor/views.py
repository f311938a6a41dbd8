"""Pages for codes: at a sign-in, and on the account, where the second factor is set up."""

import math
from typing import cast

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from config.account import other_sessions
from config.models import RecoveryCode, SecondFactor
from config.second_factor import codes, factors
from config.second_factor.forms import WRONG, ChangeForm, CodeForm, SetUpForm
from config.second_factor.required import must_set_up
from config.second_factor.waiting import Waiting, wait_no_more, who_waits
from config.sign_in import first_page, tokens
from config.sign_in_limits import code_attempt_of, know_browser
from corpus.access_log import Action, log_access
from corpus.limits import in_words

SEED = "second_factor_seed"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@never_cache
def enter_code(request: HttpRequest) -> HttpResponse:
    """Ask who has given a right password, or link, for a code; then sign them in."""
    waiting = who_waits(request)
    form = CodeForm(request.POST if request.method == "POST" else None)
    if waiting is None:
        return _begin_again(request)
    if not form.is_valid():
        return _ask(request, form)
    name = User.objects.filter(pk=waiting.person).values_list("username", flat=True).first()
    attempt = code_attempt_of(request, str(name))
    if wait := attempt.begin():
        form.add_error(None, f"Too many codes were wrong. Try again in {in_words(wait)}.")
        answer = _ask(request, form, 429)
        answer["Retry-After"] = str(math.ceil(wait))
        return answer
    with transaction.atomic():
        person = _person(waiting)
        if person is None:
            return _begin_again(request)
        kind = factors.use(person, form.cleaned_data["code"])
        if kind:
            _sign_in(request, person, f"{waiting.way} and {kind}")
    if not kind:
        request.sign_in_way = f"{waiting.way}, wrong code"  # type: ignore[attr-defined]
        user_login_failed.send(__name__, credentials={"username": name}, request=request)
        form.add_error("code", WRONG)
        return _ask(request, form)
    attempt.succeeded()
    if kind == factors.BY_RECOVERY:
        _say_what_is_left(request, person)
    response = redirect(waiting.following or first_page(person))
    know_browser(response, person.get_username())
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@never_cache
@login_required
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show the second factor, or set it up: by POST, with a first code of the app."""
    person = cast(User, request.user)
    if factor := SecondFactor.objects.filter(user=person).first():
        return _state(request, factor, ChangeForm(request))
    seed = request.session.setdefault(SEED, codes.new_seed())
    form = SetUpForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        given = factors.set_up(person, seed, form.cleaned_data["code"])
        if given:
            del request.session[SEED]
            other_sessions(request).delete()
            _log(request, "second factor set up")
            return render(request, "account/recovery_codes.html", {"codes": given, "is_new": True})
        form.add_error("code", "The app shows another code now. Is the clock of the phone right?")
    key = codes.key_of(person.pk, seed)
    issuer = f"Touchstone {request.get_host().partition(':')[0]}"
    address = codes.address_for_app(key, person.get_username(), issuer)
    context = {
        "form": form,
        "is_required": must_set_up(request),
        "picture": codes.picture(address),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
    }
    status = 400 if form.is_bound else 200
    return render(request, "account/second_factor_set_up.html", context, status=status)


@require_POST
@sensitive_post_parameters()
@never_cache
@login_required
def change(request: HttpRequest) -> HttpResponse:
    """Give other recovery codes, or remove the second factor."""
    person = cast(User, request.user)
    factor = SecondFactor.objects.filter(user=person).first()
    if factor is None:
        return redirect("second-factor")
    form = ChangeForm(request, request.POST)
    if not form.is_valid():
        return _state(request, factor, form, 400)
    if "remove" in request.POST:
        factors.remove(person)
        _log(request, "second factor removed")
        messages.success(request, "The second factor was removed: your password suffices now.")
        return redirect("account")
    given = factors.give_recovery_codes(factor)
    _log(request, "new recovery codes")
    return render(request, "account/recovery_codes.html", {"codes": given})


def _person(waiting: Waiting) -> User | None:
    """Return who waits, locked, if what they came with still holds."""
    people = User.objects.select_for_update(no_key=True)
    person = people.filter(pk=waiting.person).first()
    if person is None or not waiting.is_still(person):
        return None
    return person if not waiting.link or tokens.check_token(person, waiting.link) else None


def _sign_in(request: HttpRequest, person: User, way: str) -> None:
    wait_no_more(request)
    request.sign_in_way = way  # type: ignore[attr-defined]
    login(request, person, backend=BACKEND)
    request.session.set_expiry(None)


def _begin_again(request: HttpRequest) -> HttpResponse:
    wait_no_more(request)
    messages.info(request, "Sign in again: a code must be entered within ten minutes.")
    return redirect("login")


def _ask(request: HttpRequest, form: CodeForm, status: int = 200) -> HttpResponse:
    return render(request, "registration/code.html", {"form": form}, status=status)


def _say_what_is_left(request: HttpRequest, person: User) -> None:
    left = RecoveryCode.objects.filter(factor__user=person).count()
    words = f"You signed in with a recovery code. {left} are left; the page Account gives new ones."
    messages.warning(request, words)


def _state(
    request: HttpRequest, factor: SecondFactor, form: ChangeForm, status: int = 200
) -> HttpResponse:
    context = {"factor": factor, "left": factor.recovery_codes.count(), "form": form}
    return render(request, "account/second_factor.html", context, status=status)


def _log(request: HttpRequest, words: str) -> None:
    person = cast(User, request.user)
    log_access(Action.SIGN_IN_CHANGED, words, person=person, request=request)
