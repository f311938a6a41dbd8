"""Text settings of a run: texts as they are, or with their style words removed or masked."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, cast

from corpus.models import Study
from corpus.progress import ProgressCallback
from corpus.texts.lexicons import lexicon_weights
from corpus.texts.masking import PLACEHOLDER, Masker, check_placeholder, mask_spans, masker
from metrics.attribution.attribution import Attribution
from metrics.attribution.classifier import Baseline
from metrics.attribution.masking import (
    NO_PROBABILITIES,
    PADDING,
    REMOVED,
    REPORT_2022,
    MaskingRule,
    mask_by_attribution,
)
from metrics.resources.attributors import (
    AUTOMATIC,
    KEEP_SPECIAL,
    METHODS,
    Attributor,
    check_rule,
    stored_attributions,
)
from metrics.resources.attributors import attributor as attributor_of
from metrics.resources.loaders import ResourceError, trained
from metrics.scorers.spec import Parameter, Value
from metrics.signatures import HASH_DIGITS

Kind = Literal["plain", "style_removed", "style_masked"]
KINDS: tuple[Kind, ...] = ("plain", "style_removed", "style_masked")


class StyledText(NamedTuple):
    """A text with the styles of its segment, which decide how it is changed."""

    text: str
    target_style: str = ""
    source_style: str = ""


class ChangedText(NamedTuple):
    """A text in a setting, and why it cannot be scored; empty if it can."""

    text: str
    reason: str = ""


NO_WORD_LEFT = "no word is left besides style words"


PARAMETERS = (
    Parameter(
        "threshold",
        0.3,
        "Largest share of all attribution that masked words may have together.",
        minimum=0,
        maximum=1,
    ),
    Parameter("placeholder", PADDING, "What replaces a masked word."),
    Parameter("merge_words", True, "Whether whole words are masked, not single word pieces."),
    Parameter("rank_special", False, "Whether the classifier's special tokens are ranked too."),
    Parameter(
        "at_least_one",
        True,
        "Whether the strongest word is always masked, even if its share alone exceeds the "
        "threshold, as published; without it a text whose style hangs on one word keeps that word.",
    ),
    Parameter(
        "least_probability",
        0.0,
        "Nothing is masked in a text with less probability of the style that probability_of names.",
        minimum=0,
        maximum=1,
    ),
    Parameter(
        "probability_of",
        "other-styles",
        "Of which style: all but the target style together, or the segment's source style; with "
        "two styles the two are one.",
        choices=("other-styles", "source-style"),
    ),
    Parameter(
        "method",
        AUTOMATIC,
        "How words are attributed: by the gradients of a transformer, or by what the probability "
        "loses without each word (occlusion), which any classifier can. By default, models "
        "fine-tuned here by gradients and all others by occlusion.",
        choices=METHODS,
    ),
    Parameter(
        "baseline",
        "keep-special",
        "Whether special tokens stay in the baseline or give way to [PAD] as words do.",
        choices=("keep-special", "pad-all"),
    ),
)
"""Of masks by attribution."""
PRESETS: Mapping[str, Mapping[str, Value]] = {
    "": {},
    "report-2022": {**REPORT_2022, "baseline": "pad-all"},
}


@dataclass(frozen=True)
class TextSetting:
    """What a run does to every text before the metric sees it; this one leaves texts as they are.

    Parameters
    ----------
    kind
        One of `KINDS`.
    """

    kind: Kind

    @property
    def name(self) -> str:
        """Name in tables and filters, as published tables have it; empty for plain texts."""
        return "" if self.is_plain else self.kind

    @property
    def is_plain(self) -> bool:
        """Whether texts stay as they are."""
        return self.kind == "plain"

    def signature(self) -> str:
        """Return all that decides the texts, as a part of the run's signature."""
        parts = ",".join(self.parts())
        return f"{self.kind}({parts})" if parts else self.kind

    def parts(self) -> list[str]:
        """Return what decides the texts besides the kind."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """Return what `parse` needs to make the same setting again."""
        return {"kind": self.kind}

    def apply(
        self, texts: Sequence[StyledText], report: ProgressCallback | None = None
    ) -> list[ChangedText]:
        """Return the texts in this setting, and why those at some places have none.

        What takes long reports how many texts are done, and of how many.
        """
        return [ChangedText(each.text) for each in texts]


@dataclass(frozen=True)
class ByAttribution(TextSetting):
    """Texts without the words to which a style classifier owes its view of them.

    Parameters
    ----------
    kind
        ``style_removed`` or ``style_masked``.
    model
        Name of the classifier.
    attributor
        What attributes words by it.
    rule
        Which words are masked; its placeholder is empty where words are removed.
    baseline
        Against which attributions by gradients are measured.
    method
        As it was asked for, one of `METHODS`.
    """

    model: str
    attributor: Attributor = field(repr=False)
    rule: MaskingRule
    baseline: Baseline = KEEP_SPECIAL
    method: str = AUTOMATIC

    def parts(self) -> list[str]:
        """See `TextSetting.parts`."""
        rule = self.rule
        parts = [
            f"attribution:{self.attributor.sha256[:HASH_DIGITS]}",
            f"share:{rule.threshold!r}",
            f"units:{'words' if rule.merge_words else 'pieces'}",
            *self.attributor.parts,
        ]
        if rule.rank_special:
            parts.append("special:ranked")
        # Both are named: scores from before the rule changed name neither.
        parts.append(f"at-least:{int(rule.at_least_one)}")
        if rule.least_probability:
            parts.append(f"least-probability:{rule.least_probability!r}")
            if rule.probability_of != "other-styles":
                parts.append(f"of:{rule.probability_of}")
        if rule.placeholder:
            parts.append(f"placeholder:{rule.placeholder}")
        parts.append(f"revision:{self.attributor.revision}")
        return parts

    def to_dict(self) -> dict[str, Any]:
        """See `TextSetting.to_dict`."""
        given = asdict(self.rule)
        if self.kind == "style_removed":
            del given["placeholder"]
        named = {"by": "attribution", "model": self.model, "sha256": self.attributor.sha256}
        how = {"baseline": self.baseline, "method": self.method}
        return super().to_dict() | named | how | given

    def apply(
        self, texts: Sequence[StyledText], report: ProgressCallback | None = None
    ) -> list[ChangedText]:
        """See `TextSetting.apply`."""
        columns = [self._column(each.target_style) for each in texts]
        asked = [
            (each.text, column)
            for each, column in zip(texts, columns, strict=True)
            if column is not None
        ]
        found = iter(
            stored_attributions(
                self.attributor,
                [text for text, _ in asked],
                [column for _, column in asked],
                report,
            )
        )
        return [
            ChangedText(each.text, self._unknown(each.target_style))
            if column is None
            else self._masked(each, next(found))
            for each, column in zip(texts, columns, strict=True)
        ]

    def _masked(self, given: StyledText, attribution: Attribution) -> ChangedText:
        source = None
        if self.rule.least_probability and self.rule.probability_of == "source-style":
            source = self._column(given.source_style)
            if source is None:
                return ChangedText(given.text, self._unknown(given.source_style, "source"))
        masked = mask_by_attribution(given.text, attribution, self.rule, source)
        reason = attribution.limit_reason or (NO_WORD_LEFT if masked.is_emptied else "")
        return ChangedText(masked.text, reason)

    def _column(self, style: str) -> int | None:
        """Return the column of a style; a model with one column has one style for all."""
        known = self.attributor.styles
        if len(known) == 1:
            return 0
        return known.index(style) if style in known else None

    def _unknown(self, style: str, side: str = "target") -> str:
        if not style:
            return f"its segment has no {side} style, by which style words are found"
        known = ", ".join(self.attributor.styles)
        return f"the classifier that finds style words knows {known}, not {style!r}"


def by_attribution(study: Study, kind: Kind, given: Mapping[str, Any]) -> ByAttribution:
    """Make the setting that a request describes; see `metrics.runs.text_settings.parse`.

    Raises
    ------
    ValueError
        If a value is not taken, or the model has no attributions.
    ResourceError
        If the study has no such model.
    """
    preset = str(given.get("preset") or "")
    if preset not in PRESETS:
        raise ValueError(f"preset {preset!r}, expected one of {', '.join(filter(None, PRESETS))}")
    values = {
        each.name: each.read(given.get(each.name, PRESETS[preset].get(each.name, each.default)))
        for each in PARAMETERS
    }
    thing = trained(study, "classifier", str(given.get("model") or ""))
    baseline, method = cast(Baseline, values.pop("baseline")), str(values.pop("method"))
    attributor = attributor_of(thing, method, baseline)
    if given.get("sha256") not in (None, "", attributor.sha256):
        raise ValueError(f"model {thing.name!r} is not the one that the run was asked for with")
    if kind == "style_removed":
        values["placeholder"] = REMOVED
    else:
        check_placeholder(str(values["placeholder"]))
    rule = MaskingRule(**cast(Any, values))
    check_rule(attributor, rule, baseline)
    if rule.least_probability and len(attributor.styles) < 2:
        raise ValueError(NO_PROBABILITIES)
    return ByAttribution(kind, thing.name, attributor, rule, baseline, method)


BY = ("lexicon", "attribution")


class TextSettingError(ValueError):
    """A text setting that cannot be had; the message says what to do."""


@dataclass(frozen=True)
class ByLexicon(TextSetting):
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

    lexicon: str
    sha256: str
    weights: Mapping[str, float] = field(repr=False)
    threshold: float = 0.0
    placeholder: str = PLACEHOLDER

    def parts(self) -> list[str]:
        """See `TextSetting.parts`."""
        parts = [f"lexicon:{self.sha256[:HASH_DIGITS]}"]
        if self.threshold:
            parts.append(f"threshold:{self.threshold!r}")
        if self.kind == "style_masked":
            parts.append(f"placeholder:{self.placeholder}")
        return parts

    def to_dict(self) -> dict[str, Any]:
        """See `TextSetting.to_dict`."""
        names = ("kind", "lexicon", "sha256", "threshold", "placeholder")
        return {name: getattr(self, name) for name in names}

    def apply(
        self, texts: Sequence[StyledText], report: ProgressCallback | None = None
    ) -> list[ChangedText]:
        """See `TextSetting.apply`."""
        changed = []
        for each in texts:
            masked = self._masker(each.text)
            reason = NO_WORD_LEFT if masked.is_emptied else ""
            if self.kind == "style_removed":
                masked = mask_spans(each.text, masked.spans, placeholder="")
            changed.append(ChangedText(masked.text, reason))
        return changed

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
        `PARAMETERS`, and `preset`. `sha256` says which lexicon or model it must
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
        return TextSetting("plain")
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
    threshold = float(given.get("threshold") or 0.0)
    placeholder = str(given.get("placeholder") or PLACEHOLDER)
    weights = lexicon_weights(found)
    setting = ByLexicon(kind, found.name, found.sha256, weights, threshold, placeholder)
    setting._masker  # noqa: B018
    return setting
