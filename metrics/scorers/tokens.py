"""How texts fall into tokens for metrics of n-grams and words."""

from __future__ import annotations

import re
from collections.abc import Callable

# A placeholder, the one title, runs of letters with one joint inside, of digits, of other signs.
_MIR_2019 = re.compile(
    r"\[[A-Z]+\]|\bdr\.|[^\W\d_]+(?:['-][^\W\d_]+)?|\d+|(?:[^\w\s]|_)+", re.IGNORECASE
)


def tokenizer(name: str) -> Callable[[str], str]:
    """Return what parts the tokens of a text by blanks.

    Parameters
    ----------
    name
        ``13a``, ``intl``, ``char`` or ``none``, as in sacreBLEU; or ``mir2019``: the tokens of
        Mir et al. 2019, found from the scores that they released.
    """
    if name == "mir2019":
        return _as_mir_2019
    from sacrebleu.metrics.bleu import BLEU

    found: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return found


def _as_mir_2019(text: str) -> str:
    """Part letters, digits and other signs; a placeholder such as [STYLE] stays whole.

    Examples
    --------
    >>> _as_mir_2019("they do n't have [STYLE], it 's _num_")
    "they do n't have [STYLE] , it ' s _ num _"
    """
    return " ".join(_MIR_2019.findall(text))
