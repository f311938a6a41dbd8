"""Headers of released data and of annotation tools: which fields are found, and what is asked.

Headers are facts; no row of these data sets is here. A ``#`` marks a column of numbers.
"""

import pytest

from corpus.tables import handlers
from corpus.tabular.fields import Field, Spread, TableSpec
from corpus.tabular.guessing import guess
from corpus.tabular.known_columns import SEVERAL, catalogue, with_known_columns
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.study_files import import_path, write_files

FOUND = {
    "Lai et al. 2022: segments": (
        "segments.csv",
        "segment_id, source, source_style, target_style, survey#, reference_1, reference_2",
        "segments segment=segment_id source=source source_style=source_style"
        " target_style=target_style reference=reference_1+reference_2",
    ),
    "Lai et al. 2022: ratings": (
        "ratings.csv",
        "segment_id, system, rater, aspect, score#",
        "ratings segment=segment_id system=system rater=rater aspect=aspect score=score",
    ),
    "Lai et al. 2022: metric scores": (
        "metric_scores.csv",
        "segment_id, system, aspect, metric, compared_to, score#",
        "metric_scores segment=segment_id system=system metric=metric score=score aspect=aspect"
        " compared_to=compared_to",
    ),
    "Mir et al. 2019: naturalness": (
        "naturalness_human.csv",
        "segment_id, system, task, judgement",
        "ratings segment=segment_id system=system task=task judgement=judgement",
    ),
    "Mir et al. 2019: distributions": (
        "style_distributions.csv",
        "segment_id, system, classifier, p_negative#, p_positive#",
        "style_distributions segment=segment_id system=system classifier=classifier"
        " probabilities=p_negative+p_positive",
    ),
    "Mir et al. 2019: lexicon": (
        "style_lexicon.csv",
        "word, weight#",
        "style_lexicon word=word weight=weight",
    ),
    "style transfer: a wide table of ratings": (
        "human_eval.csv",
        "id#, input, system, output, fluency#, content#, style#",
        "segments segment=id source=input",
        "outputs segment=id system=system output=output",
        "ratings segment=id system=system aspect:fluency+content+style",
    ),
    "SimpEval": (
        "simpeval_2022.csv",
        "WorkerId, Input.id#, Input.original, Input.simplified, Input.system, Answer.adequacy#,"
        " Answer.fluency#",
        "segments segment=Input.id source=Input.original",
        "outputs segment=Input.id system=Input.system output=Input.simplified",
        "ratings segment=Input.id system=Input.system rater=WorkerId aspect:Answer.{name}",
    ),
    "Simplicity-DA": (
        "simplicity_DA.csv",
        "orig_sent, simp_sent, sys_name, sent_id#, fluency#, fluency_zscore#, meaning#, count#",
        "segments segment=sent_id source=orig_sent",
        "outputs segment=sent_id system=sys_name output=simp_sent",
        "(fluency, fluency_zscore, meaning, count)",
    ),
    "Mechanical Turk": (
        "Batch_4_batch_results.csv",
        "HITId, HITTypeId, Title, Reward, CreationTime, AssignmentId, WorkerId, AssignmentStatus,"
        " AcceptTime, SubmitTime, WorkTimeInSeconds#, Input.source, Input.system, Input.output,"
        " Answer.fluency#, Answer.style#, Approve, Reject",
        "segments source=Input.source segment<Input.source",
        "outputs system=Input.system output=Input.output segment<Input.source",
        "ratings system=Input.system rater=WorkerId segment<Input.source aspect:Answer.{name}",
        "(HITId, HITTypeId, Title, Reward, CreationTime, AssignmentId, AssignmentStatus,"
        " AcceptTime, SubmitTime, WorkTimeInSeconds, Approve, Reject)",
    ),
    "MT-Bench": (
        "mt_bench_human_judgments.csv",
        "question_id#, model_a, model_b, winner, judge, turn#",
        "ratings segment=question_id system=model_a against=model_b rater=judge judgement=winner",
        "(turn)",
    ),
    "Chatbot Arena": (
        "arena.csv",
        "question_id, model_a, model_b, winner, judge, turn#, anony, language, tstamp#",
        "ratings segment=question_id system=model_a against=model_b rater=judge judgement=winner",
        "(turn, anony, language, tstamp)",
    ),
    "votes without a judge": (
        "votes.csv",
        "question_id, model_a, model_b, winner, language",
        "ratings segment=question_id system=model_a against=model_b judgement=winner",
        "(language)",
    ),
    "SummEval": (
        "model_annotations.csv",
        "id, model_id, decoded, coherence#, consistency#, fluency#, relevance#",
        "outputs segment=id system=model_id output=decoded",
        "ratings segment=id system=model_id aspect:coherence+consistency+fluency+relevance",
    ),
    "XSum hallucinations": (
        "factuality_annotations_xsum_summaries.csv",
        "bbcid#, system, summary, is_factual, worker_id",
        "outputs segment=bbcid system=system output=summary",
        "(is_factual, worker_id)",
    ),
    "metrics in columns": (
        "automatic.csv",
        "id, system, BLEU#, chrF#, BERTScore-F1#, COMET#, BLEURT-20#, SARI#",
        "metric_scores segment=id system=system metric:BLEU+chrF+BERTScore-F1+COMET+BLEURT-20+SARI",
    ),
    "metrics beside ratings": (
        "all_scores.csv",
        "id, system, output, bleu#, bertscore#, rater, fluency#, adequacy#",
        "outputs segment=id system=system output=output",
        "ratings segment=id system=system rater=rater aspect:fluency+adequacy",
        "metric_scores segment=id system=system metric:bleu+bertscore",
    ),
    "evaluate": (
        "results.csv",
        "id, system, rouge1#, rouge2#, rougeL#, rougeLsum#",
        "metric_scores segment=id system=system metric:rouge1+rouge2+rougeL+rougeLsum",
    ),
    "mt-metrics-eval as one table": (
        "metrics.tsv",
        "system, seg#, metric, refset, score#",
        "metric_scores segment=seg system=system metric=metric score=score compared_to=refset",
    ),
    "a judge that explains itself": (
        "judge.csv",
        "id, system, judge, criterion, score#, explanation",
        "ratings segment=id system=system rater=judge aspect=criterion score=score"
        " comment=explanation",
    ),
    "averages over raters": (
        "human_means.csv",
        "id, system, aspect, mean#",
        "ratings segment=id system=system aspect=aspect score=mean",
    ),
    "Prolific, one row a rating": (
        "annotation.csv",
        "prolific_pid, item_id, system, criterion, rating#",
        "ratings segment=item_id system=system rater=prolific_pid aspect=criterion score=rating",
    ),
    "Appraise, with a header": (
        "scores.csv",
        "UserId, SystemId, SegmentId#, Type, Score#, CampaignId",
        "ratings segment=SegmentId system=SystemId rater=UserId score=Score campaign=CampaignId",
        "(Type)",
    ),
    "AlpacaEval": (
        "annotations.csv",
        "instruction, output_1, generator_1, dataset, output_2, generator_2, annotator,"
        " preference#",
        "segments source=instruction segment<instruction",
        "ratings system=generator_1 against=generator_2 rater=annotator judgement=preference"
        " segment<instruction",
        "outputs",
        "(dataset)",
    ),
}
ASKED = {
    "WMT direct assessment as a data set": (
        "wmt-da.csv",
        "lp, src, mt, ref, score#, raw#, annotators#, domain, year#",
    ),
    "WMT MQM as a data set": (
        "wmt-mqm.csv",
        "lp, src, mt, ref, score#, system, annotators#, domain, year#",
    ),
    "WMT MQM averages": ("mqm_newstest2021.avg_seg_scores.tsv", "system, mqm_avg_score#, seg_id#"),
    "WMT rankings": (
        "wmt14-judgments.csv",
        "srclang, trglang, srcIndex#, documentId, segmentId#, judgeId, system1Number#, system1Id,"
        " system2Number#, system2Id, system1rank#, system2rank#",
    ),
    "WMT 2016 pairs": (
        "wmt16.csv",
        "srclang, trglang, srcIndex#, segmentId#, judgeID, system1Id, system1rank#, system2Id,"
        " system2rank#, rankingID",
    ),
    "WMT direct assessment of segments": ("DAseg-newstest2016.csv", "SYSTEM, SID#, RATER, SCR#"),
    "COMET": ("data.csv", "src, mt, ref, score#"),
    "MLQE-PE": (
        "train.ende.df.short.tsv",
        "index#, original, translation, scores, mean#, z_scores, z_mean#, model_scores",
    ),
    "ASSET": (
        "human_ratings.csv",
        "original, simplification, original_sentence_id#, aspect, worker_id, rating#",
    ),
    "HANNA": (
        "hanna_stories_annotations.csv",
        "Story ID#, Prompt, Human, Story, Model, Relevance#, Coherence#, Empathy#, Surprise#,"
        " Engagement#, Complexity#, Worker ID, Assignment ID, Work time in seconds#, Name",
    ),
    "Mechanical Turk with answers as JSON": (
        "Batch_5_batch_results.csv",
        "HITId, AssignmentId, WorkerId, WorkTimeInSeconds#, Input.text1, Input.text2,"
        " Answer.taskAnswers",
    ),
    "Prolific": (
        "prolific_export.csv",
        "Submission id, Participant id, Status, Started at, Completed at, Time taken#, Age#, Sex",
    ),
    "Label Studio: choices": (
        "project-1-at-2024.csv",
        "annotation_id#, annotator#, choice, created_at, id#, lead_time#, text, updated_at",
    ),
    "Label Studio: ratings": (
        "project-2.csv",
        "annotation_id#, annotator#, fluency#, created_at, id#, lead_time#, source, hypothesis",
    ),
    "Potato": (
        "annotated_instances.tsv",
        "user, instance_id, displayed_text, fluency:::1#, fluency:::2#",
    ),
    "Chatbot Arena: preferences": (
        "train.csv",
        "id#, model_a, model_b, prompt, response_a, response_b, winner_model_a#, winner_model_b#,"
        " winner_tie#",
    ),
    "HelpSteer": (
        "train.csv",
        "prompt, response, helpfulness#, correctness#, coherence#, complexity#, verbosity#",
    ),
    "UltraFeedback": ("ultrafeedback.csv", "instruction, model, response, overall_score#"),
    "FRANK": (
        "human_annotations.csv",
        "hash, model_name, Factuality#, Semantic_Frame_Errors#, article, summary, reference",
    ),
    "Newsroom": (
        "newsroom-human-eval.csv",
        "ArticleID#, System, ArticleText, SystemSummary, ArticleTitle, CoherenceRating#",
    ),
    "XSum": ("xsum_test.csv", "id, document, summary"),
    "CNN/DailyMail": ("test.csv", "id, article, highlights"),
    "Yelp": ("sentiment.csv", "text, label#"),
    "GYAFC": ("gyafc.csv", "informal, formal"),
    "Pavlick and Tetreault": ("formality.csv", "score#, annotations, id, sentence"),
    "USR": (
        "usr.csv",
        "context, fact, model, response, Understandable#, Natural#, Maintains Context#, Overall#",
    ),
    "WebNLG": (
        "humeval.csv",
        "id#, submission_id, sample_id#, worker_id, Correctness#, DataCoverage#, Fluency#",
    ),
    "ParaCrawl": ("sorted.en-de.tsv", "url1, url2, src, trg, hunalign#, evaluation, comments"),
    "SQuALITY": (
        "responses.csv",
        "passage-id, system, response, worker_id, correctness-rating#, overall-rating#",
    ),
    "numbers that people or metrics may have given": (
        "scores.csv",
        "id, system, fluency#, coherence#",
    ),
}


