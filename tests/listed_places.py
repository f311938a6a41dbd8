"""Names of models and word vectors, as the administrator's lists give them."""

import os
from pathlib import Path

MODELS, VECTORS = "TOUCHSTONE_MODELS", "TOUCHSTONE_WORD_VECTORS"
REWRITERS = "TOUCHSTONE_REWRITE_MODELS"
LISTS = (MODELS, VECTORS, REWRITERS)


def listed(place: Path | str, name: str = "", variable: str = MODELS) -> str:
    """Put a place on a list, until the end of the test, and return its name."""
    entries = [entry for entry in os.environ.get(variable, "").split(",") if entry]
    known = {place: name for name, _, place in (entry.partition("=") for entry in entries)}
    name = name or known.get(str(place)) or f"listed-{len(entries)}"
    if known.get(str(place)) != name:
        os.environ[variable] = ",".join([*entries, f"{name}={place}"])
    return name
