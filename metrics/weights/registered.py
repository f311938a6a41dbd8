"""Names that the administrator gives to models and word vectors of this machine.

Whoever asks for a metric chooses a name: a path of the server never comes from a request, for
what a metric says of a file would tell what is in it.
"""

import os
import re
from dataclasses import dataclass

_NAME = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)?", re.ASCII)
INSTALLED = frozenset({"glove", "minilm", "smollm2"})
"""Names of the weights that packages bring; no list may give them to something else."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A list of names and places, from the environment.

    Parameters
    ----------
    variable
        The environment variable: entries ``name=place``, separated by commas.
    takes_hub_names
        Whether a place may be the name of a model in the hub instead of an absolute path; then
        an entry without ``=`` is a name in the hub that is also the name here.

    Examples
    --------
    >>> os.environ["SOME_MODELS"] = "gpt2=/srv/gpt2, owner/model"
    >>> Registered("SOME_MODELS").places()
    {'gpt2': '/srv/gpt2', 'owner/model': 'owner/model'}
    """

    variable: str
    takes_hub_names: bool = True

    def places(self) -> dict[str, str]:
        """Return names to places, in the order of the list.

        Raises
        ------
        ValueError
            If the list makes no sense; the message says what was expected.
        """
        found: dict[str, str] = {}
        entries = os.environ.get(self.variable, "").split(",")
        for entry in filter(None, map(str.strip, entries)):
            name, equals, place = map(str.strip, entry.partition("="))
            place = place if equals else name
            is_hub_name = self.takes_hub_names and _NAME.fullmatch(place)
            if not _NAME.fullmatch(name) or not (place.startswith("/") or is_hub_name):
                also = " or NAME=OWNER/MODEL of the hub" if self.takes_hub_names else ""
                raise ValueError(
                    f"{self.variable}: found {entry!r}, expected NAME=/ABSOLUTE/PATH{also}, "
                    "separated by commas"
                )
            if name in found or name in INSTALLED:
                raise ValueError(f"{self.variable}: the name {name!r} is given already")
            found[name] = place
        return found

    def names(self) -> tuple[str, ...]:
        """Return the names, in the order of the list."""
        return tuple(self.places())

    def place(self, name: str) -> str | None:
        """Return where something lies; None if it is not on the list."""
        return self.places().get(name)


MODELS = Registered("TOUCHSTONE_MODELS")
WORD_VECTORS = Registered("TOUCHSTONE_WORD_VECTORS", takes_hub_names=False)
WRITER_COMMANDS = Registered("TOUCHSTONE_WRITER_COMMANDS", takes_hub_names=False)
"""Programs that write outputs, each with its arguments."""
LISTS = (MODELS, WORD_VECTORS, WRITER_COMMANDS)
