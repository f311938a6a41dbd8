"""Items per person, people and ratings per item: any two give the third."""

from dataclasses import dataclass
from typing import Literal

Part = Literal["people", "ratings", "each"]


class LoadError(ValueError):
    """Numbers that do not go together; the message says what would do."""


@dataclass(frozen=True)
class Load:
    """How much work there is and how it is shared.

    Parameters
    ----------
    screens
        What is to be rated: items, or screens of several items.
    people, ratings
        How many rate, and how often each screen is rated.
    each
        Screens of one person, rounded up; controls and practice come on top.
    computed
        Which of the three follows from the other two.
    """

    screens: int
    people: int
    ratings: int
    each: int
    computed: Part

    @property
    def total(self) -> int:
        """Ratings in all."""
        return self.screens * self.ratings

    @property
    def is_rounded(self) -> bool:
        """Whether some have fewer than `each`."""
        return self.people * self.each != self.total


def complete(
    screens: int,
    people: int | None = None,
    ratings: int | None = None,
    each: int | None = None,
    *,
    team: int = 1,
) -> Load:
    """Work out the one of three numbers that is not stated.

    Parameters
    ----------
    screens
    people, ratings, each
        Two of them. Where all three are stated they must agree.
    team
        People come in so many at a time: the ratings per item in fixed batches, where 0 stands
        for that number.

    Raises
    ------
    LoadError
        If fewer than two are stated, or they give less than one rating of every screen.

    Examples
    --------
    >>> complete(96, people=4, each=48)
    Load(screens=96, people=4, ratings=2, each=48, computed='ratings')
    >>> complete(96, ratings=3, each=40).people
    8
    """
    if people is not None and ratings is not None:
        needed = -(-screens * ratings // people)
        if each is not None and each != needed:
            raise LoadError(
                f"{screens} items with {ratings} ratings each are {needed} items for each of "
                f"{people} annotators, not {each}: leave one of the three empty"
            )
        return Load(screens, people, ratings, needed, "each")
    if each is None:
        raise LoadError("state two of the three: items per annotator, annotators, ratings per item")
    if ratings is not None:
        together = team or ratings
        people = max(-(-screens * ratings // each), ratings)
        return Load(screens, -(-people // together) * together, ratings, each, "people")
    if people is None:
        raise LoadError("state two of the three: items per annotator, annotators, ratings per item")
    found = people * each // screens
    if not found:
        raise LoadError(
            f"{people} annotators with {each} items each give {people * each} ratings, fewer than "
            f"the {screens} items: choose fewer segments, or more annotators or items for each"
        )
    return Load(screens, people, min(found, people), each, "ratings")
