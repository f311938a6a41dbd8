"""Touchstone's Celery application, which also knows the kinds of `slow_jobs`."""

from config.celery import app
from tests.slow_jobs import register

__all__ = ["app"]

register()
