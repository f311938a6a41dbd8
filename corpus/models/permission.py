"""What the triggers of append-only tables look for before they let something go."""

from django.db import models


class Permission(models.Model):
    """That this transaction may delete rows, or take words out of them; never committed.

    The row is made and removed in one transaction, so that no other one ever sees it.
    """

    what = models.CharField(max_length=10)

    class Meta:
        db_table = "corpus_permission"
        default_permissions = ()

    def __str__(self) -> str:
        return self.what
