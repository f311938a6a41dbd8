"""METEOR by NLTK: words matched by form, stem and WordNet, with a penalty for scattered ones."""

from collections.abc import Callable
from functools import cached_property, partial

from metrics.scorers.comparing import EachReferenceScorer, over_references
from metrics.scorers.spec import Library, MetricSpec, Parameter
from metrics.scorers.tokens import (
    BY_LANGUAGE,
    OF_LANGUAGES,
    Stems,
    tokenizer,
    tokenizer_files,
    tokenizer_libraries,
)
from metrics.weights import wordnet
from metrics.weights.files import fingerprint


class Meteor(EachReferenceScorer[list[str]]):
    """Matching words of the output and a reference, with stems and synonyms matched too.

    For English.

    Formula
    -------
    (1 − γ · (chunks / matches)^β) · P · R / (α · P + (1 − α) · R), with precision and recall of
    words matched by form, then by Porter's stem, then by a WordNet synonym; chunks are runs of
    matches in the same order. Texts are compared in lower case.

    Range
    -----
    0 to 1; a copy stays a little below 1 by the penalty

    Distrust
    --------
    English only. This is METEOR of 2007 as NLTK has it, without the paraphrases and function words
    of METEOR 1.5 and with other parameters: do not compare with scores of the Java program. NLTK
    seeks synonyms among stems, so that car does not match automobile, whose stem is no word;
    matches are greedy, so that a repeated word may cost.

    Citation
    --------
    Banerjee and Lavie 2005; Lavie and Agarwal 2007.
    """

    spec = MetricSpec(
        key="meteor",
        edge_cases=("0", "0", "undefined", "0.5", "0.998"),
        title="METEOR",
        aspect="content",
        orientation="higher",
        comparisons=("references", "reference", "source"),
        parameters=(
            Parameter(
                "tokenize",
                "13a",
                "How texts fall into words: as in WMT (13a), at all signs of any script (intl), "
                f"at white space (none), into characters (char), {OF_LANGUAGES}, or as in Mir et "
                "al. 2019, placeholders whole (mir2019). The default follows the study's language.",
                choices=(
                    *("13a", "intl", "none", "char", "zh", "ja-mecab", "ko-mecab", "flores200"),
                    "mir2019",
                ),
                by_language=BY_LANGUAGE,
            ),
            Parameter(
                "alpha", 0.9, "Weight of recall relative to precision.", minimum=0, maximum=1
            ),
            Parameter("beta", 3.0, "Shape of the penalty.", minimum=0, maximum=10),
            Parameter("gamma", 0.5, "Weight of the penalty.", minimum=0, maximum=1),
            over_references("max", "mean"),
        ),
        libraries=(Library("nltk"), Library("sacrebleu")),
        weights=(wordnet.NAME,),
        words_by="English",
        revision=2,
    )

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of WordNet's files and of sentence pieces; raises `Unavailable`."""
        pieces = tokenizer_files(str(self.parameters["tokenize"]))
        return {**fingerprint(wordnet.files()), **pieces}

    @property
    def libraries(self) -> tuple[Library, ...]:
        """NLTK, sacreBLEU, and what its tokenizer needs."""
        return (*self.spec.libraries, *tokenizer_libraries(str(self.parameters["tokenize"])))

    def read(self, text: str) -> list[str] | None:
        """Return a text's words."""
        return self._tokenize(text.rstrip()).split() or None

    def pair(self, output: list[str], reference: list[str]) -> float:
        """Return NLTK's score."""
        return self._meteor(reference, output)

    @cached_property
    def _tokenize(self) -> Callable[[str], str]:
        return tokenizer(str(self.parameters["tokenize"]))

    @cached_property
    def _meteor(self) -> Callable[[list[str], list[str]], float]:
        from nltk.translate.meteor_score import single_meteor_score

        wordnet.files()
        parameters = {name: float(self.parameters[name]) for name in ("alpha", "beta", "gamma")}
        return partial(single_meteor_score, stemmer=Stems(), wordnet=wordnet, **parameters)


SCORERS = (Meteor,)
