"""To the provider and back."""

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.signals import user_login_failed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.open_id.backend import PATH
from config.open_id.client import ask_provider, read_answer
from config.open_id.declared import Provider
from config.open_id.people import person_of
from config.open_id.refusals import Refused
from config.sign_in import first_page

NEXT = "open_id_next"
SECONDS_TO_SIGN_IN = 600


@require_safe
@never_cache
def begin(request: HttpRequest) -> HttpResponse:
    """Send a browser to the provider."""
    provider = _provider()
    wanted = request.GET.get("next", "")
    request.session[NEXT] = wanted if url_has_allowed_host_and_scheme(wanted, None) else ""
    if not request.user.is_authenticated:
        request.session.set_expiry(SECONDS_TO_SIGN_IN)
    try:
        return ask_provider(request, provider, request.build_absolute_uri(reverse("open-id-back")))
    except Refused as refused:
        return _refusal(request, provider, refused)


@require_safe
@never_cache
def come_back(request: HttpRequest) -> HttpResponse:
    """Sign in whom the provider sends back, or say why not."""
    provider = _provider()
    try:
        person = person_of(read_answer(request, provider), provider)
    except Refused as refused:
        return _refusal(request, provider, refused)
    wanted = request.session.pop(NEXT, "")
    login(request, person, backend=PATH)
    # Groups are asked for again after this time.
    request.session.set_expiry(provider.hours * 3600)
    return redirect(wanted or first_page(person))


def _provider() -> Provider:
    found: Provider | None = settings.OPEN_ID_PROVIDER
    if found is None:
        raise Http404("no OpenID provider is set (OIDC_ISSUER)")
    return found


def _refusal(request: HttpRequest, provider: Provider, refused: Refused) -> HttpResponse:
    user_login_failed.send(sender=__name__, credentials={"username": refused.name}, request=request)
    context = {"provider": provider, "reason": str(refused), "status": refused.status}
    return render(request, "registration/provider_refused.html", context, status=refused.status)
