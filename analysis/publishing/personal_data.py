"""Finding personal data in free text: addresses, numbers, identifiers of crowd platforms, names.

Pure: this module imports no Django. Every pattern is bounded, so that a text costs linear time.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

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
    """Something in a text that tells or may tell who somebody is.

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
