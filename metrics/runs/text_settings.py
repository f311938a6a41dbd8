"""Text settings of a run: texts as they are, or with their style words removed or masked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, cast

from corpus.models import Study
from corpus.progress import ProgressCallback
from corpus.texts.lexicons import lexicon_weights
from corpus.texts.masking import PLACEHOLDER, Masker, mask_spans, masker
from metrics.resources.loaders import ResourceError
from metrics.runs.attribution_setting import by_attribution
from metrics.runs.setting_kinds import KINDS, NO_WORD_LEFT, Kind
from metrics.signatures import HASH_DIGITS

BY = ("lexicon", "attribution")


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
        self,
        texts: Sequence[str],
        styles: Sequence[str],
        report: ProgressCallback | None = None,
        sources: Sequence[str] = (),
    ) -> tuple[list[str], dict[int, str]]:
        """Return the texts in this setting, and why those at some places have none.

        `styles` has the target style of each text's segment, `sources` its source style, which
        may be left out where no setting asks for it. What takes long tells how many texts are
        done, and of how many.
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
        self,
        texts: Sequence[str],
        styles: Sequence[str],
        report: ProgressCallback | None = None,
        sources: Sequence[str] = (),
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
        What replaces a masked word.
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
        self,
        texts: Sequence[str],
        styles: Sequence[str],
        report: ProgressCallback | None = None,
        sources: Sequence[str] = (),
    ) -> tuple[list[str], dict[int, str]]:
        """See `TextSetting.apply`."""
        masked = [self._masker(text) for text in texts]
        reasons = {place: NO_WORD_LEFT for place, each in enumerate(masked) if each.is_emptied}
        if self.kind == "style_masked":
            return [each.text for each in masked], reasons
        removed = (
            mask_spans(text, each.spans, placeholder="")
            for text, each in zip(texts, masked, strict=True)
        )
        return [each.text for each in removed], reasons

    @cached_property
    def _masker(self) -> Masker:
        return masker(self.weights, threshold=self.threshold, placeholder=self.placeholder)


def parse(study: Study, given: Mapping[str, Any]) -> TextSetting:
    """Make the text setting that a request describes.

    Parameters
    ----------
    study
        Whose lexicons and trained models can be named.
    given
        ``kind``, one of `KINDS`, and ``by``: ``lexicon`` takes `lexicon` (its name), `threshold`
        and `placeholder`; ``attribution`` takes `model` (a trained transformer's name), those of
        `attribution_setting.PARAMETERS`, and `preset`. `sha256` says which lexicon or model it must
        be.

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
    by = str(given.get("by") or "lexicon")
    if by not in BY:
        raise TextSettingError(f"text setting {kind}: by {by!r}, expected {' or '.join(BY)}")
    make = _by_lexicon if by == "lexicon" else by_attribution
    try:
        return make(study, cast(Kind, kind), given)
    except (ValueError, ResourceError) as error:
        raise TextSettingError(f"text setting {kind}: {error}") from None


def _by_lexicon(study: Study, kind: Kind, given: Mapping[str, Any]) -> ByLexicon:
    wanted = str(given.get("lexicon") or "")
    lexicons = list(study.lexicons.all())
    if not wanted and len(lexicons) == 1:
        wanted = lexicons[0].name
    found = next((each for each in lexicons if each.name == wanted), None)
    if found is None:
        known = ", ".join(each.name for each in lexicons)
        has = f"this study has {known}" if known else "this study has none: import or train one"
        raise ValueError(f"name a style lexicon; {has}")
    if given.get("sha256") not in (None, "", found.sha256):
        raise ValueError(f"lexicon {wanted!r} is not the one that the run was asked for with")
    setting = ByLexicon(
        kind=kind,
        lexicon=found.name,
        sha256=found.sha256,
        weights=lexicon_weights(found),
        threshold=float(given.get("threshold") or 0.0),
        placeholder=str(given.get("placeholder") or PLACEHOLDER),
    )
    setting._masker  # noqa: B018
    return setting
