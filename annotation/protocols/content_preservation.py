"""Content preservation: how much of the source's content the output keeps, 1 to 5.

By default both texts are shown with their style words masked, so that a change of style is not
taken for a change of content.
"""

from annotation.protocols.layouts.layout import SOURCE_AND_OUTPUT
from annotation.protocols.protocol import HIGHLIGHT, Protocol, Setting

MASKED = Setting(
    "masked", "Mask style words in both texts", True, "Off shows the plain texts, for comparison."
)
PROTOCOL = Protocol(
    key="content_preservation",
    title="Content preservation",
    shown="source and output, style words masked or plain",
    layout=SOURCE_AND_OUTPUT,
    scale=(1, 5),
    aspects={"content": "How similar is what the two texts say?"},
    labels=((1, "completely different content"), (5, "identical content")),
    settings=(MASKED, HIGHLIGHT),
)
