"""Which page of the help explains which page of the site: the one list."""

from analysis.reports.catalogue import KINDS

_FORGOTTEN = "deployment.md#forgotten-passwords"
_SECOND_FACTOR = "deployment.md#second-factor"
_PASSKEYS = "deployment.md#passkeys"
_CAMPAIGNS = "campaigns.md"
_INVITING = f"{_CAMPAIGNS}#inviting"
_WATCHING = f"{_CAMPAIGNS}#while-it-runs"
_CROWDS = "crowds.md"
_SETS = f"{_CAMPAIGNS}#sets-campaigns-that-belong-together"
_PREPARING = f"{_CAMPAIGNS}#what-is-decided-in-the-form"
_IMPORT = "study-pages.md#upload-look-import"
_PUBLISHING = "publishing.md"
_STYLES = "style-resources.md"
_REPORTS = "reports.md"

TOPICS = {
    "home": "study-pages.md",
    "search": "study-pages.md#search",
    "account_login": "deployment.md#accounts-and-sessions",
    "account_reset_password": _FORGOTTEN,
    "account_reset_password_done": _FORGOTTEN,
    "account_reset_password_from_key": _FORGOTTEN,
    "account_email": _FORGOTTEN,
    "account_confirm_email": _FORGOTTEN,
    **dict.fromkeys(
        (
            "mfa_index",
            "mfa_authenticate",
            "mfa_activate_totp",
            "mfa_deactivate_totp",
            "mfa_view_recovery_codes",
            "mfa_generate_recovery_codes",
            "mfa_reauthenticate",
        ),
        _SECOND_FACTOR,
    ),
    "mfa_login_webauthn": _PASSKEYS,
    "mfa_add_webauthn": _PASSKEYS,
    "mfa_remove_webauthn": _PASSKEYS,
    "mfa_reauthenticate_webauthn": _PASSKEYS,
    "open-id": "deployment.md#signing-in-by-openid-connect",
    "open-id-back": "deployment.md#signing-in-by-openid-connect",
    "account": "deployment.md#accounts-and-sessions",
    "account_change_password": "deployment.md#accounts-and-sessions",
    "account_set_password": "deployment.md#accounts-and-sessions",
    "account_reauthenticate": "deployment.md#accounts-and-sessions",
    "usersessions_list": "deployment.md#accounts-and-sessions",
    "account-token": "api.md#who-asks",
    "privacy": "privacy.md",
    "administration": "administration.md",
    "administration-log": "administration.md#sign-ins-and-exports",
    "job-list": "scoring.md#stopping-and-going-on",
    "job": "scoring.md#stopping-and-going-on",
    "api-docs": "api.md",
    "try": "exploring.md#try-it",
    "distances": "exploring.md#references",
    "study-new": "importing.md",
    "study": "study-pages.md",
    "study-segments": "study-pages.md",
    "study-systems": "study-pages.md",
    "study-import": _IMPORT,
    "study-import-mapping": _IMPORT,
    "study-export": "study-pages.md#export",
    "study-members": "study-pages.md#members",
    "study-invite": "study-pages.md#members",
    "invitation": "study-pages.md#members",
    "study-data": "privacy.md#a-study",
    "study-scales": "importing.md#what-a-study-says-of-itself",
    "study-aspects": "importing.md#names-of-aspects",
    "study-map": f"{_REPORTS}#map-of-texts",
    "study-write": "writing.md",
    "study-metrics": "scoring.md",
    "study-score": "scoring.md",
    "study-judges": "judges.md",
    "study-baselines": "scoring.md#baselines",
    "study-run": "scoring.md#a-run",
    "study-sweeps": "exploring.md#sweeps",
    "study-sweep": "exploring.md#sweeps",
    "study-try": "exploring.md#try-it",
    "study-styles": _STYLES,
    "study-style-train": _STYLES,
    "study-style-model": f"{_STYLES}#how-good-they-are",
    "study-writer-train": f"{_STYLES}#fine-tuned-writers",
    "study-writer-model": f"{_STYLES}#fine-tuned-writers",
    "study-lexicon-train": f"{_STYLES}#lexicons",
    "study-lexicon": f"{_STYLES}#lexicons",
    "study-campaigns": _CAMPAIGNS,
    "study-annotators": f"{_CAMPAIGNS}#annotators-and-raters-of-a-study",
    "campaign-new": f"{_CAMPAIGNS}#from-idea-to-links",
    "campaign": _WATCHING,
    "campaign-edit": _PREPARING,
    "campaign-preview": f"{_CAMPAIGNS}#from-idea-to-links",
    "campaign-panel": _CROWDS,
    "campaign-set-panel": _CROWDS,
    **{
        f"{place}-panel-{page}": f"{_CROWDS}#{heading}"
        for place in ("campaign", "campaign-set")
        for page, heading in (("people", "people-and-pay"), ("text", "text-for-the-panel"))
    },
    "campaign-panel-statuses": f"{_CROWDS}#who-returns",
    "campaign-set-panel-statuses": f"{_CROWDS}#who-returns",
    "campaign-appendix": f"{_CAMPAIGNS}#for-the-appendix-of-a-paper",
    "campaign-try": f"{_CAMPAIGNS}#from-idea-to-links",
    "campaign-start": f"{_CAMPAIGNS}#from-idea-to-links",
    "campaign-masks": "masks.md#review-before-the-start",
    "campaign-practice": "masks.md#practice-before-rating",
    "campaign-delete": "privacy.md#a-campaign",
    "campaign-raters": "importing.md#who-rated",
    "campaign-annotators": _INVITING,
    "campaign-links": _INVITING,
    "campaign-new-link": _INVITING,
    "campaign-annotator": _WATCHING,
    "campaign-datasheet": _WATCHING,
    "campaign-preregistration": "preregistration.md",
    "campaign-set": _SETS,
    "campaign-set-edit": _SETS,
    "campaign-set-start": _SETS,
    "campaign-set-links": _SETS,
    "campaign-set-new-link": _SETS,
    "campaign-set-person": _SETS,
    "study-reports": _REPORTS,
    **{f"study-{kind}": f"{_REPORTS}#{kind}" for kind in KINDS},
    "study-rankings": f"{_REPORTS}#human-and-metric-rankings",
    "study-metric-means": f"{_REPORTS}#metric-scores-by-system",
    "study-saving": f"{_REPORTS}#saving-ratings",
    "study-rater-groups": f"{_REPORTS}#groups-of-raters",
    "study-choose-segments": "campaigns.md#a-campaign-from-chosen-segments",
    "study-disagreement": f"{_REPORTS}#disagreement",
    "study-references": "exploring.md#references",
    "study-frozen": "frozen-reports.md",
    "study-freeze": "frozen-reports.md",
    "study-frozen-report": "frozen-reports.md",
    "shared-report": "frozen-reports.md#sharing",
    "study-publish": f"{_PUBLISHING}#checks",
    "study-publish-details": f"{_PUBLISHING}#details",
    "study-publication": f"{_PUBLISHING}#what-the-folder-holds",
    "study-publication-page": f"{_PUBLISHING}#the-page",
    "published": f"{_PUBLISHING}#a-public-page",
    "collections": "collections.md",
    "collection-new": "collections.md#making-one",
    "collection": "collections.md#the-page",
    "collection-edit": "collections.md#making-one",
    "collection-delete": "collections.md#making-one",
}
"""Page and heading of the help, by the name of an address; each that shows a page has an entry."""


def topic_address(name: str | None) -> str:
    """Return where a page of the site is explained, from the first page of the help on.

    Parameters
    ----------
    name
        Name of its address; of one without an entry, the first page of the help explains it.
    """
    return TOPICS.get(name or "", "index.md").replace(".md", ".html")
