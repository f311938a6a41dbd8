"""`manage.py choose_segments STUDY N`: segments to rate, and a campaign that rates them."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.choosing.candidates import ChoiceError
from analysis.choosing.service import SegmentsAsked, choose
from analysis.data.narrowing import asked_data
from analysis.filter.question import Question, QuestionError
from analysis.management.arguments import user_named
from analysis.stats.saving.segment_sample import ALLOCATIONS, WAYS
from annotation.campaigns.service import CampaignError, prepare
from annotation.protocols.catalogue import LIVE, PRESETS
from corpus.access.log import Action, log_access
from corpus.management.arguments import study_named


class Command(BaseCommand):
    """Choose segments and print them as JSON; with --follows, prepare a campaign."""

    help = "Choose the segments of a study that say most about differences of systems."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("study")
        parser.add_argument("segments", type=int, help="how many")
        parser.add_argument(
            "--by",
            default="together",
            help="together (default), diversity, ratings, metrics, or the name of a metric",
        )
        parser.add_argument("--way", choices=WAYS, default="probability")
        parser.add_argument(
            "--within", action="append", default=[], help="direction or an attribute; may repeat"
        )
        parser.add_argument("--allocation", choices=ALLOCATIONS, default="proportional")
        parser.add_argument("--unrated", action="store_true", help="only segments nobody rated")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--aspect", default="")
        parser.add_argument(
            "--follows", help="prepare a campaign: protocol:KEY or preset:KEY", default=""
        )
        parser.add_argument("--title", default="Chosen segments")
        parser.add_argument("--slug", default="chosen-segments")
        parser.add_argument("--user", help="who prepares the campaign: a user's name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose, prepare if asked for, and print."""
        study = study_named(options["study"])
        asked = SegmentsAsked(
            by=options["by"],
            count=options["segments"],
            way=options["way"],
            allocation=options["allocation"],
            strata=tuple(options["within"]),
            unrated=options["unrated"],
            seed=options["seed"],
        )
        try:
            question = Question(aspect=options["aspect"])
            found = choose(asked_data(study, question), question, asked).segments
            made = []
            if options["follows"]:
                if not options["user"]:
                    raise CommandError("--user: name the user who prepares the campaign")
                follows, user = _followed(options["follows"]), user_named(options["user"])
                named = (options["title"], options["slug"])
                made = prepare(study, follows, *named, user, segments=found)
        except (QuestionError, ChoiceError, CampaignError) as error:
            raise CommandError(str(error)) from None
        log_access(Action.EXPORTED, "chosen segments by command", study=study)
        content = {
            "words": found.words,
            "campaigns": [campaign.slug for campaign in made],
            **found.to_config(),
        }
        self.stdout.write(json.dumps(content, ensure_ascii=False, indent=2))


def _followed(asked: str) -> str:
    known = [*(f"protocol:{key}" for key in LIVE), *(f"preset:{key}" for key in PRESETS)]
    if asked not in known:
        raise CommandError(f"--follows {asked}: expected one of {', '.join(known)}")
    return asked
