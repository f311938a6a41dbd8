"""Pure statistics of human evaluation and metric correlation: arrays in, typed results out.

What is meant for notebooks is here under one name, imported when it is first used:
``from analysis.stats import tau_like``.
"""

from importlib import import_module
from typing import Any

_OFFERED = {
    "results": "Estimate Interval Undefined",
    "resampling.bootstrap": "Bootstrap",
    "resampling.permutation": "Permutation benjamini_hochberg holm",
    # How far raters agree.
    "agreement.kappas": "cohen_kappa fleiss_kappa gwet_ac",
    "agreement.krippendorff_alpha": "krippendorff_alpha",
    "agreement.intraclass": "intraclass_correlation",
    "agreement.rater_pairs": "pearson_double_entry pearson_file_order percent_agreement",
    "agreement.choice_agreement": "choice_agreement",
    "agreement.circular_triads": "coefficient_of_consistence share_of_circular_triads",
    "agreement.naturalness": "position_bias",
    "agreement.reliability": "segment_reliability split_halves system_reliability",
    "agreement.noise_ceiling": "corrected_correlation pearson_ceiling",
    "agreement.rater_quality": "compared_with_others",
    # Which metric correlates with human scores.
    "correlation.pearson": "correlate",
    "correlation.metric_correlation": "segment_level system_level",
    "correlation.tau_like": "bootstrap_tau_like tau_like",
    "correlation.correlation_bootstrap": "bootstrap_correlation",
    "correlation.annotator_bootstrap": "bootstrap_over_annotators tau_like_over_annotators",
    "correlation.system_accuracy": "pairwise_system_accuracy soft_pairwise_accuracy",
    "correlation.tie_calibration": "accuracy_with_calibrated_ties",
    "correlation.top_n": "top_and_last_systems",
    "correlation.calibration": "binned_calibration",
    "correlation.orientation": "StyleScale orient style_scores",
    # Which of two metrics tracks them better.
    "comparison.paired_bootstrap": "bootstrap_differences system_level_williams williams_test",
    "comparison.metric_permutation": "segment_level_permutations system_level_permutations",
    # Which system is better.
    "comparison.mixed_effects": "mixed_effects",
    "comparison.cumulative_link": "cumulative_link_effects",
    "systems.all_pairs": "compare_all_pairs",
    "systems.bradley_terry": "fit_strengths",
    "systems.human_scores": "mean_per_output rank_scores z_scores",
    "systems.rank_ranges": "rank_intervals rank_ranges rank_systems significantly_better",
    "systems.paired_tests": "paired_mean_difference sign_flip_test wilcoxon_signed_rank",
    # How many segments and raters a study needs.
    "planning.study_planner": (
        "segments_for_correlation segments_for_metric_difference "
        "segments_for_system_difference segments_for_system_mean"
    ),
    "planning.variance_components": "variance_components",
}
_MODULE_OF = {name: module for module, names in _OFFERED.items() for name in names.split()}
__all__ = sorted(_MODULE_OF)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """Import what is offered when somebody asks for it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    """Name what is offered, for completion."""
    return __all__
