"""Rows that are made before a serializer sees them: it describes them for the schema."""

from typing import Any

from rest_framework import serializers


class MadeRowSerializer(serializers.Serializer[Any]):
    """Describes a row of plain values, and gives it as it is."""

    def to_representation(self, instance: Any) -> Any:
        """Return the row."""
        return instance
