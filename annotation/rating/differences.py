"""Which words of two texts differ, for campaigns that mark them."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

Run = tuple[str, bool]


def marked_differences(source: str, output: str) -> tuple[list[Run], list[Run]]:
    """Cut both texts into runs and say of each whether the other text lacks it.

    Examples
    --------
    >>> marked_differences("gonna be late", "I will be late")[1]
    [('I will', True), (' be late', False)]
    """
    first, second = _tokens(source), _tokens(output)
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    runs = matcher.get_opcodes()
    return (
        list(_joined((first[a:b], tag != "equal") for tag, a, b, _, _ in runs)),
        list(_joined((second[c:d], tag != "equal") for tag, _, _, c, d in runs)),
    )


def _tokens(text: str) -> list[str]:
    """Cut into words, each with the white space before it."""
    return re.findall(r"\s*\S+|\s+$", text)


def _joined(runs: Iterator[tuple[list[str], bool]]) -> Iterator[Run]:
    for tokens, differs in runs:
        if tokens:
            yield "".join(tokens), differs
