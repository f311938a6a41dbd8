"""The three demo systems that are programs: dictionary rules, templates, scrambled words."""

import re
from itertools import pairwise

import numpy as np

from demo.streams import uniforms

FORMAL_WORDS = {
    "anyone": "anybody",
    "awesome": "excellent",
    "can't": "cannot",
    "cos": "because",
    "didn't": "did not",
    "doc": "doctor",
    "doesn't": "does not",
    "don't": "do not",
    "gonna": "going to",
    "gotta": "have to",
    "grandma": "grandmother",
    "guys": "all",
    "hey": "hello",
    "i'll": "I will",
    "i'm": "I am",
    "it's": "it is",
    "kid": "child",
    "kinda": "somewhat",
    "mins": "minutes",
    "nobody's": "nobody has",
    "ok": "all right",
    "there's": "there is",
    "tmrw": "tomorrow",
    "totally": "entirely",
    "u": "you",
    "ur": "your",
    "wanna": "want to",
    "we're": "we are",
    "what's": "what is",
}
FILLER_WORDS = ("lol", "omg", "tbh", "yo")
INFORMAL_WORDS = {
    "approximately": "about",
    "are not": "aren't",
    "cannot": "can't",
    "completed": "finished",
    "could not": "couldn't",
    "do not": "don't",
    "does not": "doesn't",
    "examination": "exam",
    "have not": "haven't",
    "i am": "i'm",
    "i have": "i've",
    "i would": "i'd",
    "is not": "isn't",
    "obliged": "forced",
    "participate in": "join",
    "prior to": "before",
    "requested": "asked",
    "unfortunately": "sadly",
    "we have": "we've",
    "we would": "we'd",
}
FORMAL_TEMPLATES = (
    "Thank you for your message regarding {topic}. I would be pleased to discuss the matter.",
    "I am writing to enquire about {topic}. I look forward to receiving your reply.",
    "With reference to {topic}, I would be grateful for further information.",
    "Please accept my apologies for any inconvenience concerning {topic}.",
)
INFORMAL_TEMPLATES = (
    "hey, got ur message about {topic}, let's chat later",
    "so what's up with {topic}? lemme know!",
    "lol {topic}, no idea tbh",
    "just a quick one about {topic}, can't wait to hear from u",
)
DETERMINERS = (
    "a",
    "an",
    "her",
    "his",
    "my",
    "our",
    "that",
    "the",
    "their",
    "these",
    "this",
    "your",
)
KEPT_SHARE = 0.7
WRONG_TOPIC_SHARE = 0.3
TEMPLATE_CHOICE, TOPIC_IS_WRONG, TOPIC_OF, WORD_ORDER = 0, 1, 2, 3


def apply_rules(source: str, target_style: str) -> str:
    """Replace contractions and slang, or make contractions; mend the start and the end."""
    if target_style == "formal":
        fillers = "|".join(FILLER_WORDS)
        text = re.sub(rf"(?:^|\s+)(?:{fillers})\b,?", "", source, flags=re.IGNORECASE).strip()
        text = re.sub(r"([!?])\1+", r"\1", _replace_words(text, FORMAL_WORDS))
        text = re.sub(r"\bi\b", "I", text)
        text = text[0].upper() + text[1:]
        return text if text[-1] in ".!?" else text + "."
    text = _replace_words(source, INFORMAL_WORDS)
    text = re.sub(r"\bI\b", "i", text)
    return (text[0].lower() + text[1:]).removesuffix(".")


def fill_template(sources: list[str], index: int, target_style: str, seed: int) -> str:
    """Return a stock sentence in the target style about a word of a source.

    Often (``WRONG_TOPIC_SHARE``) the word comes from any source at all, as when
    retrieval fails.
    """
    templates = FORMAL_TEMPLATES if target_style == "formal" else INFORMAL_TEMPLATES
    draws = uniforms(seed, index, np.array([TEMPLATE_CHOICE, TOPIC_IS_WRONG, TOPIC_OF]))
    wrong = draws[1] < WRONG_TOPIC_SHARE
    topic_source = sources[int(draws[2] * len(sources))] if wrong else sources[index]
    return templates[int(draws[0] * len(templates))].format(topic="the " + topic_of(topic_source))


def topic_of(source: str) -> str:
    """Return the longest word that follows a determiner, else the longest word of all."""
    words = [str(word) for word in re.findall(r"[a-z']+", source.lower())]
    named = [word for before, word in pairwise(words) if before in DETERMINERS and "'" not in word]
    return max(named or words, key=len)


def scramble(source: str, index: int, seed: int) -> str:
    """Return the first part (``KEPT_SHARE``) of a source's words in random order."""
    words = source.split()
    kept = words[: max(1, round(KEPT_SHARE * len(words)))]
    order = np.argsort(uniforms(seed, index, WORD_ORDER, np.arange(len(kept))), kind="stable")
    return " ".join(kept[position] for position in order)


def _replace_words(text: str, replacements: dict[str, str]) -> str:
    longest_first = sorted(replacements, key=len, reverse=True)
    pattern = rf"(?<![\w'])(?:{'|'.join(map(re.escape, longest_first))})(?![\w'])"
    return re.sub(pattern, lambda found: replacements[found[0].lower()], text, flags=re.IGNORECASE)
