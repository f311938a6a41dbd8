"""Words for the points of a scale, as an owner types them: one “point: words” a line."""

from collections.abc import Iterable, Mapping

from annotation.protocols.protocol import LONGEST_LABEL


def read_labels(text: str, low: float, high: float) -> dict[str, str]:
    """Read labels.

    Raises
    ------
    ValueError
        Naming the first line that is not a label, or whose point is not on the scale.

    Examples
    --------
    >>> read_labels("1: poor\\n5: very good", 1, 5)
    {'1': 'poor', '5': 'very good'}
    """
    labels: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        point, colon, words = (part.strip() for part in line.partition(":"))
        if not colon or not words:
            raise ValueError(f"line {number}: expected a point, a colon and words, as in “1: poor”")
        try:
            value = float(point)
        except ValueError:
            raise ValueError(f"line {number}: “{point[:20]}” is not a number") from None
        if not low <= value <= high:
            raise ValueError(f"line {number}: {point} is not from {low:g} to {high:g}")
        if len(words) > LONGEST_LABEL:
            raise ValueError(f"line {number}: at most {LONGEST_LABEL} characters")
        if f"{value:g}" in labels:
            raise ValueError(f"line {number}: {value:g} has words already")
        labels[f"{value:g}"] = words
    return labels


def written_labels(labels: Mapping[str, str] | Iterable[tuple[float, str]]) -> str:
    """Write labels so that `read_labels` reads them again.

    Examples
    --------
    >>> written_labels([(1.0, "poor"), (5.0, "very good")])
    '1: poor\\n5: very good'
    """
    pairs = labels.items() if isinstance(labels, Mapping) else labels
    return "\n".join(f"{float(point):g}: {words}" for point, words in pairs)
