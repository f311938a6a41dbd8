"""A person's own account: password, sessions and API tokens."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from config.account_forms import AddressForm, TokenForm, may_have_address
from config.api_tokens import new_token
from config.models import ApiToken, SecondFactor, Session
from config.sessions import stored_key
from corpus.access_log import Action, log_access


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Show the account; by POST, change the password."""
    person = cast(User, request.user)
    # Who came by a one-time link has no old password to give.
    form_class = PasswordChangeForm if person.has_usable_password() else SetPasswordForm
    form = form_class(person, request.POST or None)
    if request.method == "POST" and not settings.PASSWORD_SIGN_IN:
        raise PermissionDenied("nobody signs in with a password on this site")
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, person)
        other_sessions(request).delete()
        log_access(Action.SIGN_IN_CHANGED, "password", person=person, request=request)
        messages.success(request, "The password was saved. All other sessions ended.")
        return redirect("account")
    return account_page(request, form)


@require_POST
@login_required
def end_session(request: HttpRequest) -> HttpResponse:
    """Sign one browser out."""
    mine = Session.objects.filter(user=cast(User, request.user))
    if mine.filter(session_key=request.POST.get("session", "").replace("\0", "")).delete()[0]:
        messages.success(request, "The session ended.")
    return redirect("account")


@require_POST
@login_required
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    """Sign every other browser out."""
    other_sessions(request).delete()
    messages.success(request, "All other sessions ended.")
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
    person = cast(User, request.user)
    key = new_token(person, values["name"], values["scope"], values["days"])
    log_access(Action.TOKEN_MADE, values["scope"], person=person, request=request)
    return account_page(request, key=key)


@require_POST
@login_required
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """End one API token."""
    if ApiToken.objects.filter(user=cast(User, request.user), pk=pk).delete()[0]:
        log_access(Action.TOKEN_REVOKED, person=cast(User, request.user), request=request)
        messages.success(request, "The token was revoked.")
    return redirect("account")


def other_sessions(request: HttpRequest) -> QuerySet[Session]:
    """Return where else the person is signed in."""
    here = stored_key(request.session.session_key)
    return Session.objects.filter(user=cast(User, request.user)).exclude(session_key=here)


def account_page(
    request: HttpRequest,
    form: "SetPasswordForm[User] | None" = None,
    token_form: TokenForm | None = None,
    address_form: AddressForm | None = None,
    key: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the account, with the forms as they were sent."""
    person = cast(User, request.user)
    if form is None:
        form = (PasswordChangeForm if person.has_usable_password() else SetPasswordForm)(person)
    # The page is about more than the password: Django would begin there, past the rest.
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)
    context = {
        "form": form,
        "token_form": token_form or TokenForm(),
        "tokens": ApiToken.objects.filter(user=person),
        "key": key,
        "sessions": Session.objects.filter(user=person, expire_date__gt=timezone.now()),
        "by_password": settings.PASSWORD_SIGN_IN,
        "address_form": address_form or AddressForm(request),
        "factor": SecondFactor.objects.filter(user=person).first(),
        "takes_address": may_have_address(person),
        "here": stored_key(request.session.session_key),
    }
    return render(request, "account/account.html", context, status=status)
