"""How somebody may leave, and what each is called at Prolific."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How somebody left."""

    FINISHED = "finished"
    SCREENED_OUT = "screened_out"
    FAILED_CHECKS = "failed_checks"
    NO_CONSENT = "no_consent"
    STOPPED = "stopped"
    NOTHING_LEFT = "nothing_left"
    PAUSED = "paused"


@dataclass(frozen=True)
class Described:
    """An outcome in words.

    Parameters
    ----------
    title
    when
        Who leaves like this.
    label
        Which label to choose for the code in Prolific's study form.
    action
        Which action to choose there, and why.
    """

    title: str
    when: str
    label: str
    action: str


DESCRIBED = {
    Outcome.FINISHED: Described(
        "Finished",
        "Somebody rated everything there was for them.",
        "Completed",
        "“Approve automatically”, or “Manually review” if you look at the answers first.",
    ),
    Outcome.SCREENED_OUT: Described(
        "Screened out in practice",
        "Answers to the practice items were too different from what was expected.",
        "Screened out",
        "A fixed screen-out payment for the minutes that practice takes. Prolific allows one code "
        "with this action.",
    ),
    Outcome.FAILED_CHECKS: Described(
        "Failed checks",
        "Somebody finished and did not pass a test of the control items.",
        "Failed attention check",
        "“Manually review”: Prolific lets you reject only for checks that follow its policy.",
    ),
    Outcome.NO_CONSENT: Described(
        "No consent",
        "Somebody read the consent and did not agree.",
        "No consent",
        "“Request return”: the slot goes to somebody else.",
    ),
    Outcome.STOPPED: Described(
        "Stopped early",
        "Somebody chose to leave before the end.",
        "Other",
        "“Manually review”, to pay for the part that was done, or “Request return”.",
    ),
    Outcome.NOTHING_LEFT: Described(
        "Nothing left",
        "All slots or all texts were taken when somebody came.",
        "Other",
        "“Request return”; if it happens often, the study at Prolific has more places than "
        "there are slots here.",
    ),
    Outcome.PAUSED: Described(
        "Paused or closed",
        "The campaign was paused or closed before somebody was done.",
        "Other",
        "“Manually review”, to pay for the part that was done. Pause the study there first.",
    ),
}
"""Every outcome, in the order in which they are listed."""
