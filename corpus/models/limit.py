"""How often somebody did what is bounded."""

from django.db import models


class RateLimit(models.Model):
    """What counts against one limit of one person, name or address, known by a hash of it."""

    key = models.CharField(max_length=64, unique=True)
    level = models.FloatField(default=0)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.level:g} at {self.at}"
