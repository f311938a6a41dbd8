"""Style transfer intensity: how different the styles of source and output are, 1 to 5."""

from annotation.protocols.layouts.layout import SOURCE_AND_OUTPUT
from annotation.protocols.protocol import HIGHLIGHT, Protocol

PROTOCOL = Protocol(
    key="style_transfer_intensity",
    title="Style transfer intensity",
    shown="source and output",
    layout=SOURCE_AND_OUTPUT,
    scale=(1, 5),
    aspects={"style": "How different are the styles of the two texts?"},
    labels=((1, "identical style"), (5, "completely different style")),
    settings=(HIGHLIGHT,),
    # Foreign words make a style more different, not less.
    degraded_is_worse=False,
)
