"""Addresses of the report pages and their files."""

from django.urls import path

from analysis.reports.catalogue import KINDS
from corpus.pages.later_views import LaterViews

aspects = LaterViews("analysis.views.aspects")
collections = LaterViews("analysis.views.collections")
choosing = LaterViews("analysis.views.choosing")
publishing = LaterViews("analysis.views.publishing")
disagreement = LaterViews("analysis.views.disagreement")
files = LaterViews("analysis.views.files")
findings = LaterViews("analysis.views.findings")
frozen = LaterViews("analysis.views.frozen")
judging = LaterViews("analysis.views.judging")
trained = LaterViews("analysis.views.trained")
monitor = LaterViews("analysis.views.monitor")
pages = LaterViews("analysis.views.pages")
preregistration = LaterViews("analysis.views.preregistration")
references = LaterViews("analysis.views.references")
sweep = LaterViews("analysis.views.sweep")
text_map = LaterViews("analysis.views.text_map")
waiting = LaterViews("analysis.views.waiting")

STUDY = "studies/<slug:slug>"
COLLECTION = "collections/<slug:slug>"
urlpatterns = [
    path("collections/", collections.collection_list, name="collections"),
    path("collections/new/", collections.new_collection, name="collection-new"),
    path(f"{COLLECTION}/", collections.collection_page, name="collection"),
    path(f"{COLLECTION}/edit/", collections.edit_collection, name="collection-edit"),
    path(f"{COLLECTION}/delete/", collections.remove_collection, name="collection-delete"),
    path(f"{COLLECTION}/scores/", collections.add_scores, name="collection-scores"),
    path(f"{COLLECTION}/run/", collections.add_run, name="collection-run"),
    path(
        f"{COLLECTION}/tables/<slug:name>.<str:file_format>",
        collections.table_file,
        name="collection-table",
    ),
    path(
        f"{COLLECTION}/charts/<slug:name>.<str:file_format>",
        collections.chart_file,
        name="collection-chart",
    ),
    path(f"{STUDY}/", findings.findings, name="study"),
    path(f"{STUDY}/findings/<slug:name>/", findings.card, name="study-findings-card"),
    path(
        f"{STUDY}/findings/<slug:name>/<slug:width>.svg",
        findings.card_picture,
        name="study-findings-picture",
    ),
    path(f"{STUDY}/reports/", findings.reports, name="study-reports"),
    path(f"{STUDY}/judges/", judging.judges, name="study-judges"),
    path(f"{STUDY}/aspects/", aspects.aspects, name="study-aspects"),
    path(
        f"{STUDY}/learned-metric/store/", trained.store_learned, name="study-learned-metric-store"
    ),
    *(
        path(f"{STUDY}/{kind}/", pages.page_of_kind, {"kind": kind}, name=f"study-{kind}")
        for kind in KINDS
    ),
    path(f"{STUDY}/saving/segments/", choosing.choose_segments, name="study-choose-segments"),
    path(f"{STUDY}/disagreement/", disagreement.disagreement, name="study-disagreement"),
    path("distances/", references.distances, name="distances"),
    path(f"{STUDY}/references/", references.references, name="study-references"),
    path(f"{STUDY}/sweep/", sweep.sweeps, name="study-sweeps"),
    path(f"{STUDY}/sweep/<number:pk>/", sweep.sweep, name="study-sweep"),
    path(
        f"{STUDY}/sweep/<number:pk>/<slug:name>.<str:file_format>",
        sweep.sweep_file,
        name="study-sweep-file",
    ),
    path(f"{STUDY}/map/", text_map.study_map, name="study-map"),
    path(f"{STUDY}/map/texts.<str:file_format>", text_map.map_file, name="study-map-file"),
    path(f"{STUDY}/styles/models/<number:pk>/", trained.style_model, name="study-style-model"),
    path(
        f"{STUDY}/styles/models/<number:pk>/calibration.<str:file_format>",
        trained.style_model_file,
        name="study-style-model-file",
    ),
    path(f"{STUDY}/try/", trained.try_in_study, name="study-try"),
    path(f"{STUDY}/frozen/", frozen.frozen_list, name="study-frozen"),
    path(f"{STUDY}/frozen/new/<slug:kind>/", frozen.freeze, name="study-freeze"),
    path(f"{STUDY}/frozen/<number:pk>/", frozen.frozen_report, name="study-frozen-report"),
    path(f"{STUDY}/frozen/<number:pk>/share/", frozen.share_frozen, name="study-frozen-share"),
    path(
        f"{STUDY}/frozen/<number:pk>/files/<str:file>", frozen.frozen_file, name="study-frozen-file"
    ),
    path(f"{STUDY}/publish/", publishing.publish_page, name="study-publish"),
    path(f"{STUDY}/publish/details/", publishing.details, name="study-publish-details"),
    path(f"{STUDY}/publications/<number:pk>/", publishing.publication, name="study-publication"),
    path(
        f"{STUDY}/publications/<number:pk>/zip/",
        publishing.publication_zip,
        name="study-publication-zip",
    ),
    path(
        f"{STUDY}/publications/<number:pk>/page/",
        publishing.publication_page,
        name="study-publication-page",
    ),
    path(
        f"{STUDY}/publications/<number:pk>/delete/",
        publishing.remove_publication,
        name="study-publication-delete",
    ),
    path("published/<str:address>/", publishing.published, name="published"),
    path("published/<str:address>/zip/", publishing.published_zip, name="published-zip"),
    path(
        "published/<str:address>/files/<path:file>",
        publishing.published_file,
        name="published-file",
    ),
    path("shared/<str:token>/", frozen.shared_report, name="shared-report"),
    path("shared/<str:token>/files/<str:file>", frozen.shared_file, name="shared-report-file"),
    path(
        f"{STUDY}/campaigns/<str:campaign>/datasheet/",
        publishing.campaign_datasheet,
        name="campaign-datasheet",
    ),
    *(
        path(
            f"{STUDY}/campaigns/<str:campaign>/{sheet}.md",
            publishing.sheet_file,
            {"sheet": sheet},
            name=f"campaign-{sheet}-file",
        )
        for sheet in ("datasheet", "ethics")
    ),
    path(
        f"{STUDY}/campaigns/<str:campaign>/preregistration/",
        preregistration.preregistration,
        name="campaign-preregistration",
    ),
    path(
        f"{STUDY}/campaigns/<str:campaign>/preregistration/<number:version>.<str:file_format>",
        preregistration.preregistration_file,
        name="preregistration-file",
    ),
    path(
        "preregistrations/<str:sha256>.<str:file_format>",
        preregistration.public_preregistration,
        name="public-preregistration",
    ),
    path(f"{STUDY}/campaigns/<str:campaign>/", monitor.monitor, name="campaign"),
    path(
        f"{STUDY}/campaigns/<str:campaign>/stopping/sequence.<str:file_format>",
        monitor.sequence_file,
        name="stopping-sequence",
    ),
    path(
        f"{STUDY}/<slug:kind>/tables/<slug:name>.<str:file_format>",
        files.table_file,
        name="report-table",
    ),
    path(
        f"{STUDY}/<slug:kind>/charts/<slug:name>.<str:file_format>",
        files.chart_file,
        name="report-chart",
    ),
    path(f"{STUDY}/reports/<number:pk>/again/", files.try_again, name="report-again"),
    path(f"{STUDY}/reports/<number:pk>/waiting/", waiting.report_waiting, name="report-waiting"),
]
