"""Asking a language model behind an OpenAI-compatible address, patiently and one text at a time."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from http.client import responses
from typing import TYPE_CHECKING, Any, TypeGuard
from urllib.parse import urlsplit

from corpus.storage.storable import unstorable
from corpus.tabular.plain import bounded_json
from metrics.scorers.scorer import Answer, Unavailable, tokens_of

if TYPE_CHECKING:
    import requests

LONGEST_WAIT = 30
BROKEN = "the connection broke"
EMPTY = "the reply is empty"
NO_COMPLETION = "the address answered something that is no chat completion"
LONGEST_REPLY = 1 << 20
"""Bytes: of a longer reply no more is read."""
PIECE = 1 << 16
MOST_TOKENS = 2**31 - 1
"""A count beyond this, which no database column here takes, is no count."""
SHORTEST_SECRET = 8
"""Shorter keys protect nothing; they are placeholders such as EMPTY, or could be an answer."""
AT_A_TIME = 4
"""Questions under way at once."""
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may succeed."""
_NOT_OURS = frozenset({401, 403, 404})
"""Statuses that no text can be blamed for."""


def allowed_addresses() -> list[str]:
    """Return the addresses that the administrator lets be asked."""
    return [url.rstrip("/") for url in os.environ.get("TOUCHSTONE_JUDGE_URLS", "").split()]


class NoReply(Exception):
    """A question that got no reply; the message says why."""


@dataclass(frozen=True)
class ChatCompletions:
    """An address that answers ``/chat/completions``.

    The address must be one of those in the environment variable TOUCHSTONE_JUDGE_URLS, because
    texts and the key in TOUCHSTONE_JUDGE_KEY go there. The key is read for each request and never
    stored; where an address repeats it, it is masked before anybody sees the answer or a message.

    Parameters
    ----------
    base_url
        Such as ``http://localhost:8000/v1``.
    model
        As the address knows it.
    timeout
        Seconds to wait for one reply.
    retries
        How often a question is asked again after a passing error.
    """

    base_url: str
    model: str
    timeout: float = 60.0
    retries: int = 3

    def __post_init__(self) -> None:
        allowed = allowed_addresses()
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unavailable(
                f"base_url {self.base_url!r}: expected an address such as http://localhost:8000/v1"
            )
        if parts.username or parts.password:
            raise Unavailable(
                "base_url: no password in an address; set TOUCHSTONE_JUDGE_KEY instead"
            )
        if self.base_url.rstrip("/") not in allowed:
            raise Unavailable(
                f"texts and the key are not sent to {self.base_url}: the administrator names the "
                "addresses that may be asked in the environment variable TOUCHSTONE_JUDGE_URLS"
            )

    def ask_counting(
        self, prompt: str, *, most_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> tuple[str, tuple[int, int] | None]:
        """Return the reply to a prompt, and the tokens read and written where they are counted.

        Raises
        ------
        NoReply
            If none came, even when asked again.
        Unavailable
            If nobody is there, the key is refused or the model is unknown.
        """
        body = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": temperature,
            "max_tokens": most_tokens,
        } | ({} if seed is None else {"seed": seed})
        try:
            text, counted = _completion(self._content(body))
        except (NoReply, Unavailable) as error:
            raise type(error)(_without_key(str(error))) from None
        return _without_key(text), counted

    def _content(self, body: dict[str, Any]) -> bytes:
        """Return what the address replies, asked again after passing errors."""
        from urllib3.exceptions import InvalidHeader, MaxRetryError
        from urllib3.util import Retry

        # It counts and waits only: left to itself, it would read any refusal to its end.
        again = Retry(
            self.retries, backoff_factor=1, backoff_max=LONGEST_WAIT, retry_after_max=LONGEST_WAIT
        )
        while True:
            try:
                return self._reply(body)
            except _Passing as error:
                try:
                    again = again.increment("POST", self.base_url, response=error.response)
                    again.sleep(error.response)
                except MaxRetryError:
                    raise NoReply(f"{error}, {self.retries + 1} times") from None
                except InvalidHeader:
                    again.sleep()

    def _reply(self, body: dict[str, Any]) -> bytes:
        import requests
        from urllib3.exceptions import HTTPError, NewConnectionError, TimeoutError

        try:
            with requests.post(
                f"{self.base_url.rstrip('/')}/chat/completions",
                json=body,
                headers={"Accept-Encoding": "identity"},
                # Without it, requests would look for a password in .netrc.
                auth=_with_key,
                timeout=self.timeout,
                # The key must go nowhere else.
                allow_redirects=False,
                stream=True,
            ) as answer:
                self._check(answer)
                return self._read(answer)
        except (requests.Timeout, TimeoutError):
            raise _Passing(self._too_slow) from None
        except (requests.exceptions.SSLError, requests.exceptions.ProxyError) as error:
            kind = type(error).__name__
            raise Unavailable(f"nobody answers at {self.base_url}: {kind}") from None
        except (requests.RequestException, HTTPError, OSError) as error:
            reason = getattr(error.args[0] if error.args else None, "reason", None)
            if isinstance(reason, NewConnectionError):
                raise Unavailable(f"nobody answers at {self.base_url}") from None
            raise _Passing(BROKEN) from None

    @property
    def _too_slow(self) -> str:
        return f"no reply within {self.timeout:g} seconds"

    def _read(self, answer: requests.Response) -> bytes:
        """Read a reply that is neither too long nor too slow."""
        end, content = time.monotonic() + self.timeout, b""
        while piece := answer.raw.read1(PIECE):
            content += piece
            if len(content) > LONGEST_REPLY:
                raise NoReply(f"the reply is longer than {LONGEST_REPLY >> 20} MiB")
            if time.monotonic() > end:
                raise _Passing(self._too_slow)
        return content

    def _check(self, answer: requests.Response) -> None:
        """Refuse an answer that is no reply, in our words: what the address says is anything."""
        code = answer.status_code
        found = f"the address answered {code} {responses.get(code, '')}".rstrip()
        if code in _NOT_OURS or 300 <= code < 400:
            raise Unavailable(
                f"{found}: check base_url, model ({self.model!r}) and the key in "
                "TOUCHSTONE_JUDGE_KEY"
            )
        if code in _PASSING:
            raise _Passing(found, answer.raw)
        if not 200 <= code < 300:
            raise NoReply(found)


