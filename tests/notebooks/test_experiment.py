"""What the notebooks share: settings from outside, runs found again, prefixes that make another space."""

import pytest

from notebooks import experiment
from notebooks.experiment import setup
from ragcore.errors import InputError
from ragcore.models.sentence_transformer import bundled_folder
from ragcore.records import AskOptions
from tests.mill_set import write_mill_set

VARIABLE = "PLUMBLINE_NOTEBOOK"


def test_settings_of_the_cell_alone(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    asked = setup(["handbook", "/sets/mill"], split="test")
    assert (asked.split, asked.limit, asked.models, asked.fresh) == ("test", None, (), False)
    assert asked.paths == (str(experiment.ROOT / "eval_data" / "handbook"), "/sets/mill")
    assert str(asked) == "Sets: handbook, mill; all questions, test split."


def test_settings_from_outside(monkeypatch):
    monkeypatch.setenv(VARIABLE, "sets=cv, manuals ; limit=6; split=calibration;models=/m/e5; fresh=yes;")
    asked = setup(["handbook"], split="test")
    assert asked.sets == ("cv", "manuals")
    assert (asked.limit, asked.split, asked.models, asked.fresh) == (6, "calibration", ("/m/e5",), True)
    assert str(asked) == "Sets: cv, manuals; at most 6 questions of each, calibration split."


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("limt=6", "has 'limt=6'; write name=value, where name is one of sets, split, limit"),
        ("6", "has '6'; write name=value"),
        ("limit=0", "limit=0; use a whole number from 1"),
        ("split=both", "split=both; use calibration or test, or leave it out"),
        ("fresh=perhaps", "fresh=perhaps; use yes or no"),
    ],
)
def test_settings_that_cannot_be_meant(monkeypatch, given, complaint):
    monkeypatch.setenv(VARIABLE, given)
    with pytest.raises(InputError, match=complaint):
        setup(["handbook"])


def test_run_is_found_again_and_made_anew_only_when_asked(monkeypatch, open_test_rag, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    rag = open_test_rag()
    asked = setup([write_mill_set(tmp_path)])
    first = experiment.run(rag, asked, "first")
    assert first.rate("hit_rate@1").k == 2
    assert [one.id for one in first.of("answerable", split="test")] == ["m-1"]
    assert experiment.run(rag, asked, "again").stored.id == first.stored.id
    assert [run.id for run in rag.evaluations.runs()] == [first.stored.id]
    other = experiment.run(rag, asked, "other", options=AskOptions(mode="dense"))
    assert other.stored.id != first.stored.id
    monkeypatch.setenv(VARIABLE, "fresh=yes")
    fresh = experiment.run(rag, setup(asked.sets), "fresh")
    assert fresh.stored.id not in (first.stored.id, other.stored.id)
    assert experiment.paired(first, fresh) == "+0 -0, p 1"
    assert experiment.paired(first, first) == ""


def test_same_weights_with_a_prefix_are_another_collection(monkeypatch, open_test_rag, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    rag = open_test_rag()
    asked = setup([write_mill_set(tmp_path)])
    plain = experiment.run(rag, asked, "plain")
    own = experiment.with_prefixes(rag, str(bundled_folder()), "query: ", "passage: ")
    assert own.embedder.identity.digest == rag.embedder.identity.digest
    prefixed = experiment.run(own, asked, "prefixed")
    assert (prefixed.stored.provenance["embedder"]["query_prefix"], prefixed.rate("hit_rate@1").k) == (
        "query: ",
        2,
    )
    assert set(prefixed.collections.values()).isdisjoint(plain.collections.values())
    scores = [{one.id: one.top_score for one in run.outcomes} for run in (plain, prefixed)]
    assert all(scores[0][one] != pytest.approx(scores[1][one], abs=1e-3) for one in scores[0])
