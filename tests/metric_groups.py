"""Metrics by what they compute with, so that tests of all their kind meet a new one too."""

from metrics.scorers.registry import own_scorers

_COMPARING = [
    each.spec for each in own_scorers() if not each.spec.needs and each.spec.comparisons != ("",)
]
LEXICAL = [spec.key for spec in _COMPARING if set(spec.weights) <= {"wordnet"}]
"""What compares texts by their words or characters, without a model."""
OVERLAP = [
    spec.key
    for spec in _COMPARING
    if spec.key in LEXICAL and spec.aspect == "content" and spec.orientation != "descriptive"
]
"""Those that judge how much of a text is in another."""
EMBEDDED = [spec.key for spec in _COMPARING if spec.key not in LEXICAL and spec.aspect == "content"]
"""What compares vectors of texts or words."""
WITH_COUNTS = [each for each in own_scorers() if each.spec.key in LEXICAL and each.spec.statistics]
"""Lexical scorers that keep counts for corpus scores."""
