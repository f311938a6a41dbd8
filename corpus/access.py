"""The one guard between people and studies."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from corpus.models import Membership, Study

Role = Membership.Role


def study_for(user: AbstractUser | AnonymousUser, slug: str, *, owner: bool = False) -> Study:
    """Return a study that this person may open.

    Raises
    ------
    Http404
        If there is no such study, or the person is no member: which of the two is not told.
    PermissionDenied
        If `owner` is asked for and the person only reads.
    """
    study = Study.objects.visible_to(user).filter(slug=slug).first()
    if study is None:
        raise Http404(f"no study {slug!r} that you may open")
    if owner and not may_change(user, study):
        raise PermissionDenied("only an owner of this study may do this")
    return study


def may_change(user: AbstractUser | AnonymousUser, study: Study) -> bool:
    """Whether this person owns the study."""
    if not user.is_authenticated:
        return False
    return user.is_superuser or study.memberships.filter(user=user, role=Role.OWNER).exists()


def study_view(
    view: Callable[Concatenate[HttpRequest, Study, ...], HttpResponse] | None = None,
    *,
    owner: bool = False,
) -> Any:
    """Turn a view of (request, study) into one of (request, slug), guarded by membership."""

    def decorate(inner: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @login_required
        @wraps(inner)
        def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            return inner(request, study_for(request.user, slug, owner=owner), *args, **kwargs)

        return guarded

    return decorate(view) if view else decorate
