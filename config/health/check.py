"""What a check is, and what it finds."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from corpus.storage.faults import storage_fault

State = Literal["ok", "warning", "broken"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Attributes
    ----------
    words
        In a sentence. What `/readyz` shows names no path, address or secret.
    remedy
        What to do; empty where nothing is to be done.
    figures
        What was measured.
    error
        The message of the error that kept the check from an answer, for who runs the doctor: it
        may name hosts, users and files.
    """

    state: State
    words: str
    remedy: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is looked at.

    Attributes
    ----------
    name
        A word for it, by which monitors know it.
    looks_at
        What it looks at, as the page for administrators says.
    look
        Looks, and returns what it found.
    is_required
        Whether this machine takes no requests while it is broken.
    is_settled_once
        Whether what was found in order stays so while the process lives.
    """

    name: str
    looks_at: str
    look: Callable[[], Finding]
    is_required: bool = False
    is_settled_once: bool = False

    def ask(self) -> Finding:
        """Look; what keeps the check from an answer is what it finds."""
        try:
            return self.look()
        except Exception as error:
            if fault := storage_fault(error):
                return Finding("broken", fault.words, fault.remedy, error=str(error))
            words = f"The check failed: {type(error).__name__}."
            remedy = "See what the other checks say; start with the first."
            return Finding("broken", words, remedy, error=str(error))
