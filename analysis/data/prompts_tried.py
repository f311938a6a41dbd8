"""How many prompts a judge was asked with: the best of several looks better than it is."""

from collections.abc import Mapping, Sequence

from analysis.data.study_data import RunView


def prompts_tried(runs: Sequence[RunView]) -> Mapping[str, int]:
    """Return by signature, for each run of a judge, how many prompts were tried in the study.

    Prompts count together that were put to one model about one aspect.
    """
    asked = {
        run.signature: ((run.aspect, str(given.get("model"))), str(given["prompt"]))
        for run in runs
        if "prompt" in (given := run.request.get("parameters") or {})
    }
    prompts: dict[tuple[str, str], set[str]] = {}
    for who, prompt in asked.values():
        prompts.setdefault(who, set()).add(prompt)
    return {signature: len(prompts[who]) for signature, (who, _) in asked.items()}
