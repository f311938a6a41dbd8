"""Rules of formality: contractions, words of chat, capitals and punctuation, in both directions."""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from metrics.scorers.spec import Parameter
from metrics.writers.writer import (
    Direction,
    Report,
    Source,
    Writer,
    WriterError,
    WriterSpec,
    Written,
)

_WORDS = tomllib.loads(Path(__file__).with_name("formality_words.toml").read_text(encoding="utf-8"))
EXPANSIONS: Mapping[str, str] = _WORDS["expansions"] | {
    f"{verb}n't": f"{verb} not" for verb in _WORDS["negated"]
}
BARE: Mapping[str, str] = {
    # Without its apostrophe, won't is a word: wont.
    word.replace("'", ""): word
    for word in EXPANSIONS
    if word.endswith("n't") and word not in ("won't", "shan't", "needn't", "mustn't")
} | _WORDS["bare"]
CHAT: Mapping[str, str] = _WORDS["chat"]
SHORTER: Mapping[str, str] = _WORDS["shorter"]
ENDINGS: Mapping[str, str] = _WORDS["endings"]
PRONOUNS: Sequence[str] = _WORDS["pronouns"]
DROPPED: Sequence[str] = _WORDS["dropped"]
FORMAL = frozenset({"formal", "formality", "polite-formal"})
INFORMAL = frozenset({"informal", "informality", "casual", "colloquial"})
_EMOTICON = re.compile(
    r"(?<!\S)(?:[:;=8xX][-o^']?[)(DPpOo/|\\*3]|<3|\^_+\^|[\U0001F600-\U0001F64F])+"
)
_REPEATED_SIGN = re.compile(r"[!?]{2,}|!")
_STRETCHED = re.compile(r"([A-Za-z])\1{2,}")
_SHOUTED = re.compile(r"[A-Z]{2,}(?:[\s,!?.']+[A-Z]+\b){2,}")
_DOTS = re.compile(r"\.{2,}|…")
_SENTENCE_START = re.compile(r"(^|[.?!]\s+)(\W*)([a-z])")
_END = re.compile(r"[.?!…][\"')\]]*$")


class FormalityRules(Writer):
    """Rewrites between informal and formal English by fixed rules.

    A transparent lower bound for any system that learned to do so.

    Method
    ------
    To formal: contractions and words of chat are written out, laughter and emoticons left out,
    stretched letters and repeated signs reduced, sentences begin with a capital and end with a full
    stop. To informal: the reverse where it is unambiguous. What depends on context (such as 'd, or
    's after a noun) stays as it is.

    Citation
    --------
    The rule-based baseline of Rao and Tetreault 2018, Dear Sir or Madam, in spirit; the word lists
    are ours.

    Distrust
    --------
    English only. An output equals its source where no rule applies.
    """

    spec = WriterSpec(
        key="formality-rules",
        title="Rules of formality",
        group="rules",
        parameters=(
            Parameter("contractions", True, "Write contractions out, or contract."),
            Parameter("chat_words", True, "Replace words of chat, or use them."),
            Parameter("capitals", True, "Correct capital letters, or drop those of sentences."),
            Parameter("punctuation", True, "Correct punctuation, or drop the last full stop."),
        ),
    )

    def check(self, directions: Collection[Direction]) -> None:
        """Refuse a study that has no direction between formal and informal."""
        if not any(map(_rules, directions)):
            raise WriterError(
                "it writes from informal to formal and back; the directions chosen are "
                + ", ".join(" → ".join(each) for each in sorted(directions))
            )

    def write(self, sources: Sequence[Source], report: Report = lambda done: None) -> list[Written]:
        """Apply the rules."""
        return [self._written(source) for source in sources]

    def _written(self, source: Source) -> Written:
        rules = _rules(source.direction)
        if rules is None:
            return Written(reason=f"there are no rules for {' → '.join(source.direction)}")
        text = source.text
        for name, rule in rules:
            if self.parameters[name]:
                text = rule(text)
        return Written(" ".join(text.split()))


