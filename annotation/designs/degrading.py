"""Making a text worse in a way that an attentive annotator sees."""

from collections.abc import Sequence

import numpy as np


def degrade(text: str, donors: Sequence[str], random: np.random.Generator) -> str:
    """Replace a run of words, about half of them, by as many words of other texts.

    A run that belongs elsewhere spoils meaning and flow at once, as in the quality control of
    Graham et al. (2013). A text of up to three words is replaced whole.

    Parameters
    ----------
    text
    donors
        Texts to take foreign words from; words that `text` has are not taken.
    random

    Examples
    --------
    >>> degrade("I am well", ["the cat sat on a mat"], np.random.default_rng(1)) != "I am well"
    True
    """
    words = text.split()
    known = {word.lower() for word in words}
    foreign = [
        word
        for place in random.permutation(len(donors))
        for word in donors[place].split()
        if word.lower() not in known
    ]
    length = len(words) if len(words) <= 3 else max(2, len(words) // 2)
    if not words:
        return " ".join(foreign[:5]) or "…"
    if not foreign:
        return " ".join(words[::-1]) if len(words) > 1 else f"{words[0]} {words[0]}"
    start = int(random.integers(0, len(words) - length + 1))
    taken = [foreign[place % len(foreign)] for place in range(length)]
    return " ".join((*words[:start], *taken, *words[start + length :]))
