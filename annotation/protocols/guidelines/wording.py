"""Parts that the guidelines of several protocols share, in Markdown."""

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.examples import Case

SOURCE_AND_OUTPUT = (
    "A **source** is a text. An **output** is a rewriting of it, made to give it another style."
)
UNSURE = """## If you are unsure

Read the texts a second time, then answer as it seems to you. Nobody expects that all readers \
answer alike.

- If you cannot judge a text, for example because it is empty or in a language that you do not \
read, open *I can’t judge this* and say why.
- If an answer was wrong, open *Earlier answers* and correct it.
- If you are tired, stop. Your link brings you back to where you were."""


def document(*parts: str) -> str:
    """Return paragraphs and sections as one text."""
    return "\n\n".join(part.strip() for part in parts if part.strip())


def styles(asked: Asked) -> str:
    """Say what style means in this study."""
    if asked.family:
        return asked.family.style
    named = [name for each in asked.directions for name in (each.source, each.target) if name]
    names = " and ".join(dict.fromkeys(f"*{name}*" for name in named))
    known = f" The styles of these texts are called {names}." if names else ""
    return f"Style is how something is said, not what is said.{known}"


def content(asked: Asked) -> str:
    """Say what content means in this study."""
    if asked.family:
        return asked.family.content
    return (
        "Content is what a text says: who, what, where, when, why. How it is said is style, not "
        "content."
    )


def target(asked: Asked) -> str:
    """Name the target style, where there is one for all texts."""
    return f"the *{asked.target}* style" if asked.target else "the target style"


def which_target(asked: Asked) -> str:
    """Say which style the outputs were to have."""
    if asked.target:
        return f"The **target style**, which the output is to have, is *{asked.target}*."
    return "The **target style**, which the output is to have, is named with each item."


def about_examples(asked: Asked) -> str:
    """Say what the examples are rewritings of."""
    way = asked.example_styles
    return f"In the examples, a text that is *{way.source}* was to become *{way.target}*."


def quoted(**texts: str) -> str:
    """Return texts as a quotation, each under its name; ``a`` and ``b`` are Text A and Text B.

    Examples
    --------
    >>> quoted(source="Hi", output="Hello")
    '> *Source:* Hi\\n>\\n> *Output:* Hello'
    """
    titles = {"a": "Text A", "b": "Text B"}
    return "\n>\n".join(
        f"> *{titles.get(name, name.capitalize())}:* {text}" for name, text in texts.items()
    )


def point(answer: object, title: str, criterion: str, *examples: str) -> str:
    """Return what earns one answer, with examples."""
    return document(f"**{answer}: {title}.** {criterion}", *examples)


def rewriting(asked: Asked, case: Case, kind: str) -> str:
    """Return an output as an example, and what is wrong with it."""
    why = case.rewriting(kind).why
    example = quoted(output=asked.text(case, kind))
    return f"{example}\n>\n> {why}" if why else example
