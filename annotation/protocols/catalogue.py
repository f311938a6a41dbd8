"""The protocols there are, each a module beside this one, and campaigns of published studies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.protocols import (
    absolute_naturalness,
    best_worst,
    content_preservation,
    direct_assessment,
    likert,
    output_against_output,
    ranking,
    relative_naturalness,
    style_transfer_intensity,
)
from annotation.protocols.layouts.layout import TEXT
from annotation.protocols.protocol import BOTH_BAD, TIE, Protocol

__all__ = ["BOTH_BAD", "LIVE", "PROTOCOLS", "TIE", "Protocol", "protocol"]

LIVE: dict[str, Protocol] = {
    module.PROTOCOL.key: module.PROTOCOL
    for module in (
        style_transfer_intensity,
        content_preservation,
        relative_naturalness,
        absolute_naturalness,
        direct_assessment,
        output_against_output,
        ranking,
        best_worst,
        likert,
    )
}
"""Those that a campaign can be run with."""

UNSTATED = Protocol("unstated", "Protocol not stated", "unknown", TEXT)
PROTOCOLS: dict[str, Protocol] = {**LIVE, UNSTATED.key: UNSTATED}
"""Those that ratings can follow; an import need not know which."""


def protocol(key: str) -> Protocol:
    """Return a protocol by key, with hyphens as good as underscores.

    Raises
    ------
    LookupError
        If there is no such protocol; the message lists those there are.
    """
    try:
        return PROTOCOLS[key.strip().lower().replace("-", "_")]
    except KeyError:
        raise LookupError(f"no protocol {key!r}; known: {', '.join(PROTOCOLS)}") from None


@dataclass(frozen=True, slots=True)
class Preset:
    """One campaign, or several that become the tasks of a set."""

    title: str
    about: str
    campaigns: tuple[tuple[str, Mapping[str, Any]], ...]


PRESETS: dict[str, Preset] = {
    "style-transfer-complete": Preset(
        "Style transfer, complete",
        "The same people rate the same texts in four tasks: style transfer intensity, content "
        "preservation on masked texts, naturalness of the output compared with its source, and "
        "direct assessment from 0 to 100.",
        (
            ("style_transfer_intensity", {}),
            ("content_preservation", {"masked": True}),
            ("relative_naturalness", {"tie": False}),
            ("direct_assessment", {"aspects": ["style", "content", "fluency"], "step": 1}),
        ),
    ),
    "relative-masked-2019": Preset(
        "Style transfer, relative and masked (2019)",
        "Style transfer intensity, content preservation on masked texts, and naturalness of the "
        "output compared with its source, after Mir et al. 2019.",
        (
            ("style_transfer_intensity", {}),
            ("content_preservation", {"masked": True}),
            ("relative_naturalness", {"tie": False}),
        ),
    ),
    "direct-assessment-2022": Preset(
        "Direct assessment 0–100 (2022)",
        "Style, content and fluency on sliders from 0 to 100, after Lai et al. 2022.",
        (("direct_assessment", {"aspects": ["style", "content", "fluency"], "step": 1}),),
    ),
    "likert-four-aspects": Preset(
        "Likert 1–5, four aspects",
        "Style strength, content, fluency and overall, with a reference in view; the overall of "
        "an unchanged output counts six tenths.",
        (("likert", {"six_tenths": True, "show_reference": True}),),
    ),
}
