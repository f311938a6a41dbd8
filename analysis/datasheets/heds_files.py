"""A campaign's datasheet as JSON: by number of question, and as the form of HEDS 3.0 takes it."""

from typing import Any

from analysis.datasheets import heds
from analysis.datasheets.campaign_facts import BLANK, facts_of
from annotation.models import Campaign

_PERSON = "heds-paper_and_resources-names_and_affiliations"
_SAMPLE = "heds-sample_evaluators_design-sample"
_WHO = "heds-sample_evaluators_design-evaluators"
_DESIGN = "heds-sample_evaluators_design-experimental_design"
_CRITERION = "heds-criteria-criterion"
_ELICITED = f"{_CRITERION}-response_elicitation"
FIELDS = {
    "1.1.2": "heds-paper_and_resources-paper-experiment_identification",
    "1.3.1.1": f"{_PERSON}-person_completing_this_sheet-name",
    "1.3.1.2": f"{_PERSON}-person_completing_this_sheet-affiliation",
    "1.3.1.3": f"{_PERSON}-person_completing_this_sheet-email",
    "1.3.2.1": f"{_PERSON}-contact_author-name",
    "1.3.2.2": f"{_PERSON}-contact_author-affiliation",
    "1.3.2.3": f"{_PERSON}-contact_author-email",
    "3.1.1": f"{_SAMPLE}-number_of_system_outputs",
    "3.1.3.1": f"{_SAMPLE}-statistical_power-method",
    "3.1.3.2": f"{_SAMPLE}-statistical_power-value",
    "3.1.3.3": f"{_SAMPLE}-statistical_power-script",
    "3.2.1": f"{_WHO}-number_of_evaluators",
    "3.2.3": f"{_WHO}-recruitment_method",
    "3.2.4": f"{_WHO}-training_practice",
    "3.2.5": f"{_WHO}-characteristics",
    "3.3.2": f"{_DESIGN}-collection_method",
    "3.3.3.2": f"{_DESIGN}-quality_assurance-description",
    "3.3.4.1": f"{_DESIGN}-what_evaluators_see-link",
    "3.3.4.2": f"{_DESIGN}-what_evaluators_see-description",
    "3.3.8": f"{_DESIGN}-evaluators_place_of_choosing",
    "4.3.1.1": f"{_ELICITED}-qc_name-participant_criterion_name",
    "4.3.1.2": f"{_ELICITED}-qc_name-mapped_criterion_name",
    # Spelt as in the form.
    "4.3.2": f"{_ELICITED}-participant_criterion_definiiton",
    "4.3.3": f"{_ELICITED}-size_of_scale",
    "4.3.4": f"{_ELICITED}-list_or_range",
    "4.3.9": f"{_ELICITED}-response_aggregation",
    "4.3.10": f"{_ELICITED}-effect_size_method",
    "4.3.11.1": f"{_ELICITED}-inter_annotator-agreement",
    "4.3.11.2": f"{_ELICITED}-inter_annotator-agreement_score",
    "4.3.12.1": f"{_ELICITED}-intra_annotator-intra_annotator_agreement",
    "4.3.12.2": f"{_ELICITED}-intra_annotator-intra_annotator_agreement_score",
    "5.1": "heds-ethics-review_body",
    "5.4": "heds-ethics-impact_assessments",
}
"""The fields of the form that take words; choices are left to who completes it."""


def datasheet_json(campaign: Campaign) -> dict[str, Any]:
    """Return each answer by the number of its question, with what is still to be said.

    Questions of section 4 are asked of each quality criterion.
    """
    answers: dict[str, Any] = {}
    criteria: dict[str, dict[str, Any]] = {}
    for heading, given in heds.sections(campaign, facts_of(campaign)):
        place = answers
        if heading.startswith("4 "):
            place = criteria.setdefault(heading.partition(": ")[2], {})
        for number, asked, answer in given:
            place[number] = {
                "asked": asked,
                "answer": answer.replace(BLANK, "").strip(),
                "complete": BLANK not in answer,
            }
    return {
        "heds": "3.0",
        "study": campaign.study.slug,
        "campaign": campaign.slug,
        "simulated": campaign.study.simulated,
        "answers": answers,
        "criteria": criteria,
    }


def datasheet_form(sheet: dict[str, Any]) -> dict[str, Any]:
    """Return the file that the form at nlp-heds.github.io opens (*upload json*).

    Parameters
    ----------
    sheet
        What `datasheet_json` returns.
    """
    form: dict[str, Any] = {}
    for number, entry in sheet["answers"].items():
        if number in FIELDS and entry["answer"]:
            form[FIELDS[number]] = {"data": {"": entry["answer"]}, "control": {}, "number": number}
    criteria = sheet["criteria"]
    chosen = {name: place == 0 for place, name in enumerate(criteria)}
    form[_CRITERION] = {"data": {}, "control": chosen, "text": {}}
    for number, field in FIELDS.items():
        said = {
            name: entries[number]["answer"]
            for name, entries in criteria.items()
            if number in entries and entries[number]["answer"]
        }
        if said:
            form[field] = {"data": said, "control": {}, "number": number}
    return form
