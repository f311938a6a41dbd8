"""Relative naturalness: which of source and output is more natural, blind."""

from annotation.protocols.protocol import TIE, TIES, Protocol

PROTOCOL = Protocol(
    key="relative_naturalness",
    title="Relative naturalness",
    shown="source and output, order random and hidden",
    layout="sides",
    choices=("first", "second", TIE),
    aspects={"naturalness": "Which text is more natural, as if a person had written it?"},
    compares="source",
    settings=(TIES,),
    manner="relative",
)
