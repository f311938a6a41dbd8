"""Best–worst scaling: which of up to four outputs is the best and which is the worst, blind."""

from annotation.protocols.layouts.best_worst import BEST_WORST
from annotation.protocols.protocol import Protocol, Setting

PROTOCOL = Protocol(
    key="best_worst",
    title="Best–worst scaling",
    shown="up to four outputs of one source, blind",
    layout=BEST_WORST,
    scale=(-1, 1),
    aspects={"overall": "Which output is the best, and which is the worst?"},
    settings=(Setting("show_source", "Show the source", True),),
)
