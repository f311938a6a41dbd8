"""Parts that the guidelines of several protocols share, in Markdown."""

from annotation.protocols.guidelines.asked import Asked, Case
from annotation.protocols.language import translated, translated_in


def document(*parts: str) -> str:
    """Return paragraphs and sections as one text."""
    return "\n\n".join(part.strip() for part in parts if part.strip())


def joined(*sentences: str) -> str:
    """Return sentences as one paragraph, as the language that is spoken writes them."""
    between = translated_in("between sentences", " ")
    return between.join(each for each in sentences if each)


def heading(words: str) -> str:
    """Return a heading."""
    return f"## {words}"


def listed(*points: str) -> str:
    """Return points as a list."""
    return "\n".join(f"- {each}" for each in points)


def styles(asked: Asked) -> str:
    """Say what style means in this study."""
    if asked.family:
        return translated(asked.family.style)
    named = [name for each in asked.directions for name in (each.source, each.target) if name]
    names = ", ".join(dict.fromkeys(f"*{name}*" for name in named))
    meaning = translated("Style is how something is said, not what is said.")
    known = translated("The styles of these texts are called {names}.", names=names)
    return joined(meaning, known) if names else meaning


def content(asked: Asked) -> str:
    """Say what content means in this study."""
    if asked.family:
        return translated(asked.family.content)
    return translated(
        "Content is what a text says: who, what, where, when, why. How it is said is style, not "
        "content."
    )


def target(asked: Asked) -> str:
    """Name the target style, where there is one for all texts; the article is the message's."""
    if asked.target:
        return translated("*{style}* style", style=asked.target)
    return translated("target style")


def which_target(asked: Asked) -> str:
    """Say which style the outputs were to have."""
    if asked.target:
        return translated(
            "The **target style**, which the output is to have, is *{style}*.", style=asked.target
        )
    return translated("The **target style**, which the output is to have, is named with each item.")


def about_examples(asked: Asked) -> str:
    """Say what the examples are rewritings of."""
    way = asked.example_styles
    return translated(
        "In the examples, a text that is *{source}* was to become *{target}*.",
        source=way.source,
        target=way.target,
    )


def quoted(**texts: str) -> str:
    """Return texts as a quotation, each under its name; ``a`` and ``b`` are Text A and Text B.

    Examples
    --------
    >>> quoted(source="Hi", output="Hello")
    '> *Source:* Hi\\n>\\n> *Output:* Hello'
    """
    titles = {
        "source": translated("Source"),
        "output": translated("Output"),
        "a": translated("Text {letter}", letter="A"),
        "b": translated("Text {letter}", letter="B"),
    }
    lines = (
        translated("*{name}:* {text}", name=titles[name], text=text) for name, text in texts.items()
    )
    return "\n>\n".join(f"> {line}" for line in lines)


def point(answer: object, title: str, criterion: str, *examples: str) -> str:
    """Return what earns one answer, with examples."""
    said = translated(
        "**{answer}: {title}.** {criterion}", answer=answer, title=title, criterion=criterion
    )
    return document(said, *examples)


def rewriting(asked: Asked, case: Case, kind: str) -> str:
    """Return an output as an example, and what is wrong with it."""
    why = case.rewriting(kind).why
    example = quoted(output=asked.text(case, kind))
    return f"{example}\n>\n> {translated(why)}" if why else example
