"""Output against output: which of two systems' outputs of one source is better, blind."""

from annotation.protocols.layouts.two_sides import TWO_OUTPUTS
from annotation.protocols.protocol import TIES, Protocol, Setting

PROTOCOL = Protocol(
    key="output_against_output",
    title="Output against output",
    shown="two outputs of one source, blind",
    layout=TWO_OUTPUTS,
    aspects={"overall": "Which output is better?"},
    settings=(
        Setting("aspects", "Aspects", ("overall",), "One question each."),
        TIES,
        Setting("show_source", "Show the source", True),
    ),
)