def _rules(direction: Direction) -> Sequence[tuple[str, Callable[[str], str]]] | None:
    before, after = (style.strip().lower() for style in direction)
    if after in FORMAL and before not in FORMAL:
        return _TO_FORMAL
    if after in INFORMAL and before not in INFORMAL:
        return _TO_INFORMAL
    return None


def _expanded(text: str) -> str:
    text = text.replace("’", "'")
    text = _replaced(text, BARE)
    text = _replaced(text, EXPANSIONS)
    pattern = rf"\b({'|'.join(PRONOUNS)})({'|'.join(ENDINGS)})\b"
    return re.sub(pattern, lambda m: m[1] + ENDINGS[m[2].lower()], text, flags=re.IGNORECASE)


def _contracted(text: str) -> str:
    shorter = {long: short for short, long in EXPANSIONS.items() if short != "ma'am"}
    text = _replaced(text, shorter)
    pattern = rf"\b({'|'.join(PRONOUNS[:7])}) (am|are|have|will)\b(?= \w)"
    endings = {words.strip(): ending for ending, words in ENDINGS.items()}
    return re.sub(pattern, lambda m: m[1] + endings[m[2].lower()], text, flags=re.IGNORECASE)


def _without_chat(text: str) -> str:
    text = _EMOTICON.sub(" ", text)
    text = re.sub(rf"\b(?:{'|'.join(DROPPED)})\b[!.,]*", " ", text, flags=re.IGNORECASE)
    # "sooo" ends in one letter, "goood" keeps two.
    text = re.sub(r"([A-Za-z])\1{2,}\b", r"\1", text)
    return _replaced(_STRETCHED.sub(r"\1\1", text), CHAT)


def _with_chat(text: str) -> str:
    return _replaced(text, SHORTER)


def _not_shouted(text: str) -> str:
    """Write three words or more in capitals small."""
    return _SHOUTED.sub(lambda found: found[0].lower(), text)


def _capitalised(text: str) -> str:
    text = re.sub(r"\bi\b(?!\.e)", "I", text)
    return _SENTENCE_START.sub(lambda m: m[1] + m[2] + m[3].upper(), text)


def _without_capitals(text: str) -> str:
    text = re.sub(r"\bI\b", "i", text)
    return re.sub(
        r"(^|[.?!]\s+)(\W*)([A-Z])(?=[a-z'\s])", lambda m: m[1] + m[2] + m[3].lower(), text
    )


def _punctuated(text: str) -> str:
    text = _DOTS.sub(".", text)
    text = _REPEATED_SIGN.sub(lambda found: "?" if "?" in found[0] else ".", text)
    text = re.sub(r"\s+([.,?;:])", r"\1", text.strip())
    text = re.sub(r"([,?;])(?=[A-Za-z])", r"\1 ", text)
    return text if not text or _END.search(text) else f"{text.rstrip(',;:- ')}."


def _loosely_punctuated(text: str) -> str:
    return re.sub(r"(?<!\.)\.$", "", text.strip())


_TO_FORMAL = (
    ("capitals", _not_shouted),
    ("chat_words", _without_chat),
    ("contractions", _expanded),
    ("punctuation", _punctuated),
    ("capitals", _capitalised),
)
_TO_INFORMAL = (
    ("contractions", _contracted),
    ("chat_words", _with_chat),
    ("punctuation", _loosely_punctuated),
    ("capitals", _without_capitals),
)


def _replaced(text: str, words: Mapping[str, str]) -> str:
    """Replace whole words; a capital at the beginning stays one."""
    key = frozenset(words.items())
    return _pattern(key).sub(lambda found: _as(found[0], words[found[0].lower()]), text)


@cache
def _pattern(words: frozenset[tuple[str, str]]) -> re.Pattern[str]:
    longest_first = sorted((word for word, _ in words), key=lambda word: (-len(word), word))
    either = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<![\w'])(?:{either})(?![\w'])", re.IGNORECASE)


def _as(found: str, word: str) -> str:
    return word[0].upper() + word[1:] if found[0].isupper() else word


WRITERS = (FormalityRules,)
