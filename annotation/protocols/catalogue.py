"""The protocols that ratings can follow, as far as reading and checking an answer needs them."""

from dataclasses import dataclass

TIE = "tie"


@dataclass(frozen=True, slots=True)
class Protocol:
    """What one judgement under a protocol may be.

    Parameters
    ----------
    key, title
        Name in data and on pages.
    shown
        Which texts the annotator sees.
    scale
        Lowest and highest answer, where the protocol itself fixes it.
    choices
        The answers of a comparison, in terms of the first and second text; empty for scales.
    aspect
        The aspect that is asked where the protocol asks for one only.
    """

    key: str
    title: str
    shown: str
    scale: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()
    aspect: str = ""


PROTOCOLS: dict[str, Protocol] = {
    protocol.key: protocol
    for protocol in (
        Protocol(
            "style_transfer_intensity",
            "Style transfer intensity",
            "source and output",
            scale=(1, 5),
            aspect="style_transfer_intensity",
        ),
        Protocol(
            "content_preservation",
            "Content preservation",
            "source and output, style words masked or plain",
            scale=(1, 5),
            aspect="content_preservation",
        ),
        Protocol(
            "relative_naturalness",
            "Relative naturalness",
            "source and output, order random and hidden",
            choices=("first", "second", TIE),
            aspect="naturalness",
        ),
        Protocol(
            "absolute_naturalness", "Absolute naturalness", "one text", (1, 5), (), "naturalness"
        ),
        Protocol("direct_assessment", "Direct assessment", "source and output", scale=(0, 100)),
        Protocol(
            "output_against_output",
            "Output against output",
            "two outputs of one source, blind",
            choices=("first", "second", TIE),
        ),
        Protocol("ranking", "Ranking", "up to five outputs of one source, blind"),
        Protocol("likert", "Likert aspects", "source, reference and output", scale=(1, 5)),
        Protocol("unstated", "Protocol not stated", "unknown"),
    )
}


def protocol(key: str) -> Protocol:
    """Return a protocol by key, with hyphens as good as underscores.

    Raises
    ------
    LookupError
        If there is no such protocol; the message lists those there are.
    """
    try:
        return PROTOCOLS[key.strip().lower().replace("-", "_")]
    except KeyError:
        raise LookupError(f"no protocol {key!r}; known: {', '.join(PROTOCOLS)}") from None
