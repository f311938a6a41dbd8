"""The checker of histories finds each promise that is broken."""

import pytest

from tests.attacks.histories.checker import check
from tests.attacks.histories.operations import OK, REFUSED, UNKNOWN, Operation, marks_in
from tests.attacks.histories.stored import Item, Stored, Submission

VALUES = {"style": 50.0, "content": 60.0}
ANSWER = "answer-alpha-a0-1"
SENT = {
    "uuid": "u1", "annotator": "p0", "assignment": "t1", "revision": 1, "values": VALUES,
    "comment": ANSWER,
}  # fmt: skip


def operation(do, sent, outcome=OK, *, at=0.0, client="a0", study="alpha", **more):
    return Operation(client, study, do, at, sent, at + 0.5, outcome, **more)


def submission(uuid="u1", annotator="p0", item=1, revision=1, **more):
    values = tuple(sorted(VALUES.items()))
    fields = {
        "surplus": False,
        "comment": ANSWER,
        "assignment": "t1",
        "wanted": 1,
        "values": values,
    }
    return Submission(uuid=uuid, annotator=annotator, item=item, revision=revision, **fields | more)


def stored(*submissions, taken=1, opened=0, **more):
    items = {1: Item(wanted=1, taken=taken, leased=True)}
    return Stored(list(submissions), {"t1": "p0"}, {1: opened}, items, **more)


def look(at, version, *, revision=1, draft_of=""):
    answer = {
        "annotator": "p0", "assignment": "t1", "revision": revision, "version": version,
        "draft_of": draft_of,
    }  # fmt: skip
    return operation("look", {"path": "/rate/p0/"}, at=at, answer=answer)


def draft(at, version):
    sent = {"assignment": "t1", "revision": 1, "version": version - 1}
    return operation("draft", sent, at=at, answer={"version": version})


def promises(operations, holds):
    return {each.promise for each in check(operations, holds, {"owner"})}


SUBMIT = operation("submit", SENT)
GOOD = [draft(0, 1), look(1, 1), operation("submit", SENT, UNKNOWN, at=2), look(5, 0, revision=2)]


def test_a_history_in_which_all_is_well_has_no_violation():
    answered = operation("submit", SENT, at=3)
    exported = operation("export", {}, answer={"job": 7})
    assert (
        check([*GOOD, answered, exported], stored(submission(), jobs={7: ("done", "")}), ()) == []
    )


@pytest.mark.parametrize(
    ("operations", "holds", "promise"),
    [
        ([SUBMIT], stored(taken=0), "lost"),
        ([SUBMIT], stored(submission(), submission()), "doubled"),
        ([SUBMIT], stored(submission(values=(("style", 50.0),))), "changed"),
        ([SUBMIT], stored(submission(comment="something else")), "changed"),
        ([operation("submit", SENT, REFUSED)], stored(submission()), "refused"),
        ([], stored(submission()), "invented"),
        ([SUBMIT], stored(submission(revision=2)), "doubled"),
        ([], stored(submission(), submission("u2", "p1")), "over-rated"),
        ([SUBMIT], stored(submission(), opened=1), "places"),
        ([draft(0, 2), look(1, 1)], stored(taken=0), "draft"),
        ([look(0, 2), look(1, 1)], stored(taken=0), "draft"),
        ([SUBMIT, look(1, 0)], stored(submission()), "draft"),
        ([SUBMIT, look(1, 1, revision=2, draft_of="u1")], stored(submission()), "draft"),
        ([operation("export", {}, answer={"job": 7})], stored(taken=0), "job"),
        ([], stored(taken=0, integrity="row missing"), "integrity"),
    ],
)
def test_a_broken_promise_is_found(operations, holds, promise):
    assert promise in promises(operations, holds)


@pytest.mark.parametrize(
    ("client", "study", "mark"),
    [
        ("stranger", "", ANSWER),
        ("owner", "beta", ANSWER),
        ("a1", "alpha", ANSWER),
        ("owner", "alpha", "draft-alpha-a0-1"),
        ("a0", "alpha", "system-alpha-all-3"),
    ],
)
def test_who_sees_what_is_not_theirs_is_found(client, study, mark):
    seen = operation("look", {}, client=client, study=study, seen=marks_in(f"<p>{mark}</p>"))
    assert promises([seen], stored(taken=0)) == {"leak"}


def test_an_assignment_of_another_and_a_door_that_opened_are_leaks():
    shown = operation("list", {}, answer={"annotator": "p1", "listed": ["t1"]})
    entered = operation("trespass", {"path": "/rate/p1/"})
    assert promises([shown], stored(taken=0)) == {"leak"}
    assert promises([entered], stored(taken=0)) == {"leak"}


def test_what_the_owner_cannot_read_in_the_end_is_found():
    last = operation("read everything", {}, client="owner", at=9, answer={"comments": []})
    assert promises([SUBMIT, last], stored(submission())) == {"unread"}
