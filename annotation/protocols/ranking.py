"""Ranking: up to five outputs of one source put in order, blind.

Each output gets its rank as a rating: 1 for the best, the same rank for a tie.
"""

from collections.abc import Sequence

from annotation.protocols.protocol import TIES, Protocol, Setting

MOST = 5
PROTOCOL = Protocol(
    key="ranking",
    title="Ranking",
    shown="up to five outputs of one source, blind",
    layout="order",
    scale=(1, MOST),
    aspects={"overall": "Which place does this output take? 1 is the best."},
    labels=((1, "best"),),
    settings=(TIES, Setting("show_source", "Show the source", True)),
    former_aspects={"rank": "overall"},
)


def check_order(ranks: Sequence[float], tie: bool) -> str:
    """Say what is wrong with the ranks of the outputs of one screen; nothing if they are fine.

    Examples
    --------
    >>> check_order([1, 1, 3], tie=False)
    'two outputs have place 1; ties are not allowed here'
    """
    for rank in sorted(ranks):
        if rank > len(ranks):
            return f"there are {len(ranks)} outputs, so no place {rank:g}"
    doubled = [rank for rank in sorted(ranks) if ranks.count(rank) > 1]
    if doubled and not tie:
        return f"two outputs have place {doubled[0]:g}; ties are not allowed here"
    return ""
