"""What a search finds, and where who searches may look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery

from corpus.models import Membership, Output, Study


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found.

    Parameters
    ----------
    title
        Its name.
    address
        Where it is.
    place
        The study or the page of the help that it is in; empty for what is in none.
    detail
        A few words about it, or the text that was found.
    """

    title: str
    address: str
    place: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """What was found of one kind.

    Parameters
    ----------
    title
        The kind.
    hits
        The first that were found.
    more
        How many there are beside them.
    links
        Words and addresses of lists that show all.
    notes
        What was not searched, and why.
    """

    title: str
    hits: Sequence[Hit]
    more: int = 0
    links: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Scope:
    """Where a person may look.

    Parameters
    ----------
    user
        Who searches.
    studies
        The studies that they may open, the current one first, then the newest. `texts` of each is
        how many outputs it has.
    current
        The study from whose page they search.
    owned
        Those of the studies that they own.
    """

    user: User
    studies: Sequence[Study]
    texts: Mapping[int, int]
    current: Study | None
    owned: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def of(cls, user: User, slug: str) -> "Scope":
        """Read what a person may open; two queries."""
        last = Output.objects.filter(study=OuterRef("pk")).order_by("-ordinal").values("ordinal")
        found = Study.objects.visible_to(user).only("slug", "title").order_by("-pk")
        rows = [
            (study, study.last)  # type: ignore[attr-defined]
            for study in found.annotate(last=Subquery(last[:1]))
        ]
        listed = [study for study, _ in rows]
        current = next((study for study in listed if study.slug == slug), None)
        owner = Membership.Role.OWNER
        owned = Membership.objects.filter(user=user, role=owner).values_list("study", flat=True)
        return cls(
            user,
            sorted(listed, key=lambda study: study is not current),
            {study.pk: 0 if last is None else last + 1 for study, last in rows},
            current,
            frozenset(study.pk for study in listed) if user.is_superuser else frozenset(owned),
        )

    @property
    def current_pk(self) -> int:
        """The key of the current study; 0, which is no study's, if there is none."""
        return self.current.pk if self.current else 0
