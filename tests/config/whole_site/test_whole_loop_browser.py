"""The whole loop in a real browser: from files to findings, and to the same findings elsewhere."""

import zlib
from pathlib import Path
from typing import Any

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.agreement.naturalness import POSITION
from analysis.reports.service import report
from annotation.models import CampaignSet, Rating
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.keyboard import press, tab_to, write
from tests.fixtures.study_files import write_files
from tests.fixtures.style_texts import BAD, GOOD, reviews
from tests.fixtures.style_training import train

pytestmark = [pytest.mark.nightly, pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STYLES = ("negative", "positive")
TASKS = (
    "style_transfer_intensity",
    "content_preservation",
    "relative_naturalness",
    "direct_assessment",
)
STEPS = {0: "Home", 1: "PageDown", 2: "PageUp", 3: "End"}
QUESTION = Question(resamples=100)


def study_folder(folder: Path) -> Path:
    """Write reviews, what three systems made of them, and the words that carry the style."""
    flipped = {**dict(zip(GOOD, BAD, strict=True)), **dict(zip(BAD, GOOD, strict=True))}
    segments = [["segment_id", "source", "source_style", "target_style"]]
    outputs = [["segment_id", "system", "output"]]
    for n, text in enumerate(reviews(3, seed=9).texts):
        segments.append([f"s{n}", text, STYLES[n % 2], STYLES[1 - n % 2]])
        split = text.split()
        made = {
            "flip": [flipped.get(word, word) for word in split],
            "cut": split[1 + n % 3 :],
            "more": [flipped.get(word, word) for word in [*split, *split[: 2 + n]]],
        }
        outputs += [[f"s{n}", system, " ".join(words)] for system, words in made.items()]
    lexicon = [["word", "weight"], *([w, "1"] for w in GOOD), *([w, "-1"] for w in BAD)]
    files = {"segments.csv": segments, "outputs.csv": outputs, "style_lexicon.csv": lexicon}
    return write_files(folder, files)


def finish(page) -> None:
    """Do the job whose page is open, and wait until the page says that it is done."""
    job = run_next()
    assert job is not None
    assert job.state == Job.State.DONE, job.error
    page.reload()


def taste(page, salt: str) -> int:
    """What an annotator thinks of the texts on the screen: the same whoever looks at them."""
    shown = page.locator("form.screen").inner_text()
    return zlib.crc32(f"{salt}{sorted(shown.split())}".encode())


def answer(page, task: str) -> None:
    """Answer a screen by keyboard and wait for what comes next."""
    # Keys count once the script that reads them has set the focus.
    page.locator("form.screen :focus").wait_for()
    lead = page.locator("[name=assignment]").get_attribute("value")
    opinion = taste(page, task)
    if task == "relative_naturalness":
        keys = ["ab"[opinion % 2], "Enter"]
    elif task == "direct_assessment":
        first, second, third = (STEPS[opinion >> shift & 3] for shift in (0, 2, 4))
        keys = [first, "Tab", "Tab", second, "Tab", "Tab", third, "Enter"]
    else:
        keys = [str(1 + opinion % 5), "Enter"]
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function(
        "lead => document.querySelector('[name=assignment]')?.value !== lead", arg=lead
    )


def rate_everything(page) -> None:
    """Go through all four tasks: guidelines, practice, every screen."""
    for place, task in enumerate(TASKS):
        page.locator("button.primary:focus").wait_for()
        page.keyboard.press("Enter")
        while True:
            page.locator("form.screen, a[data-focus]:focus, main h1").first.wait_for()
            if page.locator("form.screen").count():
                answer(page, task)
            elif page.locator("a[data-focus]:focus").count():
                page.keyboard.press("Enter")
                page.wait_for_load_state()
                if page.locator("button.primary:focus").count():
                    break
            else:
                break
        if place == len(TASKS) - 1:
            page.get_by_role("heading", name="Thank you, that was all").wait_for()


def travelling(value: Any) -> Any:
    """Leave out what an archive does not hold: sides of pairs, and models that were trained."""
    if isinstance(value, dict):
        return {name: travelling(part) for name, part in value.items() if name != "trained"}
    if isinstance(value, list):
        kept = (e for e in value if not (isinstance(e, dict) and e.get("statistic") == POSITION))
        return [travelling(each) for each in kept]
    return value


def test_from_files_to_findings_and_to_the_same_findings_elsewhere(open_as, tmp_path):
    study = Study.objects.create(slug="loop", title="Loop")
    owner = signed_in("ada", study)
    page = open_as(owner, "/studies/loop/import/")
    folder = study_folder(tmp_path / "files")
    page.set_input_files("input[type=file]", sorted(map(str, folder.iterdir())))
    press(page, "main button.primary")
    page.locator("button[name=start]").first.wait_for()
    press(page, "main button.primary[name=start]")
    page.wait_for_url("**/jobs/*/**")
    finish(page)
    assert study.outputs.filter(system__kind="system").count() == 9

    assert page.url.endswith("/studies/loop/")
    page.goto(f"{page.url}campaigns/new/")
    write(page, "#id_title", "All")
    tab_to(page, "#id_follows")
    page.keyboard.type("Style transfer, complete")
    press(page, "main button.primary", "Prepare All")
    write(page, "#id_ratings_per_item", "2")
    write(page, "#id_annotators", "2")
    press(page, "main button.primary", "Who rates what")
    tab_to(page, "#confirmed")
    page.keyboard.press("Space")
    press(page, "main button.primary", "Personal links")
    press(page, "main button.primary", "Links")
    links = [each.get_attribute("data-copy") for each in page.locator("[data-copy]").all()]
    assert len(links) == CampaignSet.objects.get().participants.count() == 2
    for link in links:
        rate_everything(open_as(None, link))
    assert Rating.objects.counted(study).count() == 9 * 2 * 6

    train(study, tmp_path)
    page.goto(f"{page.url.split('/studies')[0]}/studies/loop/metrics/score/")
    press(page, "main button.primary")
    page.wait_for_url("**/jobs/*/**")
    finish(page)

    page.goto(f"{page.url.split('/jobs')[0]}/studies/loop/correlation/?resamples=100")
    text = page.locator("main").inner_text()
    assert "1 metric that measures style." in text
    assert "metrics that measure content." in text
    content = page.get_by_role("region", name="Metrics and human scores of content", exact=False)
    shown = content.first.inner_text()
    assert all(metric in shown for metric in ("bleu", "wmd", "chrf"))
    assert "length-ratio" not in shown
    numbers = {kind: report(study, kind, QUESTION) for kind in ("agreement", "correlation")}
    names = numbers["correlation"]["content"]["aspects"]
    assert names[0] == "style (transfer intensity)"
    assert {name.partition(" ")[0] for name in names} == {
        "style", "content", "naturalness", "fluency",
    }  # fmt: skip

    page.goto(f"{page.url.split('/studies')[0]}/studies/loop/export/")
    page.get_by_role("button", name="Export the study").click()
    finish(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").first.click()
    archive = tmp_path / "loop.zip"
    download.value.save_as(archive)

    other = Study.objects.create(slug="elsewhere", title="Elsewhere")
    other.memberships.create(user=study.memberships.get().user, role="owner")
    page.goto(f"{page.url.split('/jobs')[0].split('/studies')[0]}/studies/elsewhere/import/")
    page.set_input_files("input[type=file]", str(archive))
    press(page, "main button.primary")
    page.locator("button[name=start]").first.wait_for()
    press(page, "main button.primary[name=start]")
    page.wait_for_url("**/jobs/*/**")
    finish(page)
    matrices.forget()
    again = {kind: report(Study.objects.get(slug="elsewhere"), kind, QUESTION) for kind in numbers}
    for kind, found in numbers.items():
        assert travelling(again[kind]["content"]) == travelling(found["content"]), kind