def guessed(file_name, header):
    """Guess a table of one row from its header."""
    columns = [column.strip() for column in header.split(",")]
    row = ["3" if column.endswith("#") else "some words" for column in columns]
    specs = [handler.spec for handler in handlers()]
    return guess([column.rstrip("#") for column in columns], [row], specs, file_name=file_name)


def shortly(found):
    """Write what was found as the table above writes it."""
    for proposal in found.proposals:
        mapping = proposal.mapping
        words = [mapping.table]
        for field, columns in mapping.columns.items():
            many = columns.values() if isinstance(columns, dict) else columns
            words.append(f"{field}={columns if isinstance(columns, str) else '+'.join(many)}")
        words += [f"{field}<{column}" for field, column in mapping.digests.items()]
        if wide := mapping.wide:
            words.append(f"{wide.name}:{'+'.join(wide.columns) or wide.pattern}")
        yield " ".join(words)
    if found.unused:
        yield f"({', '.join(found.unused)})"


def test_there_are_many_headers():
    assert len(FOUND) + len(ASKED) > 50


@pytest.mark.parametrize("name", FOUND)
def test_a_header_is_read_without_a_question(name):
    file_name, header, *expected = FOUND[name]
    found = guessed(file_name, header)
    assert sorted(shortly(found)) == sorted(expected)
    assert found.is_complete


