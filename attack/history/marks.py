"""Marks in what people write and in the names of systems, by which a leak is recognised."""

import re

MARK = re.compile(r"\b(?:said|draft|hidden)-[a-z]+-[a-z0-9]+-\d+\b")
"""What somebody said for good, what they typed as a draft, and the name of a system."""


def said(client: str, study: str, number: int) -> str:
    """Return the comment of a submission."""
    return f"said-{study}-{client}-{number}"


def draft(client: str, study: str, number: int) -> str:
    """Return the comment of a draft."""
    return f"draft-{study}-{client}-{number}"


def hidden(study: str, number: int) -> str:
    """Return the name of a system, which only members of its study may see."""
    return f"hidden-{study}-system-{number}"


def marks_in(text: str) -> list[str]:
    """Return the marks in a page, each once."""
    return sorted(set(MARK.findall(text)))


def may_see(mark: str, client: str, study: str, *, member: bool) -> bool:
    """Whether a mark is one that a client may see.

    Parameters
    ----------
    mark
    client, study
        Who they are, and the study they belong to; a stranger belongs to none.
    member
        Whether they are a member of the study, who sees all of it, drafts excepted.
    """
    kind, of_study, of_client, _ = mark.split("-")
    if study != of_study:
        return False
    return kind != "draft" if member else of_client == client
