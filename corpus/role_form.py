"""What names that suggest people are: asked on the mapping page, one choice a name."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpus.imports.system_roles import HUMAN, ROLES


class RolesForm:
    """A choice for each name.

    Parameters
    ----------
    names
        The names that are asked about.
    known
        What was answered at an earlier attempt.
    data
        What was sent: ``role-name-0`` and ``role-0``, and so on; None if nothing was.
    """

    def __init__(
        self, names: Sequence[str], known: Mapping[str, str], data: Mapping[str, Any] | None
    ) -> None:
        self.names = names
        self.kept = known
        self.sent: dict[str, str] = {}
        for key, name in data.items() if data is not None else ():
            if key.startswith("role-name-"):
                role = data.get(f"role-{key.removeprefix('role-name-')}") if data else None
                self.sent[str(name)] = role if role in ROLES else HUMAN

    @property
    def roles(self) -> dict[str, str]:
        """What each name is, as far as anybody was asked."""
        asked = {name: self.sent.get(name, self.kept.get(name, HUMAN)) for name in self.names}
        return {**self.kept, **asked}

    def rows(self) -> list[dict[str, Any]]:
        """Return each name with the choices."""
        roles = self.roles
        return [
            {
                "name": name,
                "choices": [(role, words, role == roles[name]) for role, words in ROLES.items()],
            }
            for name in self.names
        ]
