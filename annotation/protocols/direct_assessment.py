"""Direct assessment: style, content and fluency on sliders from 0 to 100."""

from annotation.protocols.layouts.layout import SOURCE_AND_OUTPUT
from annotation.protocols.protocol import HIGHLIGHT, Protocol, Setting

ASPECTS = {
    "style": "How well does the output have the target style?",
    "content": "How much of the source's content does the output keep?",
    "fluency": "How fluent is the output?",
}
PROTOCOL = Protocol(
    key="direct_assessment",
    title="Direct assessment",
    shown="source and output",
    layout=SOURCE_AND_OUTPUT,
    scale=(0, 100),
    aspects=ASPECTS,
    labels=((0, "not at all"), (50, "half"), (100, "perfectly")),
    settings=(
        Setting("aspects", "Aspects", tuple(ASPECTS), "One slider each."),
        Setting("step", "Step of the sliders", 1.0, "1 by default, down to 0.1.", 0.1, 50.0),
        HIGHLIGHT,
        Setting(
            "siblings",
            "Colour each slider by comparison with the other outputs of its source",
            False,
            "Only with all outputs of a source on one screen: blue above the mean of the others, "
            "amber below. It draws attention to differences, so say that you used it.",
        ),
    ),
)
