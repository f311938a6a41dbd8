"""The one guard between people and studies."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, TypeVar, overload

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from corpus.jobs.registry import bounded_kinds, seen_by_rules
from corpus.models import Job, Membership, Study
from corpus.studies.texts_needed import why_not

Named = TypeVar("Named", bound=Model)
Role = Membership.Role


def study_for(user: User | AnonymousUser, slug: str, *, owner: bool = False) -> Study:
    """Return a study that this person may open.

    Raises
    ------
    Http404
        If there is no such study, or the person is no member: which of the two is not told.
    PermissionDenied
        If `owner` is asked for and the person only reads.
    """
    study = named(Study.objects.visible_to(user), slug)
    if owner and not may_change(user, study):
        raise PermissionDenied("only an owner of this study may do this")
    return study


def named(visible: QuerySet[Named], slug: str) -> Named:
    """Return the one of a slug among those that a person may open; else raise `Http404`."""
    found = visible.filter(slug=slug).first()
    if found is None:
        raise Http404(f"no {visible.model._meta.verbose_name} {slug!r} that you may open")
    return found


def may_change(user: User | AnonymousUser, study: Study) -> bool:
    """Whether this person owns the study."""
    if not user.is_authenticated:
        return False
    return user.is_superuser or study.memberships.filter(user=user, role=Role.OWNER).exists()


def job_for(user: User | AnonymousUser, pk: int, *, steer: bool = False) -> Job:
    """Return a job that this person asked for, or one of a study that they may open.

    Raises
    ------
    Http404
        If there is no such job, or it is none of this person's business.
    PermissionDenied
        If `steer` is asked for and the person may only look.
    """
    job = jobs_visible_to(user).select_related("study").filter(pk=pk).first()
    if job is None:
        raise Http404(f"no job {pk} that you may see")
    if steer and not may_steer(user, job):
        raise PermissionDenied("only who asked for this job, or an owner of its study, may do this")
    return job


def jobs_visible_to(user: User | AnonymousUser) -> QuerySet[Job]:
    """Jobs that a person asked for and those of their studies; administrators see every one.

    A job that tells of other studies than its own is seen by those who may see all of it. Who may
    no longer open a study sees none of its jobs, even those asked for while they could.
    """
    if not user.is_authenticated:
        return Job.objects.none()
    if user.is_superuser:
        return Job.objects.all()
    may_open = Q(study__in=Study.objects.visible_to(user))
    of_studies = may_open
    for kind, seen in seen_by_rules.items():
        of_studies &= ~Q(kind=kind) | seen(user)
    asked_for = Q(created_by=user) & (may_open | Q(study=None))
    return Job.objects.filter(asked_for | of_studies)


def may_steer(user: User | AnonymousUser, job: Job) -> bool:
    """Whether this person may cancel the job and try it again.

    Who asked for it may, while that is theirs to ask for: of a study, owners alone ask for what
    changes it.
    """
    if not user.is_authenticated:
        return False
    if user.is_superuser:
        return True
    if job.study is not None and may_change(user, job.study):
        return True
    return job.created_by_id == user.pk and (job.study is None or job.kind in bounded_kinds)


_View = Callable[Concatenate[HttpRequest, Study, ...], HttpResponseBase]
_Guarded = Callable[..., HttpResponseBase]


@overload
def study_view(view: _View) -> _Guarded: ...
@overload
def study_view(
    *, owner: bool = ..., owner_posts: bool = ..., needs_texts: str = ...
) -> Callable[[_View], _Guarded]: ...
def study_view(
    view: _View | None = None,
    *,
    owner: bool = False,
    owner_posts: bool = False,
    needs_texts: str = "",
) -> _Guarded | Callable[[_View], _Guarded]:
    """Turn a view of (request, study) into one of (request, slug), guarded by membership.

    With `owner_posts` all members look and owners alone send. What `needs_texts` names is refused
    for a study without texts, on a page that says so.
    """

    def decorate(inner: _View) -> _Guarded:
        @login_required
        @wraps(inner)
        def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            changes = owner or (owner_posts and request.method == "POST")
            study = study_for(request.user, slug, owner=changes)
            if needs_texts and study.without_texts:
                context = {"study": study, "heading": needs_texts, "why": why_not(needs_texts)}
                return render(request, "corpus/texts_needed.html", context, status=409)
            return inner(request, study, *args, **kwargs)

        return guarded

    return decorate(view) if view else decorate
