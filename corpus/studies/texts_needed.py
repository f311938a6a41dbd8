"""What a study without texts cannot do, said in one sentence wherever it is asked for."""

from corpus.models import Study


class TextsNeeded(ValueError):
    """Something that needs texts was asked of a study that holds keys only; says what to do."""


def why_not(what: str) -> str:
    """Say what needs texts, and how the study gets them.

    Examples
    --------
    >>> why_not("a campaign").partition(":")[0]
    'a campaign needs texts, but this study holds only the keys of its outputs'
    """
    return (
        f"{what} needs texts, but this study holds only the keys of its outputs: import the "
        "texts of all its outputs first"
    )


def check_texts(study: Study, what: str) -> None:
    """Refuse what needs the texts of a study that has none.

    Raises
    ------
    TextsNeeded
    """
    if study.without_texts:
        raise TextsNeeded(why_not(what))
