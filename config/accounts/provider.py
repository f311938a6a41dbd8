"""Signing in by an OpenID Connect provider, whose answers are verified and bounded."""

import hashlib
import logging
import time
from typing import Any, NoReturn

from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from requests import PreparedRequest, RequestException, Response, Session
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError

from config.accounts.provider_people import Claims, Refused, follow_groups, person_of
from config.accounts.provider_settings import Provider

SECONDS_TO_ANSWER = 5
LONGEST_REPLY = 1 << 20
"""Bytes: of a longer reply no more is read."""
PIECE = 1 << 16
LONGEST_SUBJECT, LONGEST_TEXT = 191, 254
"""Of an identifier, as it is stored; of an address, by RFC 5321."""
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
"""Signatures that only who has the provider's private key can make; `none` is not among them."""
_LOG = logging.getLogger(__name__)


class _BoundedReplies(HTTPAdapter):
    """Read no reply that is too long or too slow, that of a redirect included."""

    def send(self, request: PreparedRequest, *args: Any, **kwargs: Any) -> Response:
        """Send a request and read what comes back, in time and up to `LONGEST_REPLY`."""
        end, content = time.monotonic() + SECONDS_TO_ANSWER, b""
        kwargs |= {"stream": True, "timeout": SECONDS_TO_ANSWER}
        reply = super().send(request, *args, **kwargs)
        try:
            while piece := reply.raw.read1(PIECE, decode_content=True):
                content += piece
                if len(content) > LONGEST_REPLY:
                    raise RequestException(f"a reply is longer than {LONGEST_REPLY >> 20} MiB")
                if time.monotonic() > end:
                    raise RequestException(f"no whole reply within {SECONDS_TO_ANSWER} seconds")
        except HTTPError as error:
            raise RequestException(f"the connection broke: {error}") from None
        finally:
            reply.close()
        reply._content = content
        reply._content_consumed = True
        return reply


class ProviderClient(OpenIDConnectOAuth2Adapter):
    """What is said to the provider; django-allauth leaves checking its answer to this site."""

    nonce = ""

    @property
    def openid_config(self) -> dict[str, Any]:
        """What the provider says of itself now: keys and addresses change."""
        config: dict[str, Any] = super().openid_config
        if config.get("issuer") != self.provider_id:
            raise ValueError(f"it calls itself {config.get('issuer')!r}, not {self.provider_id!r}")
        return config

    @property
    def basic_auth(self) -> bool:
        """Whether the secret goes into the header, which is what OpenID Connect does by default."""
        ways = self.openid_config.get("token_endpoint_auth_methods_supported")
        return "client_secret_basic" in (ways or ["client_secret_basic"])

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:
        """Return where the provider sends people back to."""
        return request.build_absolute_uri(reverse("open-id-back"))

    def get_access_token_data(
        self, request: HttpRequest, app: Any, client: Any, pkce_code_verifier: Any = None
    ) -> Any:
        """Exchange the code; the ID token must be bound to the same sign-in."""
        self.nonce = _nonce(pkce_code_verifier)
        return super().get_access_token_data(request, app, client, pkce_code_verifier)

    def complete_login(
        self, request: HttpRequest, app: Any, token: Any, **kwargs: Any
    ) -> SocialLogin:
        """Return who came back from the provider."""
        provider = _declared()
        try:
            signed = kwargs["response"].get("id_token")
            if not signed:
                _refuse(request, Refused("It did not say who you are: no ID token came."))
            said = self._verified(str(signed), str(kwargs["response"]["access_token"]))
            if "userinfo_endpoint" in self.openid_config:
                more = self._fetch_user_info(token.token)
                if more.get("sub") != said["sub"]:
                    _refuse(request, Refused("It answered for two different people."))
                said = {**more, **said}
        except (JoseError, ValueError, KeyError, TypeError, AttributeError) as error:
            # Which of the checks failed helps an administrator, and a forger.
            _LOG.warning("The answer of the OpenID provider was not accepted: %s", error)
            _refuse(request, Refused(f"The answer of {provider.name} could not be verified."))
        try:
            claims = read_claims(said, provider)
        except Refused as refused:
            _refuse(request, refused)
        request.open_id_claims = claims  # type: ignore[attr-defined]
        said = {"sub": claims.subject}
        return self.get_provider().sociallogin_from_response(request, {"id_token": said})

    def _verified(self, signed: str, access_token: str) -> dict[str, Any]:
        with self._session() as session:
            reply = session.get(self.openid_config["jwks_uri"])
            reply.raise_for_status()
        token = jwt.decode(signed, KeySet.import_key_set(reply.json()), algorithms=ALGORITHMS)
        app = self.get_provider().app
        jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": self.provider_id},
            aud={"essential": True, "value": app.client_id},
            nonce={"essential": True, "value": self.nonce},
            exp={"essential": True},
            sub={"essential": True},
        ).validate(token.claims)
        if "at_hash" in token.claims:
            _check_access_token(token.claims["at_hash"], token.header["alg"], access_token)
        return dict(token.claims)

    def _session(self) -> Session:
        return ProviderAdapter(self.request).get_requests_session()


class SiteProvider(OpenIDConnectProvider):
    """The one provider, as the environment declares it."""

    oauth2_adapter_class = ProviderClient
    pkce_enabled_default = True

    def get_pkce_params(self) -> dict[str, str]:
        """Return what binds the code, and the ID token, to this sign-in."""
        params: dict[str, str] = super().get_pkce_params()
        return {**params, "nonce": _nonce(params["code_verifier"])}


