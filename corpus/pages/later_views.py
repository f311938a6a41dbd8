"""Views that are imported when they are first asked for, and numbers in addresses."""

from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import register_converter
from django.views import View

from corpus.later_functions import Later


class PathNumber:
    """A whole number of at most 18 digits, which every database holds; longer ones are not found.

    Django's `int` takes any number, and SQLite fails on one beyond 64 bits.
    """

    regex = "[0-9]{1,18}"
    to_python = int
    to_url = str


register_converter(PathNumber, "number")


class LaterView:
    """Stands for a view: a function, or a class of views."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__ = module
        self.__name__ = self.__qualname__ = name

    @cached_property
    def view(self) -> Any:
        """The view itself."""
        found = Later(self.__module__, self.__name__).function
        is_class = isinstance(found, type) and issubclass(found, View)
        return found.as_view() if is_class else found

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer as the view does."""
        answer: HttpResponseBase = self.view(request, *args, **kwargs)
        return answer

    def __getattr__(self, name: str) -> Any:
        """Return what decorators and classes say of the view."""
        # Django asks every view for this one when it first makes an address.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.view, name)


class LaterViews:
    """Stands for a module of views; its attributes are its views."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> LaterView:
        """Return a view of the module."""
        return LaterView(self._module, name)
