"""The demo's automatic metrics: chrF, BLEU, length ratio and share of formal markers."""

import csv
import re
from functools import cache
from pathlib import Path
from statistics import fmean

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

MARKERS = Path(__file__).with_name("style_markers.csv")
CHRF_SCORER = CHRF()
BLEU_SCORER = BLEU(effective_order=True)


def chrf(output: str, compared: list[str]) -> float:
    """Return sentence chrF2 (Popović 2015), 0–100, by sacreBLEU's defaults."""
    return float(CHRF_SCORER.sentence_score(output, compared).score)


def bleu(output: str, compared: list[str]) -> float:
    """Return sentence BLEU (Papineni et al. 2002), 0–100, effective order, smoothing "exp"."""
    return float(BLEU_SCORER.sentence_score(output, compared).score)


def length_ratio(output: str, compared: list[str]) -> float:
    """Return the words of the output for each word of the compared texts, on average."""
    return len(output.split()) / fmean(len(text.split()) for text in compared)


@cache
def marker_words(style: str) -> frozenset[str]:
    """Return the listed words that mark a text as formal or as informal."""
    with MARKERS.open(encoding="utf-8", newline="") as lines:
        return frozenset(row["word"] for row in csv.DictReader(lines) if row["style"] == style)


def formal_share(text: str) -> float:
    """Return the share of formal markers among a text's markers of either style.

    Parameters
    ----------
    text : str

    Returns
    -------
    float
        (F + 1) / (F + I + 2), between 0 and 1; 0.5 without any marker. F counts listed
        formal words, a capital at the start and a full stop or question mark at the end;
        I counts listed informal words, words with an apostrophe before s, t, d, m, ll, re
        or ve, a small letter at the start, no punctuation at the end, and exclamation marks.

    Examples
    --------
    >>> formal_share("Would you kindly wait?")
    0.8333333333333334
    """
    words = re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower())
    formal = sum(word in marker_words("formal") for word in words)
    formal += text[:1].isupper() + text.endswith((".", "?"))
    informal = sum(word in marker_words("informal") for word in words)
    informal += sum(re.search(r"'(?:s|t|d|m|ll|re|ve)$", word) is not None for word in words)
    informal += text[:1].islower() + text[-1:].isalnum() + text.count("!")
    return (formal + 1) / (formal + informal + 2)
