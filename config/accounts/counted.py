"""Django's cache in the database, for django-allauth: what is kept holds for all processes.

It has the codes that were used, and the limits of codes and of mails. Django's own cache in the
database stores pickles, which run what they say when they are read: who could write to the database
could then run programs. Values here are JSON.
"""

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import IntegrityError, transaction
from django.utils import timezone

from config.models import Counted
from corpus.storage.pruning import Leftover

BYTES_OF_A_VALUE = 200


class CountedCache(BaseCache):
    """Keeps small values until they expire."""

    def __init__(self, _: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value unless there is one; of several at once, one stores it."""
        name, stored = self._row(key, value, timeout, version)
        expired = Counted.objects.filter(pk=name, expires__lte=timezone.now())
        if expired.update(**stored):
            return True
        try:
            with transaction.atomic():
                Counted.objects.create(cache_key=name, **stored)
        except IntegrityError:
            return False
        return True

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return a value that has not expired."""
        name = self.make_and_validate_key(key, version=version)
        found = Counted.objects.filter(pk=name, expires__gt=timezone.now()).first()
        return json.loads(found.value) if found else default

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value in place of another."""
        name, stored = self._row(key, value, timeout, version)
        Counted.objects.update_or_create(cache_key=name, defaults=stored)

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget a value; return whether there was one."""
        name = self.make_and_validate_key(key, version=version)
        return bool(Counted.objects.filter(pk=name).delete()[0])

    def clear(self) -> None:
        """Forget everything."""
        Counted.objects.all().delete()

    def _row(
        self, key: Any, value: Any, timeout: Any, version: int | None
    ) -> tuple[str, dict[str, Any]]:
        """Return the key of a row and what it holds."""
        seconds: Any = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        expires = timezone.now() + dt.timedelta(seconds=seconds)
        name = self.make_and_validate_key(key, version=version)
        return name, {"value": json.dumps(value), "expires": expires}


def expired_values(now: dt.datetime) -> Iterator[Leftover]:
    """Yield the values that have expired, as one thing."""
    expired = Counted.objects.filter(expires__lte=now)
    if number := expired.count():
        size = number * BYTES_OF_A_VALUE
        yield Leftover(f"expired counts: {number:,}", size, lambda: _delete(now))


def _delete(now: dt.datetime) -> None:
    Counted.objects.filter(expires__lte=now).delete()
