"""What was found once, and what held then: which attack or test shows each of them now."""

FINDINGS = {
    "R1": ("files of the server by a metric's parameter", "server_files"),
    "R2": ("a changed byte that ends the reader", "hostile_files"),
    "R3": ("a small file that fills the disk", "hostile_files"),
    "R4": ("a file that takes the memory", "hostile_files"),
    "R5": ("a pattern on which the matcher never ends", "patterns"),
    "R6": ("slow clients that stop the site", "slow_clients"),
    "R7": ("large bodies of anybody", "large_bodies"),
    "R8": ("a cut connection that fails a job", "by_tests"),
    "R9": ("a job that one worker does alone", "by_tests"),
    "R10": ("scores that depend on the clock", "by_tests"),
    "R11": ("databases that do not migrate", "earlier_databases"),
    "R12": ("two owners who overwrite each other", "two_owners"),
    "R13": ("links and sessions that outlive their end", "ended_access"),
    "R14": ("raw errors and paths in messages", "raw_errors"),
    "R15": ("one person who fills the queue", "full_queue"),
    "R16": ("digits lost on the way to a job", "digits"),
    "R17": ("a full disk or damaged database in Python's words", "storage"),
    "R18": ("results and files that are never removed", "left_over"),
    "R19": ("two starts at once on an empty database", "by_tests"),
    "R20": ("one address that takes all places", "guessing"),
    "R21": ("guessing, and locking others out", "guessing"),
    "R22": ("secrets that others can read or guess", "local_accounts"),
    "R23": ("data that cannot be deleted", "left_behind"),
    "R24": ("a minute until a killed worker's job goes on", "by_tests"),
    "R25": ("deadlocks of a shared queue", "ended_leases"),
}
"""Each finding and the attack that replays it."""

_EXPORTS = "tests/corpus/exports/test_export_bundle.py::"
_RATING = "tests/annotation/rating/test_rating_pages.py::"
HELD = (
    ("answers under a server that is killed, on SQLite and PostgreSQL", "killed_server"),
    ("two servers on one PostgreSQL", "killed_server"),
    ("scores under killed workers, a restarted Redis and cut connections", "by_tests"),
    ("a campaign's start, killed amid",
     "tests/annotation/campaigns/test_campaign_start.py::"
     "test_a_job_whose_worker_was_killed_is_finished_by_the_next"),
    ("an import, killed amid",
     "tests/corpus/imports/test_import_killed_worker.py::"
     "test_an_import_whose_worker_is_killed_is_finished_by_the_next_as_if_nothing_had_been"),
    ("a backup while people rate",
     "tests/config/backup/test_backup_and_restore.py::"
     "test_what_was_rated_before_a_backup_is_in_it_and_what_it_holds_is_whole"),
    ("rating beside a large import", "beside_raters"),
    ("a server told to stop",
     "tests/config/server/test_serve.py::test_told_to_stop_it_takes_server_and_worker_with_it"),
    ("importing changed files", "mutated_imports"),
    ("archives, workbooks and markup that grow", "packed_files"),
    ("changed and absent members of a study archive",
     f"{_EXPORTS}test_members_that_changed_or_are_absent_are_named"),
    ("a study archive of another format",
     f"{_EXPORTS}test_a_bundle_of_a_later_format_is_refused"),
    ("a manifest that leads out of its folder",
     f"{_EXPORTS}test_a_manifest_cannot_name_files_outside_the_folder"),
    ("the API, asked by five roles", "api_fuzz"),
    ("every address for every role", "roles_and_routes"),
    ("scripts in texts", "scripts_in_texts"),
    ("forms of other sites, redirects, host names, paths", "forged_requests"),
    ("requests of the server to other addresses",
     "tests/metrics/scorers/test_scorer_judge.py::test_a_redirect_is_not_followed"),
    ("formulas in exported cells",
     f"{_EXPORTS}test_for_spreadsheets_formulas_are_harmless_and_numbers_stay_numbers"),
    ("a link that signs in once",
     "tests/config/sign_in/test_sign_in.py::test_a_used_link_says_so_and_signs_nobody_in"),
    ("revoked annotators and stored tokens", "ended_access"),
    ("an answer that is sent twice",
     f"{_RATING}test_a_double_click_a_retry_and_two_tabs_give_one_submission"),
    ("two devices",
     f"{_RATING}test_a_draft_is_resumed_on_another_device_and_conflicts_are_shown"),
    ("a campaign that pauses or closes under annotators",
     "tests/annotation/queue/test_shared_queue.py::"
     "test_closing_gives_back_what_is_on_screens_and_late_answers_still_count"),
    ("a worker whose clock is slow",
     "tests/corpus/jobs/test_job_claims.py::"
     "test_a_worker_whose_clock_is_an_hour_slow_does_no_job_twice"),
    ("headers of a production site",
     "tests/config/checks/test_settings.py::"
     "test_production_settings_pass_djangos_own_deployment_check"),
)  # fmt: skip
"""What the first attack found in order, with the attack or test that shows it still is."""
