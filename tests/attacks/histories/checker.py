"""Whether a history and what is stored fit together; a list of what does not."""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.attacks.histories.operations import OK, REFUSED, Operation
from tests.attacks.histories.stored import Stored, Submission


class Violation(NamedTuple):
    """Which promise was broken, and how."""

    promise: str
    what: str


def check(
    operations: Sequence[Operation], stored: Stored, members: Collection[str]
) -> list[Violation]:
    """Return every violation that a history shows.

    Parameters
    ----------
    operations
    stored
        What the database holds after the last operation.
    members
        Clients who are members of their study, and see all of it; others are annotators, or
        strangers, who belong to none.
    """
    found = [
        *_submissions(operations, stored),
        *_once(stored),
        *_over_rated(stored),
        *_drafts(operations),
        *_visible(operations, stored, members),
        *_jobs(operations, stored),
    ]
    if stored.integrity != "ok":
        found.append(Violation("integrity", stored.integrity))
    return found


def _submissions(operations: Sequence[Operation], stored: Stored) -> Iterator[Violation]:
    """What was acknowledged is there as it was sent; what was refused is not; no more is there."""
    attempts: dict[str, list[Operation]] = defaultdict(list)
    for each in operations:
        if each.do == "submit":
            attempts[each.sent["uuid"]].append(each)
    there: dict[str, list[Submission]] = defaultdict(list)
    for one in stored.submissions:
        there[one.uuid].append(one)
    for uuid, tries in attempts.items():
        copies = there.get(uuid, [])
        outcomes = {each.outcome for each in tries}
        if OK in outcomes and not copies:
            yield Violation("lost", f"submission {uuid} was acknowledged and is not stored")
        if len(copies) > 1:
            yield Violation("doubled", f"submission {uuid} is stored {len(copies)} times")
        if outcomes == {REFUSED} and copies:
            yield Violation("refused", f"submission {uuid} was refused and is stored")
        sent = tries[0].sent
        for one in copies:
            asked = (
                sent["annotator"], sent["assignment"], sent["revision"], sent["comment"],
                tuple(sorted(sent["values"].items())),
            )  # fmt: skip
            holds = (one.annotator, one.assignment, one.revision, one.comment, one.values)
            if asked != holds:
                yield Violation("changed", f"submission {uuid}: {asked} was sent, {holds} stored")
    for uuid in there.keys() - attempts.keys():
        yield Violation("invented", f"submission {uuid} is stored and was never sent")


def _once(stored: Stored) -> Iterator[Violation]:
    """An annotator's revisions of an item are 1, 2, 3 … without a gap or a double."""
    revisions: dict[tuple[str, int], list[int]] = defaultdict(list)
    for one in stored.submissions:
        revisions[one.annotator, one.item].append(one.revision)
    for (annotator, item), numbers in revisions.items():
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            yield Violation("doubled", f"item {item} by {annotator} has revisions {numbers}")


def _over_rated(stored: Stored) -> Iterator[Violation]:
    """No item has more counted ratings than wanted, and its places are what is held or filled."""
    raters: dict[int, set[str]] = defaultdict(set)
    wanted: dict[int, int] = {}
    for one in stored.submissions:
        wanted[one.item] = one.wanted
        if not one.surplus:
            raters[one.item].add(one.annotator)
    for item, most in wanted.items():
        if len(raters[item]) > most:
            yield Violation("over-rated", f"item {item}: {len(raters[item])} ratings of {most}")
    for item, places in stored.items.items():
        held = len(raters[item]) + stored.open_at.get(item, 0)
        if places.leased and places.taken != held:
            yield Violation("places", f"item {item}: {places.taken} taken, {held} held or filled")
        if places.leased and places.taken > places.wanted:
            yield Violation("over-rated", f"item {item}: {places.taken} of {places.wanted} places")


