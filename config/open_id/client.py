"""What is said to the provider and what it answers; Authlib checks all of it."""

import logging
import time
from dataclasses import dataclass
from typing import Any

from authlib.integrations.base_client.errors import MismatchingStateError
from authlib.integrations.django_client import OAuth, OAuthError
from authlib.integrations.requests_client import OAuth2Session
from django.http import HttpRequest, HttpResponse
from joserfc.errors import JoseError
from requests import PreparedRequest, RequestException, Response
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError

from config.open_id.declared import Provider
from config.open_id.refusals import Refused

SECONDS_TO_ANSWER = 5
LONGEST_REPLY = 1 << 20
"""Bytes: of a longer reply no more is read."""
PIECE = 1 << 16
LONGEST_SUBJECT, LONGEST_TEXT = 255, 254
"""Of an identifier, by OpenID Connect Core, section 2; of an address, by RFC 5321."""
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
"""Signatures that only who has the provider's private key can make; `none` is not among them."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Claims:
    """What the provider says of somebody who signed in there."""

    subject: str
    name: str
    email: str
    groups: frozenset[str]


class _BoundedReplies(HTTPAdapter):
    """Read no reply that is too long or too slow, that of a redirect included."""

    def send(self, request: PreparedRequest, *args: Any, **kwargs: Any) -> Response:
        """Send a request and read what comes back, in time and up to `LONGEST_REPLY`."""
        end, content = time.monotonic() + SECONDS_TO_ANSWER, b""
        reply = super().send(request, *args, **kwargs | {"stream": True})
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


class _Session(OAuth2Session):  # type: ignore[misc]
    """Asks the provider; each reply is bounded."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for scheme in ("https://", "http://"):
            self.mount(scheme, _BoundedReplies())


def ask_provider(request: HttpRequest, provider: Provider, answer_at: str) -> HttpResponse:
    """Return the redirect to the provider.

    Raises
    ------
    Refused
        If the provider cannot be reached, or is another one.
    """
    try:
        sent: HttpResponse = _client(provider).authorize_redirect(request, answer_at)
    except (RequestException, ValueError, RuntimeError) as error:
        raise _unreachable(provider, error) from None
    return sent


def read_answer(request: HttpRequest, provider: Provider) -> Claims:
    """Return who came back from the provider.

    Raises
    ------
    Refused
        If nobody did, or the answer is not to be trusted.
    """
    try:
        client = _client(provider)
        token = client.authorize_access_token(
            request,
            claims_options={
                "iss": {"essential": True, "value": provider.issuer},
                "aud": {"essential": True, "value": provider.client_id},
            },
        )
        said = token.get("userinfo")
        if said is None:
            raise Refused(f"{provider.name} did not say who you are: its answer has no ID token.")
        if "userinfo_endpoint" in client.load_server_metadata():
            more = client.userinfo(token=token)
            if more.get("sub") != said["sub"]:
                raise Refused(f"{provider.name} answered for two different people.")
            said = {**more, **said}
    except MismatchingStateError:
        raise Refused(
            "This answer belongs to no sign-in of this browser, or to one that took too long.",
            status=400,
        ) from None
    except OAuthError as error:
        _LOG.warning("The OpenID provider refused: %s", error.error)
        raise Refused(f"{provider.name} did not sign you in ({error.error}).") from None
    except RequestException as error:
        raise _unreachable(provider, error) from None
    except (JoseError, ValueError, RuntimeError) as error:
        # Which of the checks failed helps an administrator, and a forger.
        _LOG.warning("The answer of the OpenID provider was not accepted: %s", error)
        raise Refused(f"The answer of {provider.name} could not be verified.") from None
    return _claims(said, provider)


def _client(provider: Provider) -> Any:
    """Return a client with what the provider says of itself now: keys and addresses change."""
    client = OAuth().register(
        "provider",
        client_id=provider.client_id,
        client_secret=provider.client_secret,
        server_metadata_url=f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": provider.scopes,
            "code_challenge_method": "S256",
            "default_timeout": SECONDS_TO_ANSWER,
        },
    )
    client.client_cls = _Session
    metadata = client.load_server_metadata()
    if metadata.get("issuer") != provider.issuer:
        raise ValueError(f"it calls itself {metadata.get('issuer')!r}, not {provider.issuer!r}")
    metadata["id_token_signing_alg_values_supported"] = ALGORITHMS
    ways = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    if "client_secret_basic" not in ways:
        client.client_kwargs["token_endpoint_auth_method"] = "client_secret_post"  # noqa: S105
    return client


def _claims(said: dict[str, Any], provider: Provider) -> Claims:
    """Take what the provider says of somebody, whatever else its values are, as short texts."""
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


def _text(value: object, longest: int = LONGEST_TEXT) -> str:
    """Return a text of one line; empty for anything else, and for what is too long."""
    is_plain = isinstance(value, str) and len(value) <= longest and value.isprintable()
    return str(value) if is_plain else ""


def _unreachable(provider: Provider, error: Exception) -> Refused:
    _LOG.error("The OpenID provider %s cannot be used: %s", provider.issuer, error)
    return Refused(f"{provider.name} cannot be reached, or is not set up as expected.", status=502)
