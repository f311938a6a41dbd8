"""What a rater's name in a table says of who rated: a person, a model, or several together.

Pure: this module imports no Django. It is conservative: only names of language models that come
with a version or size, and names that say what they are, are read as models. A first name such as
Claude, or a word such as gpt inside another name, is not enough; such raters stay persons, and
the import says so.
"""

import re
from typing import NamedTuple

PERSON, PLACE, MODEL = "person", "place", "model"
MEAN, MEDIAN, MAJORITY = "mean", "median", "majority"
TOGETHER = (MEAN, MEDIAN, MAJORITY)
KINDS = (PERSON, PLACE, MODEL, *TOGETHER)
"""What the column of kinds may say."""
_KIND_WORDS = {
    PERSON: ("person", "human", "people", "annotator", "worker", "crowd", "expert"),
    PLACE: ("place", "position", "slot", "unnamed", "anonymous"),
    MODEL: ("model", "llm", "machine", "automatic", "language model", "ai"),
    MEAN: ("mean", "average", "avg"),
    MEDIAN: ("median",),
    MAJORITY: ("majority", "vote", "majority vote"),
}
_KIND_OF_WORD = {word: kind for kind, words in _KIND_WORDS.items() for word in words}
_TOGETHER = re.compile(
    r"(?:.+, )?(mean|average|avg|median|majority|vote) of (\d+|several)(?: \w+)?", re.IGNORECASE
)
_ALONE = re.compile(
    r"(mean|average|avg|median|majority)(?:[ _-](?:rating|score|rater|vote)s?)?", re.IGNORECASE
)
_ROLE = r"(?:(?:rater|annotator|judge|evaluator|worker)[-_: ]+)?"
_SAYS_SO = re.compile(
    r"(?:model|llm|language model)\s*:.+"
    r"|(?:llm|auto)[-_ ]?(?:as[-_ ](?:a[-_ ])?)?(?:judge|rater|annotator|evaluator)(?:[-_ ]?\d+)?"
)
MODEL_NAMES = (
    *("chat-?gpt", r"gpt[-_ ]?\d", "gpt-oss", r"text-(?:davinci|bison)-?\d"),
    *(r"o[134]-(?:mini|preview|pro|deep|\d{4})", r"gpt-(?:image|realtime)", "instruct-?gpt"),
    *(r"claude[-_ ]?v?\d", "claude[-_ ](?:instant|opus|sonnet|haiku)"),
    *(r"(?:meta-?)?llama[-_ ]?\d", r"gemini[-_ ](?:\d|pro|ultra|flash)", r"gemma[-_ ]?\d"),
    *(r"palm-?2", r"mi[sx]tral-(?:\d|large|medium|small|nemo)", r"qwen[-_ ]?\d"),
    *(r"deepseek-(?:v\d|r\d|chat|llm|reasoner|coder)", r"phi-?\d", "flan-?t5", r"prometheus-\d"),
    *("command-(?:r|a|light|nightly)", r"aya-(?:expanse|vision|\d)", r"grok[-_ ]?\d", r"kimi-k\d"),
    *(r"(?:mi|magi|code|dev)stral-(?:\d|medium|small|large)", r"ministral-\d", r"glm-\d"),
    *(r"qwq-\d", r"code-?llama-\d", r"olmo-?\d", r"t[üu]lu-?\d", r"granite-\d", r"jamba-\d"),
    *(r"nova-(?:pro|lite|micro|premier)", r"nemotron-\d", r"minimax-m\d", r"ernie-\d", "dbrx"),
    *(
        r"(?:vicuna|zephyr|falcon|yi|solar|bloomz?|opt|pythia|mpt|internlm\d?|judgelm|auto-j|alpaca)"
        r"-[\w.-]*\d[\d.]*b(?![a-z])",
    ),
)
"""How names of language models begin, with the version or size that makes them one."""
_MODEL = re.compile(rf"{_ROLE}(?:[\w.-]+/)?(?:{'|'.join(MODEL_NAMES)})[-\w.:@+() ]*")
_OF_PEOPLE = re.compile(r"(?<![a-z])(?:user|person|human|with|worker \d)(?![a-z])")
_DOUBTFUL = re.compile(
    r"(?<![a-z])(?:(?:chat-?)?gpt|llm|claude|gemini|llama|mi[sx]tral|qwen|deepseek|model|bot|ai"
    r"|machine|grok|gemma|command|copilot|o[34](?!\d))(?![a-z])"
)


class NamedRater(NamedTuple):
    """What a name says.

    Attributes
    ----------
    kind
        One of `KINDS`.
    raters
        How many stand behind a mean, median or majority; None where the name does not say.
    doubtful
        Whether a person is assumed although the name could be that of a model.
    """

    kind: str
    raters: int | None = None
    doubtful: bool = False


def rater_named(name: str) -> NamedRater:
    """Read from a rater's name who rated.

    Examples
    --------
    >>> rater_named("mean of 3 raters")
    NamedRater(kind='mean', raters=3, doubtful=False)
    >>> rater_named("median"), rater_named("crowd, mean of 5 raters").raters
    (NamedRater(kind='median', raters=None, doubtful=False), 5)
    >>> rater_named("GPT-4o").kind, rater_named("meta-llama/Llama-3-70B").kind
    ('model', 'model')
    >>> rater_named("survey1-rater2")
    NamedRater(kind='person', raters=None, doubtful=False)
    >>> rater_named("Claude")
    NamedRater(kind='person', raters=None, doubtful=True)
    """
    name = name.strip()
    if match := _TOGETHER.fullmatch(name):
        number = None if match[2].lower() == "several" else int(match[2])
        return NamedRater(_KIND_OF_WORD[match[1].lower()], number)
    if match := _ALONE.fullmatch(name):
        return NamedRater(_KIND_OF_WORD[match[1].lower()])
    name = name.lower()
    if _SAYS_SO.fullmatch(name) or (_MODEL.fullmatch(name) and not _OF_PEOPLE.search(name)):
        return NamedRater(MODEL)
    return NamedRater(PERSON, doubtful=bool(_DOUBTFUL.search(name)))


def stated_kind(word: str) -> str | None:
    """Return the kind that a word in the column of kinds means; None if it is not known.

    Examples
    --------
    >>> stated_kind("LLM"), stated_kind("human"), stated_kind("robot")
    ('model', 'person', None)
    """
    return _KIND_OF_WORD.get(word.strip().lower())
