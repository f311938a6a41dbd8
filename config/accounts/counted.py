"""Django's cache in the database: what is counted holds for all processes and machines.

Django's own stores pickles, which run what they say when they are read: who could write to the
database could then run programs. Values here are JSON.
"""

import datetime as dt
import json
from typing import Any

from django.apps import apps
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import IntegrityError, transaction
from django.utils import timezone


class CountedCache(BaseCache):
    """Keeps small values until they expire."""

    def __init__(self, _: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value unless there is one; of several at once, one stores it."""
        name, now = self.make_and_validate_key(key, version=version), timezone.now()
        self._rows().filter(expires__lte=now).delete()
        try:
            with transaction.atomic():
                self._rows().create(cache_key=name, **self._stored(value, timeout))
        except IntegrityError:
            return False
        return True

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return a value that has not expired."""
        name = self.make_and_validate_key(key, version=version)
        found = self._rows().filter(pk=name, expires__gt=timezone.now()).first()
        return json.loads(found.value) if found else default

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value in place of another."""
        name = self.make_and_validate_key(key, version=version)
        self._rows().update_or_create(cache_key=name, defaults=self._stored(value, timeout))

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget a value; return whether there was one."""
        name = self.make_and_validate_key(key, version=version)
        return bool(self._rows().filter(pk=name).delete()[0])

    def clear(self) -> None:
        """Forget everything."""
        self._rows().all().delete()

    def _stored(self, value: Any, timeout: Any) -> dict[str, Any]:
        seconds: Any = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        expires = timezone.now() + dt.timedelta(seconds=seconds)
        return {"value": json.dumps(value), "expires": expires}

    def _rows(self) -> Any:
        return apps.get_model("site", "Counted")._default_manager
