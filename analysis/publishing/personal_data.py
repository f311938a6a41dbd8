"""What tells who a rater is: personal data in free text, old names and small groups.

Pure: this module imports no Django."""

import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

EMAIL, PLATFORM, NAME = "e-mail address", "identifier of a crowd platform", "name of an annotator"
PHONE, PROFILE = "number that may be a telephone number", "address with a user name"
PSEUDONYM = "pseudonym of a rater"
CERTAIN = frozenset({EMAIL, PLATFORM, NAME})
"""What is personal data wherever it is; the others only may be."""
_SHOWN = 60
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_PROLIFIC = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{24}(?![0-9A-Za-z])")
_MTURK = re.compile(r"(?<![0-9A-Za-z])A[0-9A-Z]{11,20}(?![0-9A-Za-z])")
_PHONE = re.compile(r"(?<![\w.,-])\+?\(?\d[\d ()/.-]{6,18}\d(?![\w-])")
_PROFILE = re.compile(
    r"https?://(?:[^\s/@:]{1,60}(?::[^\s/@]{1,60})?@[^\s/]{1,100}"
    r"|(?:[\w-]{1,30}\.){0,3}(?:twitter|x|facebook|instagram|linkedin|reddit|github|tiktok|vk"
    r"|medium|quora|youtube)\.(?:com|in)/(?:in/|u/|user/|@)?[\w.-]{2,60}"
    r"|[^\s/]{1,100}/(?:[^\s/]{1,60}/){0,3}(?:users?|profiles?|people|members?|~|u|@)/?[\w.-]{2,60})",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Finding:
    """Something in a text that identifies somebody, or may do so.

    Attributes
    ----------
    kind
        One of the kinds above.
    where
        The place of the text, such as ``segments, attribute author, s17``.
    found
        What was found, cut.
    """

    kind: str
    where: str
    found: str

    @property
    def is_certain(self) -> bool:
        """Whether it is personal data wherever it is."""
        return self.kind in CERTAIN


class PersonalData:
    """Finds personal data in texts.

    Parameters
    ----------
    names, pseudonyms
        Names and contacts of annotators, and the pseudonyms that a publication replaces; those
        shorter than three characters would be found everywhere and are left out.
    allowed
        E-mail addresses that are meant to be public, such as that of the contact.
    """

    def __init__(
        self,
        names: Collection[str] = (),
        pseudonyms: Collection[str] = (),
        allowed: Collection[str] = (),
    ) -> None:
        self._names: dict[tuple[str, ...], str] = {}
        for kind, several in ((PSEUDONYM, pseudonyms), (NAME, names)):
            for name in several:
                words = tuple(_WORD.findall(name.casefold()))
                if len(name.strip()) >= 3 and words and not "".join(words).isdecimal():
                    self._names[words] = kind
        self._lengths = sorted({len(each) for each in self._names})
        self._allowed = {address.casefold() for address in allowed}

    def find(self, where: str, text: str) -> Iterator[Finding]:
        """Yield what is found in a text.

        Examples
        --------
        >>> [f.kind for f in PersonalData(["Ada King"]).find("", "ask ada king, ada@king.org")]
        ['e-mail address', 'name of an annotator']
        """
        if "@" in text:
            for match in _EMAIL.finditer(text):
                if match[0].casefold() not in self._allowed:
                    yield Finding(EMAIL, where, _cut(match[0]))
            # A name within an address is found once.
            text = _EMAIL.sub(" ", text)
        for match in _PROLIFIC.finditer(text):
            yield Finding(PLATFORM, where, match[0])
        for match in _MTURK.finditer(text):
            if sum(map(str.isdigit, match[0])) >= 2 and not match[0][1:].isdigit():
                yield Finding(PLATFORM, where, match[0])
        if "://" in text:
            for match in _PROFILE.finditer(text):
                yield Finding(PROFILE, where, _cut(match[0]))
        for match in _PHONE.finditer(text):
            if _is_phone(match[0]):
                yield Finding(PHONE, where, match[0])
        yield from self._named(where, text)

    def _named(self, where: str, text: str) -> Iterator[Finding]:
        if not self._names:
            return
        words = _WORD.findall(text.casefold())
        for length in self._lengths:
            for start in range(len(words) - length + 1):
                kind = self._names.get(tuple(words[start : start + length]))
                if kind:
                    yield Finding(kind, where, _cut(" ".join(words[start : start + length])))


def _is_phone(text: str) -> bool:
    """Whether digits are as many as those of a telephone number, and begin or part like one."""
    digits = sum(map(str.isdigit, text))
    dated = re.fullmatch(r"\d{4}[-/. ]\d{1,2}[-/. ]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{4}", text)
    years = re.fullmatch(r"\d{4} ?[-/] ?\d{4}", text)
    if dated or years or not 8 <= digits <= 15:
        return False
    return text.startswith(("+", "0", "(")) or len(re.findall(r"[ ()/.-]+", text)) >= 2


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


LONGEST_SEED = 200


def new_seed() -> str:
    """Return a seed that nobody can guess."""
    return secrets.token_hex(16)


class Pseudonyms:
    """One name for each rater within a campaign, or within a set of campaigns.

    Who knows the seed can compute the names from the old ones: it is never published.

    Parameters
    ----------
    seed
        The same seed gives the same names.
    sets
        The set of each campaign that is a task of one, by slug: raters of one pseudonym are one
        person in it, and two persons elsewhere.
    """

    def __init__(self, seed: str, sets: dict[str, str] | None = None) -> None:
        self._key = seed.encode()
        self._sets = sets or {}
        self._taken: dict[str, tuple[str, str]] = {}

    def name(self, campaign: str, pseudonym: str) -> str:
        """Return the new name of a rater.

        Raises
        ------
        ValueError
            If two raters would get one name, which another seed avoids.
        """
        group = f"set {self._sets[campaign]}" if campaign in self._sets else f"campaign {campaign}"
        whose = (group, pseudonym)
        digest = hmac.new(self._key, "\0".join(whose).encode(), hashlib.sha256).hexdigest()
        name = f"r-{digest[:12]}"
        if self._taken.setdefault(name, whose) != whose:
            raise ValueError("two raters would get one pseudonym; choose another seed")
        return name


SMALLEST = 5


class SmallGroup(NamedTuple):
    """Raters that have something in common, and how many they are."""

    words: str
    raters: int


def small_groups(
    campaign: str, raters: Sequence[Mapping[str, str]], smallest: int = SMALLEST
) -> Iterator[SmallGroup]:
    """Yield the groups of a campaign's raters with fewer than `smallest` members.

    Parameters
    ----------
    raters
        What is published of each rater: question to answer; empty where nothing is.
    smallest
        Groups of this size are large enough.

    Examples
    --------
    >>> list(small_groups("c", [{"age": "30"}] * 5 + [{"age": "70"}]))
    [SmallGroup(words='campaign c, age: 70', raters=1)]
    """
    if 0 < len(raters) < smallest:
        yield SmallGroup(f"campaign {campaign}", len(raters))
    questions = sorted({question for rater in raters for question in rater})
    for question in questions:
        counts = Counter(rater[question] for rater in raters if question in rater)
        for answer, count in sorted(counts.items()):
            if count < min(smallest, len(raters)):
                yield SmallGroup(f"campaign {campaign}, {question}: {answer}", count)
    if len(questions) > 1:
        cells = Counter(tuple(rater.get(name, "") for name in questions) for rater in raters)
        for answers, count in sorted(cells.items()):
            if count == 1:
                named = "; ".join(
                    f"{name}: {answer}" for name, answer in zip(questions, answers, strict=True)
                )
                yield SmallGroup(f"campaign {campaign}, all answers together ({named})", 1)
