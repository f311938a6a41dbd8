"""Campaigns as published studies ran them: a protocol with its settings, under a name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
