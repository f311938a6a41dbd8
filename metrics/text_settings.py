"""Text settings of a run: texts as they are, or with their style words removed or masked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from corpus.lexicons import weights_of
from corpus.masking import PLACEHOLDER, Masked, Masker, masker
from corpus.models import Study
from metrics.signatures import HASH_DIGITS

Kind = Literal["plain", "style_removed", "style_masked"]
KINDS: tuple[Kind, ...] = ("plain", "style_removed", "style_masked")
NO_WORD_LEFT = "no word is left besides style words"


class TextSettingError(ValueError):
    """A text setting that cannot be had; the message says what to do."""


class TextSetting(Protocol):
    """What a run does to every text before the metric sees it."""

    @property
    def name(self) -> str:
        """Name in tables and filters, as published tables have it; empty for plain texts."""

    def signature(self) -> str:
        """Return all that decides the texts, as a part of the run's signature."""

    def to_dict(self) -> dict[str, Any]:
        """Return what `parse` needs to make the same setting again."""

    def apply(
        self, texts: Sequence[str], styles: Sequence[str]
    ) -> tuple[list[str], dict[int, str]]:
        """Return the texts in this setting, and why those at some places have none.

        `styles` has the target style of each text's segment.
        """


@dataclass(frozen=True)
class Plain:
    """Texts as they are."""

    name: str = ""

    def signature(self) -> str:
        """See `TextSetting.signature`."""
        return "plain"

    def to_dict(self) -> dict[str, Any]:
        """See `TextSetting.to_dict`."""
        return {"kind": "plain"}

    def apply(
        self, texts: Sequence[str], styles: Sequence[str]
    ) -> tuple[list[str], dict[int, str]]:
        """See `TextSetting.apply`."""
        return list(texts), {}


@dataclass(frozen=True)
class ByLexicon:
    """Texts without the words of a style lexicon.

    Parameters
    ----------
    kind
        ``style_removed`` leaves the words out, ``style_masked`` writes the placeholder for each.
    lexicon, sha256
        Name and fingerprint of the lexicon.
    weights
        Its words.
    threshold
        Words whose weight is nearer to zero stay.
    placeholder
        What stands in place of a masked word.
    """

    kind: Kind
    lexicon: str
    sha256: str
    weights: Mapping[str, float] = field(repr=False)
    threshold: float = 0.0
    placeholder: str = PLACEHOLDER

    @property
    def name(self) -> str:
        """See `TextSetting.name`."""
        return self.kind

    def signature(self) -> str:
        """See `TextSetting.signature`."""
        parts = [f"lexicon:{self.sha256[:HASH_DIGITS]}"]
        if self.threshold:
            parts.append(f"threshold:{self.threshold!r}")
        if self.kind == "style_masked":
            parts.append(f"placeholder:{self.placeholder}")
        return f"{self.kind}({','.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        """See `TextSetting.to_dict`."""
        return {
            "kind": self.kind,
            "lexicon": self.lexicon,
            "sha256": self.sha256,
            "threshold": self.threshold,
            "placeholder": self.placeholder,
        }

    def apply(
        self, texts: Sequence[str], styles: Sequence[str]
    ) -> tuple[list[str], dict[int, str]]:
        """See `TextSetting.apply`."""
        masked = [self._masker(text) for text in texts]
        reasons = {place: NO_WORD_LEFT for place, each in enumerate(masked) if each.is_emptied}
        if self.kind == "style_masked":
            return [each.text for each in masked], reasons
        return [without(text, each) for text, each in zip(texts, masked, strict=True)], reasons

    @cached_property
    def _masker(self) -> Masker:
        return masker(self.weights, threshold=self.threshold, placeholder=self.placeholder)


def without(text: str, masked: Masked) -> str:
    """Return a text without what was masked, and without the blank before each such word.

    Examples
    --------
    >>> from corpus.masking import mask
    >>> without("the food was great !", mask("the food was great !", ["great"]))
    'the food was !'
    """
    pieces, kept_from = [], 0
    for start, end in masked.spans:
        pieces.append(text[kept_from:start].rstrip())
        kept_from = end
    pieces.append(text[kept_from:])
    return "".join(pieces) if not masked.spans else "".join(pieces).lstrip()


def parse(study: Study, given: Mapping[str, Any]) -> TextSetting:
    """Make the text setting that a request describes.

    Raises
    ------
    TextSettingError
        If the kind or the lexicon is not known, or a value is not taken.
    """
    kind = str(given.get("kind") or "plain")
    if kind not in KINDS:
        raise TextSettingError(f"text setting {kind!r}: expected one of {', '.join(KINDS)}")
    if kind == "plain":
        return Plain()
    wanted = str(given.get("lexicon") or "")
    lexicons = list(study.lexicons.all())
    if not wanted and len(lexicons) == 1:
        wanted = lexicons[0].name
    found = next((each for each in lexicons if each.name == wanted), None)
    if found is None:
        known = ", ".join(each.name for each in lexicons)
        has = f"this study has {known}" if known else "this study has none: import or train one"
        raise TextSettingError(f"text setting {kind}: name a style lexicon; {has}")
    if given.get("sha256") not in (None, "", found.sha256):
        raise TextSettingError(f"lexicon {wanted!r} is not the one that the run was asked for with")
    try:
        setting = ByLexicon(
            kind=kind,
            lexicon=found.name,
            sha256=found.sha256,
            weights=weights_of(found),
            threshold=float(given.get("threshold") or 0.0),
            placeholder=str(given.get("placeholder") or PLACEHOLDER),
        )
        setting._masker  # noqa: B018
    except ValueError as error:
        raise TextSettingError(f"text setting {kind}: {error}") from None
    return setting
