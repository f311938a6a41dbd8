"""Output against output: which of two systems' outputs of one source is better, blind."""

from annotation.protocols.protocol import TIE, TIES, Protocol, Setting

PROTOCOL = Protocol(
    key="output_against_output",
    title="Output against output",
    shown="two outputs of one source, blind",
    layout="sides",
    choices=("first", "second", TIE),
    aspects={"overall": "Which output is better?"},
    compares="outputs",
    settings=(
        Setting("aspects", "Aspects", ("overall",), "One question each."),
        TIES,
        Setting("show_source", "Show the source", True),
    ),
)
