"""The protocols there are, each a module beside this one, and campaigns of published studies."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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
    campaigns: Sequence[tuple[str, Mapping[str, Any]]]


PRESETS: dict[str, Preset] = {
    key: Preset(**values)
    for key, values in tomllib.loads(
        Path(__file__).with_name("presets.toml").read_text(encoding="utf-8")
    ).items()
}
