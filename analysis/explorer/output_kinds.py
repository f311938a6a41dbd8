"""What can be seen of an output beside its source and references: copied, cut, repeating …"""

from collections.abc import Callable, Sequence
from itertools import pairwise

KINDS: dict[str, str] = {
    "empty": "nothing was returned",
    "copied": "the source unchanged",
    "reference": "equal to a reference",
    "cut": "less than half as long as the source",
    "grown": "more than twice as long as the source",
    "repeating": "a word three times in a row",
}
Test = Callable[[str, str, Sequence[str]], bool]


def _repeats(text: str) -> bool:
    run = 1
    for before, word in pairwise(text.casefold().split()):
        run = run + 1 if word == before else 1
        if run == 3:
            return True
    return False


_TESTS: dict[str, Test] = {
    "empty": lambda source, output, references: not output.strip(),
    "copied": lambda source, output, references: output.strip() == source.strip(),
    "reference": lambda source, output, references: (
        output.strip() in {each.strip() for each in references}
    ),
    "cut": lambda source, output, references: 2 * len(output.split()) < len(source.split()),
    "grown": lambda source, output, references: len(output.split()) > 2 * len(source.split()),
    "repeating": lambda source, output, references: _repeats(output) and not _repeats(source),
}


def kinds_of(source: str, output: str, references: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the kinds of `KINDS` that an output is of.

    Examples
    --------
    >>> kinds_of("gonna be late", "late late late")
    ('repeating',)
    """
    return tuple(kind for kind, test in _TESTS.items() if test(source, output, references))
