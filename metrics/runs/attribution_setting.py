"""Text settings by word attributions of a trained classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from corpus.models import Study
from corpus.progress import ProgressCallback
from corpus.texts.masking import check_placeholder
from metrics.attribution.classifier import Baseline
from metrics.attribution.masking import (
    NO_PROBABILITIES,
    PADDING,
    REMOVED,
    REPORT_2022,
    MaskingRule,
    mask_by_attribution,
)
from metrics.resources.attributions import stored_attributions
from metrics.resources.attributors import (
    AUTOMATIC,
    KEEP_SPECIAL,
    METHODS,
    Attributor,
    check_rule,
)
from metrics.resources.attributors import attributor as attributor_of
from metrics.resources.loaders import trained
from metrics.runs.setting_kinds import NO_WORD_LEFT, Kind
from metrics.scorers.spec import Parameter, Value
from metrics.signatures import HASH_DIGITS

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
class ByAttribution:
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

    kind: Kind
    model: str
    attributor: Attributor = field(repr=False)
    rule: MaskingRule
    baseline: Baseline = KEEP_SPECIAL
    method: str = AUTOMATIC

    @property
    def name(self) -> str:
        """See `metrics.runs.text_settings.TextSetting.name`."""
        return self.kind

    def signature(self) -> str:
        """See `metrics.runs.text_settings.TextSetting.signature`."""
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
        return f"{self.kind}({','.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        """See `metrics.runs.text_settings.TextSetting.to_dict`."""
        given = asdict(self.rule)
        if self.kind == "style_removed":
            del given["placeholder"]
        return {
            "kind": self.kind,
            "by": "attribution",
            "model": self.model,
            "sha256": self.attributor.sha256,
            "baseline": self.baseline,
            "method": self.method,
            **given,
        }

    def apply(
        self,
        texts: Sequence[str],
        styles: Sequence[str],
        report: ProgressCallback | None = None,
        sources: Sequence[str] = (),
    ) -> tuple[list[str], dict[int, str]]:
        """See `metrics.runs.text_settings.TextSetting.apply`."""
        columns = [self._column(style) for style in styles]
        source_columns: list[int | None] = [None] * len(texts)
        if self._asks_for_source:
            source_columns = [self._column(style) for style in sources]
        places = [place for place, column in enumerate(columns) if column is not None]
        found = stored_attributions(
            self.attributor,
            [texts[place] for place in places],
            [column for column in columns if column is not None],
            report,
        )
        changed = list(texts)
        reasons = {
            place: self._unknown(styles[place])
            for place, column in enumerate(columns)
            if column is None
        }
        for place, attribution in zip(places, found, strict=True):
            if self._asks_for_source and source_columns[place] is None:
                reasons[place] = self._unknown(sources[place], "source")
                continue
            masked = mask_by_attribution(
                texts[place], attribution, self.rule, source_columns[place]
            )
            changed[place] = masked.text
            if attribution.limit_reason:
                reasons[place] = attribution.limit_reason
            elif masked.is_emptied:
                reasons[place] = NO_WORD_LEFT
        return changed, reasons

    def _column(self, style: str) -> int | None:
        """Return the column of a style; a model with one column has one style for all."""
        known = self.attributor.styles
        if len(known) == 1:
            return 0
        return known.index(style) if style in known else None

    @property
    def _asks_for_source(self) -> bool:
        return bool(self.rule.least_probability) and self.rule.probability_of == "source-style"

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
