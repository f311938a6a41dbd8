"""The guard of the pages for administrators."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

View = Callable[..., HttpResponseBase]


def administrators_only(view: View) -> View:
    """Answer everybody else as if there were no such page."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise Http404("no page that you may open")
        return view(request, *args, **kwargs)

    return guarded
