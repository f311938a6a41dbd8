"""Rewriting a source with a local sequence-to-sequence model, on a tiny T5."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.models import Membership
from metrics.language_models.rewriting import Decoding, load
from metrics.scorers.scorer import Unavailable
from tests.fixtures.listed_places import REWRITERS, listed
from tests.fixtures.report_pages import parse, reader, tables, words
from tests.fixtures.study_files import TABLES
from tests.fixtures.tiny_models import save_causal_model, save_rewriter

SOURCE = "the food was good"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_rewriter(tmp_path_factory.mktemp("rewriter"))


# The model


@pytest.mark.parametrize("beams", [1, 3])
def test_it_writes_what_transformers_generates(folder, beams):
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    read = tokenizer(SOURCE, return_tensors="pt")
    with torch.inference_mode():
        [written] = model.generate(
            input_ids=read["input_ids"],
            attention_mask=read["attention_mask"],
            num_beams=beams,
            do_sample=False,
            max_new_tokens=12,
        )
    expected = tokenizer.decode(written, skip_special_tokens=True).strip()
    assert expected
    assert (
        load(listed(folder, variable=REWRITERS)).rewrite(SOURCE, Decoding(beams, longest=12))
        == expected
    )


def test_what_is_no_such_model_is_unavailable_with_what_to_do(folder, tmp_path):
    with pytest.raises(Unavailable, match="hf download nobody/nothing"):
        load(listed("nobody/nothing", variable=REWRITERS))
    with pytest.raises(Unavailable, match="no sequence-to-sequence model"):
        load(listed(save_causal_model(tmp_path / "causal"), variable=REWRITERS))
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "config.json").write_text((folder / "config.json").read_text())
    with pytest.raises(Unavailable, match="cannot be loaded"):
        load(listed(bare, variable=REWRITERS))


# The page


FILES = TABLES


@pytest.fixture
def owner(study):
    person = User.objects.create_user("keeper")
    Membership.objects.create(study=study, user=person, role="owner")
    client = Client()
    client.force_login(person)
    return client


def send(client, address, status=200, **given):
    data = {"source": SOURCE, "rewrite": "1", "beams": "1", "temperature": "1", "longest": "12"}
    reply = client.post(address, data | {"seed": "0"} | given)
    assert reply.status_code == status, reply.content[:2000]
    return parse(reply.content.decode())


def test_what_a_model_writes_is_scored_on_the_spot(study, folder, own):
    expected = load(listed(folder, variable=REWRITERS)).rewrite(SOURCE, Decoding(1, longest=12))
    page = send(reader("ada", "small"), "/try/", rewriter=listed(folder, variable=REWRITERS))
    drawn = {"sample": "on", "temperature": "5", "top_k": "1", "top_p": "0.5"}
    name = listed(folder, variable=REWRITERS)
    again = send(reader("eve", "small"), "/try/", rewriter=name, **drawn)
    assert expected in ["".join(each.itertext()).strip() for each in again.iter("textarea")]
    areas = {each.get("name"): (each.text or "").strip() for each in page.iter("textarea")}
    assert areas["output"] == expected
    (text,) = [p for p in page.iter("p") if p.get("class") == "text"]
    assert "".join(text.itertext()) == expected
    assert tables(page)["Metrics"].rows


def test_only_models_that_the_administrator_lists_rewrite_whoever_asks(owner, folder, own):
    address = "/studies/small/try/"
    assert "Let a model write" not in words(send(owner, address, 400, rewriter=str(folder)))
    name = listed(folder, "formal", REWRITERS)
    for given in ({"rewriter": str(folder)}, {"other_rewriter": str(folder)}):
        page = send(owner, address, 400, **given)
        assert "Nothing was rewritten" in words(page)
        assert str(folder.parent) not in words(page).replace(str(folder), "")
    assert "Rewritten" in words(send(owner, address, rewriter=name))
