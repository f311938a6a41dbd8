"""The language that annotators read: that of their campaign, never that of their browser.

This package imports no Django. The application says once what translates (`translate_by`); until
then everything is English. A message may name values in braces: ``"{answer} is not a number"``.
"""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

ENGLISH = "en"
LANGUAGES: dict[str, str] = {
    ENGLISH: "English",
    "ar": "العربية",
    "de": "Deutsch",
    "es": "español",
    "fr": "français",
    "ja": "日本語",
    "zh-hans": "简体中文",
}
"""By its code, each language that has a complete catalogue, under its own name."""
_VALUE = re.compile(r"\{(\w+)\}")


class Catalogues(Protocol):
    """What translates: `django.utils.translation` is one."""

    def gettext(self, message: str, /) -> str:
        """Return a message in the language that is spoken now."""

    def pgettext(self, context: str, message: str, /) -> str:
        """Return a message that has another meaning in another context."""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """Return the form of a message that fits a number."""

    def override(self, language: str, /) -> AbstractContextManager[Any]:
        """Speak a language for a while."""


_catalogues: list[Catalogues] = []


def translate_by(catalogues: Catalogues) -> None:
    """Say what translates from now on."""
    _catalogues[:] = [catalogues]


def language_of(config: Mapping[str, Any]) -> str:
    """Return the language of a campaign, English where its configuration names none of ours."""
    code = config.get("language")
    return code if code in LANGUAGES else ENGLISH


def language_for(texts: str, otherwise: str = ENGLISH) -> str:
    """Return which of our languages texts are in, by their tag (BCP 47); `otherwise` if in none.

    Examples
    --------
    >>> language_for("en-GB"), language_for("tlh")
    ('en', 'en')
    """
    tag = texts.strip().lower().replace("_", "-")
    base, _, rest = tag.partition("-")
    if base == "zh":
        traditional = any(part in ("hant", "tw", "hk", "mo") for part in rest.split("-"))
        base = "zh-hant" if traditional else "zh-hans"
    return base if base in LANGUAGES else otherwise


def spoken(language: str) -> AbstractContextManager[Any]:
    """Speak a language within a `with`."""
    return _catalogues[0].override(language) if _catalogues else nullcontext()


def translated(message: str, **values: object) -> str:
    """Return a message in the language that is spoken now, with its values put in.

    Examples
    --------
    >>> translated("{answer} is not a number", answer="x")
    'x is not a number'
    """
    text = _catalogues[0].gettext(message) if _catalogues else message
    return filled(text, values) if values else text


def counted(singular: str, plural: str, number: int, **values: object) -> str:
    """Return the form of a message that fits `number`, which it may name, with its values put in.

    Examples
    --------
    >>> counted("{number} more", "{number} more", 2)
    '2 more'
    """
    if _catalogues:
        text = _catalogues[0].ngettext(singular, plural, number)
    else:
        text = singular if number == 1 else plural
    return filled(text, {"number": number, **values})


def translated_in(context: str, message: str) -> str:
    """Return a message that is translated another way in this context."""
    return _catalogues[0].pgettext(context, message) if _catalogues else message


def labelled(name: object, words: object) -> str:
    """Return a name, a colon and what is said under that name."""
    return translated("{name}: {words}", name=name, words=words)


def example(text: str) -> str:
    """Return a sentence that stands for an annotator's text; braces in it mark its style words."""
    return translated_in("example", text)


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return a text with values in the place of their names."""
    return _VALUE.sub(lambda found: str(values.get(found[1], found[0])), text)