class ProviderAdapter(DefaultSocialAccountAdapter):
    """What django-allauth asks of the site about the provider."""

    def get_provider(self, request: HttpRequest, provider: str, client_id: Any = None) -> Any:
        """Return the provider that is declared."""
        declared = _declared()
        app = SocialApp(
            provider="openid_connect",
            provider_id=declared.issuer,
            name=declared.name,
            client_id=declared.client_id,
            secret=declared.client_secret,
            settings={"server_url": declared.issuer.rstrip("/"), "scope": declared.scopes.split()},
        )
        return SiteProvider(request, app=app)

    def get_requests_session(self) -> Session:
        """Return a session whose replies are bounded."""
        session = Session()
        for scheme in ("https://", "http://"):
            session.mount(scheme, _BoundedReplies())
        return session

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Find or make the account, with the roles of today."""
        claims: Claims = request.open_id_claims  # type: ignore[attr-defined]
        provider = _declared()
        try:
            person = person_of(sociallogin, claims, provider)
            follow_groups(person, claims, provider)
        except Refused as refused:
            _refuse(request, refused)
        sociallogin.user = person

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Say why nobody is signed in."""
        if isinstance(exception, RequestException | ValueError | KeyError):
            _refuse(request, _unreachable(exception))
        if isinstance(exception, OAuth2Error):
            _LOG.warning("The answer of the OpenID provider was not accepted: %s", exception)
            _refuse(request, Refused(f"The answer of {provider.app.name} could not be verified."))
        if "state_id" in (extra_context or {}) and "error" not in request.GET:
            words = (
                "This answer belongs to no sign-in of this browser, or to one that took too long."
            )
            _refuse(request, Refused(words, status=400))
        said = _text(request.GET.get("error"), 100)
        _refuse(request, Refused(f"{provider.app.name} did not sign you in ({said})."))


@require_safe
@never_cache
def begin(request: HttpRequest) -> HttpResponse:
    """Send a browser to the provider."""
    _declared()
    try:
        provider = ProviderAdapter(request).get_provider(request, "")
        following = get_next_redirect_url(request)
        answer: HttpResponse = provider.redirect(request, AuthProcess.LOGIN, next_url=following)
    except (RequestException, ValueError, KeyError) as error:
        return _refusal(request, _unreachable(error))
    return answer


@require_safe
@never_cache
def come_back(request: HttpRequest) -> HttpResponse:
    """Sign in whom the provider sends back, or say why not."""
    declared = _declared()
    try:
        client = ProviderClient(request, declared.issuer)
        answer: HttpResponse = OAuth2CallbackView.adapter_view(client)(request)
    except (RequestException, ValueError, KeyError) as error:
        return _refusal(request, _unreachable(error))
    if answer.status_code == 302 and request.user.is_authenticated:
        # Groups are asked for again after this time.
        request.session.set_expiry(declared.hours * 3600)
    return answer


def read_claims(said: dict[str, Any], provider: Provider) -> Claims:
    """Take what the provider says of somebody, whatever else its values are, as short texts.

    Raises
    ------
    Refused
        If it names nobody.
    """
    subject, email = _text(said.get("sub"), LONGEST_SUBJECT), _text(said.get("email"))
    if not subject:
        raise Refused(f"The answer of {provider.name} names no account that can be stored here.")
    groups = said.get(provider.groups_claim)
    return Claims(
        subject=subject,
        name=_text(said.get("preferred_username")) or email.partition("@")[0],
        email=email if said.get("email_verified") is True else "",
        groups=frozenset(map(_text, groups if isinstance(groups, list) else [groups])) - {""},
    )


def _declared() -> Provider:
    found: Provider | None = settings.OPEN_ID_PROVIDER
    if found is None:
        raise Http404("no OpenID provider is set (OIDC_ISSUER)")
    return found


def _nonce(verifier: str | None) -> str:
    return hashlib.sha256(f"nonce {verifier}".encode()).hexdigest()


def _check_access_token(said: object, algorithm: str, access_token: str) -> None:
    """Check that the ID token came with this access token (OpenID Connect Core, 3.1.3.6)."""
    from joserfc.util import urlsafe_b64encode

    digest = hashlib.new(f"sha{algorithm[2:]}", access_token.encode()).digest()
    if said != urlsafe_b64encode(digest[: len(digest) // 2]).decode():
        raise ValueError("the access token is another one (at_hash)")


def _text(value: object, longest: int = LONGEST_TEXT) -> str:
    """Return a text of one line; empty for anything else, and for what is too long."""
    is_plain = isinstance(value, str) and len(value) <= longest and value.isprintable()
    return str(value) if is_plain else ""


def _unreachable(error: Exception) -> Refused:
    provider = _declared()
    _LOG.error("The OpenID provider %s cannot be used: %s", provider.issuer, error)
    return Refused(f"{provider.name} cannot be reached, or is not set up as expected.", status=502)


def _refuse(request: HttpRequest, refused: Refused) -> NoReturn:
    raise ImmediateHttpResponse(_refusal(request, refused))


def _refusal(request: HttpRequest, refused: Refused) -> HttpResponse:
    user_login_failed.send(sender=__name__, credentials={"username": refused.name}, request=request)
    context = {"provider": _declared(), "reason": str(refused), "status": refused.status}
    return render(request, "account/provider_refused.html", context, status=refused.status)
