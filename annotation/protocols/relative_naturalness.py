"""Relative naturalness: which of source and output is more natural, blind."""

from annotation.protocols.layouts.two_sides import AGAINST_SOURCE
from annotation.protocols.protocol import TIES, Protocol

PROTOCOL = Protocol(
    key="relative_naturalness",
    title="Relative naturalness",
    shown="source and output, order random and hidden",
    layout=AGAINST_SOURCE,
    aspects={"naturalness": "Which text is more natural, as if a person had written it?"},
    settings=(TIES,),
    manner="relative",
)
