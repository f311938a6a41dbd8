"""What the paper and the datasheet say of a campaign's preregistration and stopping rule."""

from analysis.preregistration.service import checked, report_title, versions_of
from annotation.designs.stopping import rule_of
from annotation.models import Campaign
from corpus.models import System
from corpus.vocabulary.publication_details import STATED

_WHEN = {
    True: ", before the first rating",
    False: ", after the first rating",
    None: "; its ratings were imported, so that it is not known which came first",
}


def registration_sentence(campaign: Campaign) -> str:
    """Return a sentence on the preregistration; empty where there is none."""
    last = versions_of(campaign).last()
    if last is None:
        return ""
    found, content = checked(last, campaign), last.content
    primary = report_title(content["primary"]["kind"]).lower()
    facts = f"version {last.version}, SHA-256 {last.sha256}"
    text = (
        f"Question, design, primary analysis (the report on {primary}) and stopping rule were "
        f"registered on {content['registered_at'][:10]}"
    )
    if last.is_imported:
        text += f" ({STATED}; {facts})."
    else:
        text += f"{_WHEN[found.is_before_ratings]} ({facts})."
    if found.deviations:
        text += f" The design deviates from it: {'; '.join(found.deviations)}."
    return text


def stopping_sentence(campaign: Campaign) -> str:
    """Return a sentence on the stopping rule; empty where there is none."""
    rule = rule_of(campaign.selection)
    if rule is None:
        return ""
    names = dict(System.objects.filter(study=campaign.study).values_list("pk", "name"))
    text = (
        "A stopping rule was stated beforehand: ratings are enough when "
        f"{rule.in_words(names)}, by {rule.method.replace('-', ' ')} confidence sequences that "
        "hold at every look with 95 % probability over all comparisons (Bonferroni); segments "
        "came in random order"
    )
    text += ", and only systems that were not settled got more ratings." if rule.adaptive else "."
    met = campaign.stopping.get("met")
    if met:
        return f"{text} It was met after {met['segments']} segments."
    return f"{text} It has not been met."
