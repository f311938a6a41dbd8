"""Requests to the API of one server, with errors in its own words."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

API = "/api/v1/"
SECONDS_BETWEEN_LOOKS = (0.2, 2.0)


class ApiError(Exception):
    """What the server refused, in its words.

    Attributes
    ----------
    status
        HTTP status; 0 if there was no answer.
    detail
        One sentence.
    problems
        Details, one mapping each, as the API gives them.
    """

    def __init__(self, status: int, detail: str, problems: Sequence[Any] = ()) -> None:
        super().__init__(detail if status == 0 else f"{detail} (status {status})")
        self.status = status
        self.detail = detail
        self.problems = list(problems)


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would carry the token to wherever it leads."""

    def redirect_request(self, *arguments: Any) -> NoReturn:
        request, _, code, _, _, target = arguments
        raise ApiError(code, f"{request.full_url} has moved to {target}: connect to that server")


class Connection:
    """One server and the token that is sent to it, and to nobody else.

    Parameters
    ----------
    url
        Where the server is, such as ``https://touchstone.example.org``.
    token
        Of the person who asks, from their account page.
    """

    def __init__(self, url: str, token: str) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise ValueError(f"{url!r}: expected an address that begins with http:// or https://")
        self.url = url.rstrip("/")
        self._headers = {"Authorization": f"Token {token}", "Accept": "application/json"}
        self._opener = build_opener(_NoRedirects)

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """Return status and content of an answer; `ApiError` if it is a refusal."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        address = self.url + path + (f"?{urlencode(given, doseq=True)}" if given else "")
        try:
            with self._opener.open(Request(address, headers=self._headers)) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except HTTPError as error:
            raise _refusal(error) from None
        except URLError as error:
            raise ApiError(0, f"{self.url} does not answer: {error.reason}") from None
        except ValueError:
            raise ApiError(0, f"{address} is no API of Touchstone") from None

    def rows(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, page by page."""
        _, page = self.get(path, {"limit": 1000, **query})
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            following = urlsplit(page["next"])  # Its host may be a proxy's name for the server.
            _, page = self.get(f"{following.path}?{following.query}")

    def computed(self, path: str, query: Mapping[str, Any], seconds: float) -> Any:
        """Return what a path answers, once the jobs that compute it are done.

        Raises
        ------
        TimeoutError
            If they take longer than `seconds`; they go on.
        """
        end = time.monotonic() + seconds
        pause, longest = SECONDS_BETWEEN_LOOKS
        while True:
            status, content = self.get(path, query)
            if status != 202:
                return content
            if time.monotonic() > end:
                raise TimeoutError(f"{self.url}{path} is still computed; ask again later")
            time.sleep(pause)
            pause = min(2 * pause, longest)


def _refusal(error: HTTPError) -> ApiError:
    try:
        content = json.load(error)
        return ApiError(error.code, content["detail"], content.get("problems", ()))
    except (ValueError, KeyError, TypeError):
        return ApiError(error.code, str(error.reason))
