"""The list of studies, a new one, and deleting one."""

from datetime import datetime

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corpus.imports.service import StudyExists, create_study
from corpus.imports.uploads import NotAnUpload, discard_upload, keep_upload, upload_path
from corpus.models import Study
from corpus.pages.forms import NewStudyForm, OptionsForm
from corpus.pages.frame import actor, page_with_form
from corpus.pages.imports import begin_mapping, takes_files
from corpus.studies.deletion import gone_after, take_back, to_be_deleted
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
            actor(request),
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
        return redirect(begin_mapping(study, upload, options, actor(request)))
    messages.success(request, "The study was created. It is empty: import its texts next.")
    return redirect("study", study.slug)


def _page(request: HttpRequest, form: NewStudyForm, options: OptionsForm) -> HttpResponse:
    return page_with_form(request, "corpus/new_study.html", {"form": form, "options": options})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is stored about annotators and about who signs in, and for how long.

    Annotators come from pages in the language of their campaign, and read it in the same frame.
    """
    language = request.GET.get("language", "")
    asked = language in dict(settings.LANGUAGES)
    frame = "annotation/base.html" if asked else "base.html"
    with translation.override(language if asked else settings.LANGUAGE_CODE):
        context = {
            "days": settings.DELETION_DAYS,
            "days_of_log": settings.ACCESS_LOG_DAYS,
            "frame": frame,
        }
        return render(request, "corpus/privacy.html", context)


@require_POST
@login_required
def take_study_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a study again that was to be deleted."""
    found = next((each for each in to_be_deleted(request.user) if each.slug == slug), None)
    if found is None:
        raise Http404(f"no study {slug!r} that you may take back")
    take_back(found, actor(request))
    messages.success(request, f"{found} was restored.")
    return redirect("study", found.slug)


def hidden_studies(user: User | AnonymousUser) -> list[tuple[Study, datetime]]:
    """Return the studies that a person may take back, each with when it is deleted."""
    return [
        (each, gone_after(each.deletion_asked_at))
        for each in to_be_deleted(user)
        if each.deletion_asked_at
    ]
