"""Words that the rules of formality replace; only where the replacement hardly depends on context.

Left out on purpose: ``'d`` (had or would), ``'s`` after names (is, has or a genitive) and
``ain't`` (am, is, are or has not).
"""

EXPANSIONS = {
    "can't": "cannot",
    "won't": "will not",
    "shan't": "shall not",
    "let's": "let us",
    "it's": "it is",
    "that's": "that is",
    "there's": "there is",
    "here's": "here is",
    "what's": "what is",
    "who's": "who is",
    "where's": "where is",
    "how's": "how is",
    "he's": "he is",
    "she's": "she is",
    "y'all": "you all",
    "ma'am": "madam",
} | {
    f"{verb}n't": f"{verb} not"
    for verb in (
        *("do", "does", "did", "is", "are", "was", "were", "has", "have", "had"),
        *("could", "would", "should", "might", "must", "need"),
    )
}
"""Contractions to their long forms; ``I'm``, ``'re``, ``'ve`` and ``'ll`` follow a rule."""

ENDINGS = {"'m": " am", "'re": " are", "'ve": " have", "'ll": " will"}
"""Endings of contractions after a pronoun, to what they stand for."""

PRONOUNS = ("i", "you", "he", "she", "it", "we", "they", "that", "there", "who", "what")

BARE = {
    **{word.replace("'", ""): word for word in EXPANSIONS if word.endswith("n't")},
    "cant": "can't",
    "im": "i'm",
    "ive": "i've",
    "youre": "you're",
    "theyre": "they're",
    "thats": "that's",
    "whats": "what's",
}
"""Contractions without their apostrophe; not ``wont``, ``its``, ``ill``, ``well``, ``were``."""
for _word in ("wont", "shant", "neednt", "mustnt"):
    BARE.pop(_word, None)

CHAT = {
    "u": "you",
    "r": "are",
    "y": "why",
    "thx": "thanks",
    "thanx": "thanks",
    "pls": "please",
    "plz": "please",
    "ppl": "people",
    "bc": "because",
    "cuz": "because",
    "coz": "because",
    "b4": "before",
    "gr8": "great",
    "l8r": "later",
    "2day": "today",
    "2morrow": "tomorrow",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "gimme": "give me",
    "lemme": "let me",
    "kinda": "rather",
    "sorta": "rather",
    "dunno": "do not know",
    "yeah": "yes",
    "yep": "yes",
    "yup": "yes",
    "nope": "no",
    "nah": "no",
    "ok": "all right",
    "okay": "all right",
    "hi": "hello",
    "hey": "hello",
    "tho": "though",
    "thru": "through",
    "guys": "people",
    "kids": "children",
    "mom": "mother",
    "dad": "father",
    "idk": "I do not know",
    "imo": "in my opinion",
    "imho": "in my opinion",
    "btw": "by the way",
    "asap": "as soon as possible",
}
"""Words of chat to ordinary ones."""

DROPPED = ("lol", "lmao", "rofl", "haha", "hahaha", "hehe", "omg", "xoxo")
"""Words of chat that say nothing else and are left out."""

SHORTER = {
    "you": "u",
    "are": "r",
    "thanks": "thx",
    "please": "pls",
    "people": "ppl",
    "because": "cuz",
    "going to": "gonna",
    "want to": "wanna",
    "give me": "gimme",
    "let me": "lemme",
    "though": "tho",
    "yes": "yeah",
    "hello": "hey",
    "children": "kids",
    "mother": "mom",
    "father": "dad",
}
"""Ordinary words to words of chat, in the direction from formal to informal."""
