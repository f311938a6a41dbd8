"""Texts of a study block by block, as scorers take them; never more than a block in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from corpus.models import Output, Segment, Study, System
from corpus.progress import ProgressCallback
from metrics.runs.text_settings import ChangedText, StyledText, TextSetting
from metrics.scorers.scorer import Texts

NOTHING_COMPARABLE = "in what it is compared with, {reason}"


@dataclass(frozen=True)
class _SegmentTexts:
    """A segment with its source and its references by number."""

    name: str
    ordinal: int
    source_style: str
    target_style: str
    texts: dict[str, str] = field(default_factory=dict)

    def key(self, text: str) -> StyledText:
        """Return what decides how one of its texts is changed."""
        return StyledText(text, self.target_style, self.source_style)

    def against(self, comparison: str) -> tuple[list[str], str]:
        """Return what a comparison compares with here, or why there is nothing."""
        if not comparison:
            return [], ""
        if comparison == "references":
            found = [text for name, text in self.texts.items() if name != "source"]
            return found, "" if found else "this segment has no reference"
        if comparison in self.texts:
            return [self.texts[comparison]], ""
        return [], f"this segment has no {comparison.replace('.', ' ')}"


class BlockTexts:
    """The outputs of consecutive ordinals with all that they may be compared with.

    Three queries, however many texts. Sources and references are outputs too: a source is compared
    with itself or with the references, a reference with the source or the references, itself among
    them, so that the distributions of all three can be shown side by side.
    """

    def __init__(self, study: Study, start: int, stop: int) -> None:
        rows = list(
            Output.objects.filter(study=study, ordinal__gte=start, ordinal__lt=stop)
            .order_by("ordinal")
            .values_list("pk", "text", "segment_id", "system__name")
        )
        self.outputs: list[int] = [row[0] for row in rows]
        self._texts: list[str] = [row[1] for row in rows]
        self._systems: list[str] = [row[3] for row in rows]
        segments = _segments({row[2] for row in rows})
        self._segments = [segments[row[2]] for row in rows]
        self._set: dict[str, dict[StyledText, ChangedText]] = {}

    def texts(
        self,
        comparison: str,
        setting: TextSetting,
        places: Sequence[int],
        report: ProgressCallback | None = None,
    ) -> tuple[Texts, list[int], dict[int, str]]:
        """Return the texts at some places in a setting.

        Returns
        -------
        texts : Texts
            Of the places where there is something to score.
        scored : list of int
            These places.
        reasons : dict
            Every other place with the reason in words.
        """
        changed = self._in_setting(comparison, setting, places, report)
        scored: list[int] = []
        reasons: dict[int, str] = {}
        against: list[tuple[str, ...]] = []
        for place in places:
            segment = self._segments[place]
            found, reason = segment.against(comparison)
            others = [changed[segment.key(text)] for text in found]
            kept = [each.text for each in others if not each.reason]
            if others and not kept:
                reason = NOTHING_COMPARABLE.format(reason=others[0].reason)
            reason = changed[segment.key(self._texts[place])].reason or reason
            if reason:
                reasons[place] = reason
            else:
                scored.append(place)
                against.append(tuple(kept))
        return self._aligned(scored, against, changed), scored, reasons

    def _aligned(
        self,
        places: Sequence[int],
        against: Sequence[tuple[str, ...]],
        changed: Mapping[StyledText, ChangedText],
    ) -> Texts:
        segments = [self._segments[place] for place in places]
        outputs = (self._texts[place] for place in places)
        return Texts(
            outputs=[
                changed[segment.key(text)].text
                for segment, text in zip(segments, outputs, strict=True)
            ],
            against=against,
            sources=[
                changed[segment.key(segment.texts.get("source", ""))].text for segment in segments
            ],
            source_styles=[segment.source_style for segment in segments],
            target_styles=[segment.target_style for segment in segments],
            segments=[segment.ordinal for segment in segments],
            systems=[self._systems[place] for place in places],
            keys=[segment.name for segment in segments],
        )

    def _in_setting(
        self,
        comparison: str,
        setting: TextSetting,
        places: Sequence[int],
        report: ProgressCallback | None,
    ) -> Mapping[StyledText, ChangedText]:
        """Return each text by itself and its segment's styles, changed.

        Several runs in one setting share the work.
        """
        known = self._set.setdefault(setting.signature(), {})
        wanted: dict[StyledText, None] = {}
        for place in places:
            segment = self._segments[place]
            texts = [self._texts[place], segment.texts.get("source", "")]
            for text in (*texts, *segment.against(comparison)[0]):
                if segment.key(text) not in known:
                    wanted[segment.key(text)] = None
        keys = list(wanted)
        for key, found in zip(keys, setting.apply(keys, report), strict=True):
            known[key] = found._replace(text="") if found.reason else found
        return known


def _segments(keys: set[int]) -> dict[int, _SegmentTexts]:
    found = {
        key: _SegmentTexts(name, ordinal, source_style, target_style)
        for key, name, ordinal, source_style, target_style in Segment.objects.filter(
            pk__in=keys
        ).values_list("pk", "key", "ordinal", "source_style", "target_style")
    }
    pseudo = Output.objects.filter(segment__in=keys).exclude(system__kind=System.Kind.SYSTEM)
    for key, kind, variant, text in pseudo.order_by("variant").values_list(
        "segment_id", "system__kind", "variant", "text"
    ):
        name = "source" if kind == System.Kind.SOURCE else f"reference.{variant}"
        if kind == System.Kind.REFERENCE or variant == 1:
            found[key].texts[name] = text
    return found
