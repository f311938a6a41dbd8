"""Absolute naturalness: how natural one text is, 1 to 5."""

from annotation.protocols.layouts.layout import TEXT
from annotation.protocols.protocol import Protocol

PROTOCOL = Protocol(
    key="absolute_naturalness",
    title="Absolute naturalness",
    shown="one text",
    layout=TEXT,
    scale=(1, 5),
    aspects={"naturalness": "How natural is this text, as if a person had written it?"},
    labels=((1, "not natural at all"), (5, "completely natural")),
    manner="absolute",
)