class _Passing(Exception):
    """An error after which the same question may be answered."""

    def __init__(self, words: str, response: Any = None) -> None:
        super().__init__(words)
        self.response = response


def _with_key(request: requests.PreparedRequest) -> requests.PreparedRequest:
    if key := os.environ.get("TOUCHSTONE_JUDGE_KEY", ""):
        request.headers["Authorization"] = f"Bearer {key}"
    return request


def _without_key(text: str) -> str:
    """Mask the key, whatever it was that repeats it."""
    key = os.environ.get("TOUCHSTONE_JUDGE_KEY", "")
    return text.replace(key, "[key]") if len(key) >= SHORTEST_SECRET else text


def _completion(content: bytes) -> tuple[str, tuple[int, int] | None]:
    """Return the text of a reply, and its tokens as the address counts them."""
    try:
        reply = bounded_json(content)
        text = reply["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError):
        raise NoReply(NO_COMPLETION) from None
    if not isinstance(text, str) or not text.strip():
        raise NoReply(EMPTY)
    if fault := unstorable(text):
        raise NoReply(f"the answer has {fault}")
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return text, None
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return text, (read, written) if _is_count(read) and _is_count(written) else None


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MOST_TOKENS


@dataclass(frozen=True, slots=True)
class AddressVoice:
    """A model at an address, asked in one way.

    Parameters
    ----------
    connection
    most_tokens, temperature, sample
        Longest reply; how freely it is drawn; which of several answers to one question it is.
    """

    connection: ChatCompletions
    most_tokens: int = 16
    temperature: float = 0.0
    sample: int = 0

    @property
    def at_a_time(self) -> int:
        """Questions under way at once."""
        return AT_A_TIME

    @property
    def asked_as(self) -> str:
        """Model with its address, and how it is asked."""
        how = f"at most {self.most_tokens} tokens, temperature {self.temperature:g}"
        how += f", sample {self.sample}" if self.temperature else ""
        return f"{self.connection.model} at {self.connection.base_url.rstrip('/')}: {how}"

    def answer(self, prompt: str) -> Answer:
        """Return the answer; see `metrics.scorers.scorer.Voice`."""
        started = time.monotonic()
        try:
            text, counted = self.connection.ask_counting(
                prompt,
                most_tokens=self.most_tokens,
                temperature=self.temperature,
                seed=self.sample if self.temperature else None,
            )
        except NoReply as error:
            # What was asked may have been counted, though no answer came.
            return Answer(prompt, "", str(error), tokens_of(prompt), 0, time.monotonic() - started)
        read, written = counted or (tokens_of(prompt), tokens_of(text))
        return Answer(prompt, text, "", read, written, time.monotonic() - started)
