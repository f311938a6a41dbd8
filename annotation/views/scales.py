"""The page on which an owner declares the scales of imported ratings."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.imports.declared_scales import ScaleError, declare_scales, undeclared_aspects
from annotation.imports.scale_form import ScaleForm
from corpus.access.guard import study_view
from corpus.models import Study


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def scales(request: HttpRequest, study: Study) -> HttpResponse:
    """Show which aspects have no scale; by POST, store what was said and go to the agreement."""
    posted = request.POST if request.method == "POST" else None
    form = ScaleForm(undeclared_aspects(study), posted)
    if posted is not None and form.is_valid():
        try:
            stored = declare_scales(study, form.scales, cast(User, request.user))
        except ScaleError as error:
            form.add_error(f"low:{error.aspect}", str(error))
        else:
            if stored:
                messages.success(request, f"Scale declared: {', '.join(stored)}.")
            else:
                messages.info(request, "Nothing was declared.")
            return redirect("study-agreement", study.slug)
    context = {"study": study, "tab": "study-scales", "heading": "Scales", "form": form}
    status = 400 if form.errors else 200
    return render(request, "annotation/owner/scales.html", context, status=status)
