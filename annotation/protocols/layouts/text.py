"""One text by itself, without its source."""

from annotation.protocols.layouts.layout import Layout
from annotation.protocols.layouts.own_texts import OwnText


class Text(Layout):
    """One text by itself."""

    has_source = False

    def judged_texts(self) -> list[OwnText]:
        """Return the text, which is not called an output here."""
        return [OwnText("output", "Text")]


TEXT = Text()
