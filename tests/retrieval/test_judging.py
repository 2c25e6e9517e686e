"""What the judge is asked to read, and what a sentence loses that stands far behind the best match."""

from dataclasses import replace

import pytest

from ragcore.retrieval.judging import DISTANCE_WEIGHT, SENTENCES, judged, judged_text
from tests.retrieved import FEES, SHOP, hit

QUESTION = "What does a lost key cost?"


class Judge:
    """Log-odds by a word in the text; keeps what it read."""

    def __init__(self, **odds: float) -> None:
        self.odds, self.read = odds, []

    def __call__(self, question, texts):
        self.read += texts
        return [next((odds for word, odds in self.odds.items() if word in text), -4.0) for text in texts]


def test_sentences_are_read_under_their_headings_in_the_order_of_search():
    judge = Judge()
    judged(QUESTION, [hit(1, FEES, [0.5, 0.2], section=("House", "Keys")), hit(2, SHOP, [0.3, 0.6])], judge)
    assert len(judge.read) == 4
    assert judge.read[0] in SHOP and judge.read[1].startswith("House > Keys\n")


def test_likely_sentence_loses_by_its_distance_from_the_best_match():
    near, far = hit(1, "The key hangs on the door.", [0.6]), hit(2, "A lost badge costs £15.", [0.4])
    judge = Judge(hangs=-1.0, badge=0.5)
    assert judged(QUESTION, [near, far], judge) == pytest.approx(-1.0)
    assert judged(QUESTION, [near, hit(2, "A lost badge costs £15.", [0.58])], judge) == pytest.approx(
        0.5 - DISTANCE_WEIGHT * 0.02
    )


def test_words_count_beside_the_cosine_as_they_do_in_search():
    worded = hit(2, "A lost badge costs £15.", [0.55], coverage=0.8)
    judge = Judge(hangs=-1.0, badge=0.5)
    assert judged(QUESTION, [hit(1, "The key hangs on the door.", [0.6]), worded], judge) == 0.5


def test_no_more_than_the_best_are_read():
    text = " ".join(f"Sentence number {number} is here." for number in range(SENTENCES + 4))
    judge = Judge()
    judged(QUESTION, [hit(1, text, [0.5 - 0.01 * place for place in range(SENTENCES + 4)])], judge)
    assert len(judge.read) == SENTENCES and not any("number 12" in one for one in judge.read)


def test_whole_text_is_read_where_sentences_have_no_vectors():
    judge = Judge()
    judged(QUESTION, [replace(hit(1, FEES, [0.5, 0.2]), evidence=())], judge)
    assert judge.read == [FEES]


def test_row_is_read_with_the_heads_of_its_columns():
    table = "Fees of the house.\n\n| Key | Price |\n| --- | --- |\n| lost | £15 |"
    found = hit(1, table, [0.6], section=("House",))
    assert judged_text(found, table.index("| lost"), len(table)) == "House\nKey: lost; Price: £15"