@pytest.mark.parametrize("name", ASKED)
def test_a_header_that_lacks_something_or_could_be_two_things_is_a_question(name):
    assert not guessed(*ASKED[name]).is_complete


def test_every_line_of_the_catalogue_speaks_of_a_field_and_says_who_uses_it():
    tables = {handler.spec.name: set(handler.spec.names) for handler in handlers()}
    tables[SEVERAL] = {"segment", "system"}
    for line in at_least_one(catalogue()):
        assert line.field in tables[line.table]
        assert set(line.beside) <= {*tables[line.table], "file name"}
        assert line.kind in ("", "digest", "label", "pattern")
        assert line.names
        assert line.used_by


def test_no_name_is_known_for_two_fields_of_one_table():
    seen: dict[tuple[str, str], str] = {}
    for line in catalogue():
        for name in line.names if not line.kind else ():
            key = (line.table, name.replace("_", "").lower())
            assert seen.setdefault(key, line.field) == line.field, (line.table, name)


def test_a_table_takes_its_names_from_the_catalogue():
    plain = TableSpec(
        "ratings", "", (Field("rater"), Field("score")), wide=(Spread("aspect", "score"),)
    )
    known = with_known_columns(plain)
    assert {"judge_id", "worker_id"} <= set(known.field("rater").synonyms)
    assert "mean" in known.field("score").synonyms_if_named
    assert ("fluency", "rater") in known.wide[0].labels_beside
    assert "Answer.{name}" in known.wide[0].patterns


@pytest.mark.django_db
def test_an_import_names_the_columns_that_no_table_reads(tmp_path):
    files = {
        "data.csv": [
            ["segment_id", "source", "system", "output", "mystery", "riddle"],
            ["s1", "a source", "A", "an output", "1", "2"],
        ]
    }
    job = import_path(write_files(tmp_path / "small", files))
    assert job.error == ""
    assert (
        "data.csv: no table reads the columns mystery, riddle; a mapping can."
        in job.result["notes"]
    )
