"""The list of studies, and making a new one."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from corpus.imports.service import StudyExists, create_study
from corpus.imports.uploads import NotAnUpload, discard_upload, keep_upload, upload_path
from corpus.pages.deletion import hidden_studies
from corpus.pages.forms import NewStudyForm, OptionsForm
from corpus.pages.uploading import begin_mapping, takes_files
from corpus.studies.overview import studies_listed


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """List the studies that a person may open."""
    context = {"studies": studies_listed(request.user), "hidden": hidden_studies(request.user)}
    return render(request, "corpus/home.html", context)


@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_study(request: HttpRequest) -> HttpResponse:
    """Make a study; with files it goes on to their mapping."""
    if request.method != "POST":
        return _page(request, NewStudyForm(), OptionsForm())
    form, options = NewStudyForm(request.POST, request.FILES), OptionsForm(request.POST)
    if not (form.is_valid() & options.is_valid()):
        return _page(request, form, options)
    values = form.cleaned_data
    upload = ""
    try:
        upload = keep_upload(values["files"]) if values["files"] else ""
        study = create_study(
            values["slug"],
            cast(User, request.user),
            title=values["title"],
            language=values["language"],
        )
    except NotAnUpload as error:
        form.add_error("files", str(error))
        return _page(request, form, options)
    except StudyExists as error:
        if upload:
            discard_upload(upload_path(upload))
        form.add_error("slug", str(error))
        return _page(request, form, options)
    if upload:
        return redirect(begin_mapping(study, upload, options, cast(User, request.user)))
    messages.success(request, "The study was created. It is empty: import its texts next.")
    return redirect("study", study.slug)


def _page(request: HttpRequest, form: NewStudyForm, options: OptionsForm) -> HttpResponse:
    status = 400 if form.errors or options.errors else 200
    context = {"form": form, "options": options}
    return render(request, "corpus/new_study.html", context, status=status)
