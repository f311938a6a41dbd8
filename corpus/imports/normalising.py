"""Tokenised English texts made into texts as people write them."""

import re

_CLOSING = re.compile(r"(?<=\S)\s+(?=(?:[.!?…]+|[,;:)\]}])(?:\s|$))")
_OPENING = re.compile(r"(?<=[(\[{])(?<![^\s(\[{].)\s+(?=\S)")
_SHORTENED = re.compile(r"(?<=\w)\s+(?=(?:n['’]t|['’](?:s|m|re|ve|ll|d))(?:\W|$))", re.IGNORECASE)


def with_attached_punctuation(text: str) -> str:
    """Remove the spaces that tokenisers put around punctuation and into shortened words.

    What stands by itself between white space counts: full stops, question and exclamation marks
    (one or several), commas, colons, semicolons, brackets, and endings such as ``n't`` and ``'s``.
    A smiley is no such sign. Quotation marks stay, because they do not say which way they face.

    Examples
    --------
    >>> with_attached_punctuation("I do n't know ( yet ) , sorry :) ... really !!")
    "I don't know (yet), sorry :)... really!!"
    """
    for pattern in (_CLOSING, _OPENING, _SHORTENED):
        text = pattern.sub("", text)
    return text
