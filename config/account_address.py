"""The e-mail address of an account: it counts once its owner has opened a mail sent there."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from config.account import account_page
from config.account_forms import AddressForm, may_have_address
from config.mail.sending import send_later, site_address
from corpus.access_log import Action, log_access

SALT = "config.account_address"
SECONDS = 24 * 3600


@require_POST
@sensitive_post_parameters()
@never_cache
@login_required
def ask(request: HttpRequest) -> HttpResponse:
    """Send a link to an address that somebody wants to have."""
    person = cast(User, request.user)
    if not may_have_address(person):
        raise PermissionDenied("this account takes no e-mail address")
    form = AddressForm(request, request.POST)
    if not form.is_valid():
        return account_page(request, address_form=form, status=400)
    address = form.cleaned_data["email"]
    # With the address of now, so that of two links only the first that is opened works.
    token = signing.dumps([person.pk, person.email, address], salt=SALT)
    link = site_address(reverse("account-address-confirm", args=[token]))
    context = {"name": person.get_username(), "link": link}
    send_later("mail/confirm_address.txt", "Confirm your e-mail address", address, context)
    messages.success(request, f"A mail was sent to {address}. Its link confirms the address.")
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a click, then store the address."""
    person = cast(User, request.user)
    try:
        number, before, address = signing.loads(token, salt=SALT, max_age=SECONDS)
    except signing.BadSignature:
        number = before = address = None
    if (number, before) != (person.pk, person.email) or not may_have_address(person):
        return render(request, "account/address_refused.html", status=403)
    if request.method != "POST":
        return render(request, "account/address.html", {"address": address})
    person.email = address
    person.save(update_fields=["email"])
    log_access(Action.SIGN_IN_CHANGED, "e-mail address", person=person, request=request)
    if before:
        words = {"name": person.get_username(), "event": "was given another e-mail address"}
        send_later("mail/changed.txt", "Your account was changed", before, words)
    messages.success(request, "The e-mail address was saved.")
    return redirect("account")
