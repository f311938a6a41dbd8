"""Making, changing and deleting collections, and adding a metric to one."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.forms import formset_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from analysis.collections.adding import Added, import_scores, run_metric, studies_to_change
from analysis.collections.changing import (
    MOST_TASKS,
    CollectionError,
    change_collection,
    create_collection,
    delete_collection,
)
from analysis.collections.forms import (
    NewCollectionForm,
    RunMetricForm,
    ScoresForm,
    SettingsForm,
    TaskForm,
    initial_of,
)
from analysis.collections.presets import PRESETS
from analysis.collections.reading import tasks_of
from analysis.models import Collection
from analysis.views.collections import collection_view
from corpus.imports.uploads import NotAnUpload
from corpus.pages.imports import takes_files

EMPTY_ROWS = 2
_FORMS = ["GET", "HEAD", "POST"]


@require_http_methods(_FORMS)
@login_required
def new_collection(request: HttpRequest) -> HttpResponse:
    """Make a collection of studies by a preset."""
    user, posted = cast(User, request.user), request.method == "POST"
    form = NewCollectionForm(user, request.POST if posted else None)
    if posted and form.is_valid():
        values = form.cleaned_data
        preset = values["preset"]
        try:
            made = create_collection(
                values["slug"],
                values["title"],
                form.tasks,
                user,
                preset=preset,
                **PRESETS[preset].settings,
            )
        except CollectionError as error:
            form.add_error("slug", f"{error}.")
        else:
            return redirect("collection", made.slug)
    context = {"form": form, "presets": PRESETS.values()}
    status = 400 if posted else 200
    return render(request, "analysis/collections/new.html", context, status=status)


@require_http_methods(_FORMS)
@collection_view(change=True)
def edit_collection(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Change settings and tasks of a collection."""
    user, posted = cast(User, request.user), request.method == "POST"
    form = SettingsForm(request.POST if posted else None, instance=collection)
    made = formset_factory(TaskForm, extra=EMPTY_ROWS, max_num=MOST_TASKS + EMPTY_ROWS)
    tasks = made(
        request.POST if posted else None,
        initial=[initial_of(task) for task in tasks_of(collection)],
        form_kwargs={"user": user},
    )
    if posted and (form.is_valid() & tasks.is_valid()):
        wanted = [each.task for each in tasks if each.task is not None]
        try:
            change_collection(collection, user, wanted, **form.cleaned_data)
        except CollectionError as error:
            form.add_error(None, f"{error}.")
        else:
            return redirect("collection", collection.slug)
    context = {"collection": collection, "heading": "Tasks and weights"}
    context |= {"form": form, "tasks": tasks}
    status = 400 if posted else 200
    return render(request, "analysis/collections/edit.html", context, status=status)


@require_POST
@collection_view(change=True)
def remove_collection(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Delete a collection; its studies stay."""
    delete_collection(collection, cast(User, request.user))
    messages.success(request, f"{collection} was deleted. Its studies are as they were.")
    return redirect("collections")


@takes_files
@require_POST
@collection_view()
def add_scores(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Take files of a metric's scores, one for each study, and import them."""
    studies = studies_to_change(collection, request.user)
    if not studies:
        raise PermissionDenied("only an owner of a study may add scores to it")
    form = ScoresForm(studies, request.POST, request.FILES)
    if form.is_valid():
        try:
            return _reported(
                request, collection, import_scores(form.files_of, cast(User, request.user))
            )
        except NotAnUpload as error:
            form.add_error(None, f"{error}.")
    messages.error(request, " ".join(str(each) for each in form.non_field_errors()))
    return redirect("collection", collection.slug)


@require_POST
@collection_view()
def add_run(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Compute a metric in every study of the collection."""
    if not studies_to_change(collection, request.user):
        raise PermissionDenied("only an owner of a study may score it")
    form = RunMetricForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a metric of the list.")
        return redirect("collection", collection.slug)
    metric = form.cleaned_data["metric"]
    return _reported(request, collection, run_metric(collection, metric, cast(User, request.user)))


def _reported(request: HttpRequest, collection: Collection, added: list[Added]) -> HttpResponse:
    """Say what became of a metric in each study; lead to a job if there is one."""
    jobs: list[Any] = []
    for each in added:
        jobs += each.jobs
        if each.refused:
            messages.error(request, f"{each.study}: {each.refused}.")
        elif not each.jobs:
            messages.success(request, f"{each.study}: scored before, nothing to do.")
    if len(jobs) == 1:
        return redirect("job", jobs[0].pk)
    if jobs:
        messages.success(
            request,
            f"{len(jobs)} jobs are under way, one for each study. The comparison is computed anew "
            "when they are done.",
        )
        return redirect("job-list")
    return redirect("collection", collection.slug)
