"""Ready text for the page of a study at the panel."""

from dataclasses import dataclass

from django.utils.translation import get_language_info

from annotation.models import Panel
from annotation.panels.outcomes import DESCRIBED, Described
from annotation.panels.payment import usual_screens


@dataclass(frozen=True)
class Coded:
    """An outcome with its code and what to choose for it at the panel."""

    described: Described
    code: str


@dataclass(frozen=True)
class StudyText:
    """What to write at the panel, part by part."""

    title: str
    description: str
    codes: list[Coded]


def study_text(panel: Panel) -> StudyText:
    """Return title, description and codes for the page of a study."""
    return StudyText(
        panel.place.title or "Read texts and say what you think of them",
        "\n\n".join(filter(None, _paragraphs(panel))),
        [
            Coded(described, panel.endings.get(outcome, ""))
            for outcome, described in DESCRIBED.items()
        ],
    )


def _paragraphs(panel: Panel) -> list[str]:
    campaigns, screens = panel.campaigns, usual_screens(panel)
    language = _language(panel.study.language)
    read = f"You will read short texts{language} and answer questions about them in your browser."
    much = f"There are about {screens} pages of texts. " if screens else ""
    time = f"It takes about {_minutes(panel.minutes)}." if panel.minutes else ""
    practice = any(campaign.selection.get("practice") for campaign in campaigns)
    screened = any(campaign.selection.get("qualification") for campaign in campaigns)
    warning = next((each.content_warning for each in campaigns if each.content_warning), "")
    return [
        read,
        (much + time).strip(),
        "It begins with guidelines"
        + (" and practice with feedback" if practice else "")
        + ". Everything is saved as you go."
        + (
            " If your practice answers are very different from what we look for, it ends there "
            "and you are paid for that time."
            if screened
            else ""
        ),
        f"Please note: {warning}" if warning else "",
    ]


def _minutes(count: int) -> str:
    return f"{count} minute{'s'[: count != 1]}"


def _language(code: str) -> str:
    try:
        return f" in {get_language_info(code)['name']}"
    except KeyError:
        return ""
