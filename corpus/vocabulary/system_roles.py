"""What systems with names such as `Human-A.0`, `ref` or `gold` are: asked, never decided silently.

A name that suggests people is read as a system that people wrote, unless somebody says otherwise;
whoever imports is told, with the option that answers the question.
"""

import re
from typing import Any

HUMAN, REFERENCE, SYSTEM = "human", "reference", "system"
ROLES = {
    HUMAN: "human, kept as a system",
    REFERENCE: "human, references of segments",
    SYSTEM: "not human: a system",
}
"""What a name may turn out to be, in words."""
_WORDS = re.compile(r"[a-z]+|\d+")
_HUMAN = frozenset(
    _WORDS.findall(
        "human humans people crowd crowdworker crowdworkers crowdsourced turker turkers annotator "
        "annotators ref refs reference references gold golden groundtruth manual handwritten"
    )
)
_WITH_HUMAN = frozenset(
    _WORDS.findall(
        "standard written writer writers writing writings author authors authored expert experts "
        "made produced created generated edited worker workers rewrite rewrites rewritten "
        "rewriting text texts annotation annotations summary summaries translation translations "
        "simplification simplifications paraphrase paraphrases response responses answer answers "
        "caption captions story stories sentence sentences output outputs by the of"
    )
)
_GROUND_TRUTH = re.compile(r"ground[\W_]*truth")
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def seems_human(name: str) -> bool:
    """Whether a name is conventional for texts that people wrote.

    Examples
    --------
    >>> [seems_human(name) for name in ("Human-A.0", "refB", "gold", "REF", "human_rewrite_2")]
    [True, True, True, True, True]
    >>> [seems_human(name) for name in ("Human 1 Writing", "ground truth", "human-authored")]
    [True, True, True]
    >>> [seems_human(name) for name in ("BART", "RefNet", "human-tuned BART", "A.0", "goldfish")]
    [False, False, False, False, False]
    """
    name = re.sub(r"(?i)(ref|human)([a-d])$", r"\1 \2", _CAPITALS.sub(" ", name))
    words = _WORDS.findall(_GROUND_TRUTH.sub("groundtruth", name.lower()))
    others = [word for word in words if word not in _HUMAN]
    return len(others) < len(words) and all(
        word in _WITH_HUMAN or word.isdigit() or len(word) == 1 for word in others
    )


def wrong_role(roles: Any) -> str:
    """Say what is wrong with roles as somebody wrote them; empty if nothing is."""
    for name, role in roles.items():
        if role not in ROLES:
            return f"system_roles of {name} is {role!r}: expected one of {', '.join(ROLES)}"
    return ""


def question_words(name: str) -> str:
    """Say how a name was read, and how to say otherwise."""
    return (
        f"System {name} is taken for human-written because of its name; reports leave it out of "
        f"correlations. If it is a system, import it with --system-role {name}=system; if its "
        f"texts are references of the segments, with --system-role {name}=reference (page and "
        "API: system_roles). Later, say on the systems page whether people wrote it."
    )
