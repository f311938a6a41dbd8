"""Who may open a collection, and who may change it."""

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import Q

from analysis.models import Collection
from corpus.access.guard import named


def collection_for(user: User | AnonymousUser, slug: str, *, change: bool = False) -> Collection:
    """Return a collection that this person may open: one who may open each of its studies.

    Raises
    ------
    Http404
        If there is no such collection, or one of its studies is closed to this person: which of
        the two is not told.
    PermissionDenied
        If `change` is asked for and the person only reads.
    """
    found = named(Collection.objects.visible_to(user), slug)
    if change and not may_change(user, found):
        raise PermissionDenied("only the owner of this collection may do this")
    return found


def may_change(user: User | AnonymousUser, collection: Collection) -> bool:
    """Whether this person owns the collection."""
    if not user.is_authenticated:
        return False
    return user.is_superuser or collection.owner_id == user.pk


def jobs_seen_by(user: User) -> Q:
    """Return which jobs of collections a person may see.

    A job says how far it is and what is wrong in the words of every study of its collection.
    """
    visible = Collection.objects.visible_to(user).values_list("pk", flat=True)
    return Q(parameters__collection__in=list(visible))
