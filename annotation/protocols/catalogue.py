"""The protocols there are; each is one module beside this one."""

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
from annotation.protocols.layouts.text import TEXT
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
