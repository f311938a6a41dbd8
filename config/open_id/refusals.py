"""Why somebody is not signed in."""


class Refused(Exception):
    """A sign-in by the provider that did not succeed; the message says why."""

    def __init__(self, message: str, *, status: int = 403, name: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.name = name
