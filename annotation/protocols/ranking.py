"""Ranking: up to five outputs of one source put in order, blind.

Each output gets its rank as a rating: 1 for the best, the same rank for a tie.
"""

from annotation.protocols.layouts.several import MOST, ORDER
from annotation.protocols.protocol import TIES, Protocol, Setting

PROTOCOL = Protocol(
    key="ranking",
    title="Ranking",
    shown="up to five outputs of one source, blind",
    layout=ORDER,
    scale=(1, MOST),
    aspects={"overall": "Which place does this output take? 1 is the best."},
    labels=((1, "best"),),
    settings=(TIES, Setting("show_source", "Show the source", True)),
)
