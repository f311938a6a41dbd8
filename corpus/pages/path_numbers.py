"""Numbers in addresses: those that a database can look up."""

from django.urls import register_converter


class PathNumber:
    """A whole number of at most 18 digits, which every database holds; longer ones are not found.

    Django's `int` takes any number, and SQLite fails on one beyond 64 bits.
    """

    regex = "[0-9]{1,18}"
    to_python = int
    to_url = str


register_converter(PathNumber, "number")