def _drafts(operations: Sequence[Operation]) -> Iterator[Violation]:
    """Whoever looks sees no draft older than one that was seen or acknowledged before."""
    by_item: dict[str, list[Operation]] = defaultdict(list)
    for each in operations:
        if each.outcome == OK and each.do in {"draft", "submit", "look"}:
            # What a look found is in its answer; a submission leads to another item page.
            page = each.answer if each.do == "look" else each.sent
            if "assignment" in page:
                by_item[page["assignment"]].append(each)
    for assignment, of_item in by_item.items():
        known = _Known()
        ended = deque(sorted(of_item, key=lambda one: one.ended))
        looks = (one for one in of_item if one.do == "look")
        for look in sorted(looks, key=lambda one: one.began):
            # Only what had ended before a look began must be seen by it.
            while ended and ended[0].ended < look.began:
                known.learn(ended.popleft())
            for what in known.broken_by(look):
                yield Violation("draft", f"item page {assignment} {what} at {look.began} s")


@dataclass
class _Known:
    """What is certain of one item page at some time: its revision, drafts, and pages answered."""

    answered: int = 0
    newest: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    pages: set[str] = field(default_factory=set)

    def learn(self, one: Operation) -> None:
        if one.do == "submit":
            self.answered = max(self.answered, one.sent["revision"])
            self.pages.add(one.sent["uuid"])
            return
        revision = (one.sent if one.do == "draft" else one.answer)["revision"]
        self.newest[revision] = max(self.newest[revision], one.answer["version"])

    def broken_by(self, look: Operation) -> Iterator[str]:
        revision, version = look.answer["revision"], look.answer["version"]
        if revision <= self.answered:
            yield f"shows revision {revision} after {self.answered} was acknowledged"
        elif version < self.newest[revision]:
            yield f"went back from draft {self.newest[revision]} to {version}"
        if look.answer["draft_of"] in self.pages:
            yield "shows a draft that is older than its acknowledged answer"


def _visible(
    operations: Sequence[Operation], stored: Stored, members: Collection[str]
) -> Iterator[Violation]:
    """Nobody sees what is not theirs, and the last reading shows what was acknowledged."""
    for each in operations:
        for mark in each.seen:
            if not _may_see(mark, each, is_member=each.client in members):
                yield Violation("leak", f"{each.client} saw {mark} ({each.do}, {each.sent})")
        if each.do == "trespass" and each.outcome == OK:
            yield Violation("leak", f"{each.client} was let in: {each.sent}")
        shown = [each.answer["assignment"]] if "assignment" in each.answer else []
        for assignment in [*shown, *each.answer.get("listed", [])]:
            if stored.owner_of.get(assignment) != each.answer["annotator"]:
                yield Violation("leak", f"{each.client} was shown assignment {assignment}")
    last = [each for each in operations if each.do == "read everything"]
    if last:
        unread = _counted_comments(stored)
        unread -= {mark for each in last for mark in each.answer.get("comments", [])}
        for each in operations:
            if each.do == "submit" and each.outcome == OK and each.sent["comment"] in unread:
                yield Violation("unread", f"{each.sent['comment']} is not in the owner's reading")


def _may_see(mark: str, each: Operation, *, is_member: bool) -> bool:
    """Return whether a mark is the client's own, or a member's of its study, drafts excepted."""
    kind, study, client, _ = mark.split("-")
    if study != each.study:
        return False
    return kind != "draft" if is_member else client == each.client


def _counted_comments(stored: Stored) -> set[str]:
    """Return the comments of answers that count: of the latest revision, and not extra."""
    latest: Counter[tuple[int, str]] = Counter()
    for one in stored.submissions:
        latest[one.item, one.annotator] = max(latest[one.item, one.annotator], one.revision)
    return {
        one.comment
        for one in stored.submissions
        if not one.surplus and one.revision == latest[one.item, one.annotator]
    }


def _jobs(operations: Sequence[Operation], stored: Stored) -> Iterator[Violation]:
    """A job that was accepted is done, or says that the disk was full."""
    for each in operations:
        if each.do == "export" and each.outcome == OK:
            state, error = stored.jobs.get(each.answer["job"], ("lost", ""))
            if state != "done" and not (state == "failed" and "no room" in error):
                yield Violation("job", f"job {each.answer['job']} is {state}: {error}")
