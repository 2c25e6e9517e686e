"""A turn of the chat becomes a question of a set, its gold picked by a click, in a real browser."""

from pathlib import Path

import pytest

from ragcore.evaluation.sets import load_set

pytestmark = pytest.mark.browser


def test_chat_turn_is_saved_with_the_gold_that_was_clicked(serve, browse, tmp_path: Path):
    app = browse(serve())
    page = app.page
    page.get_by_role("button", name="Load the sample documents").click()
    page.get_by_test_id("stChatInputTextArea").and_(page.locator(":enabled")).wait_for()
    app.settle()
    app.ask("At what humidity must the dome be closed?")
    page.get_by_role("button", name="Add to a question set").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Which passages hold the answer?").wait_for()
    dialog.get_by_test_id("stCheckbox").filter(has_text="observatory-guide.pdf:4").first.locator(
        "label"
    ).first.click()
    quote = dialog.get_by_label("Quote", exact=True)
    quote.wait_for()
    assert "Relative humidity 88 %" in quote.input_value()
    dialog.locator(".pl-passage mark").first.wait_for()
    dialog.get_by_label("A right answer contains", exact=True).fill("88 % | 88 percent")
    dialog.get_by_label("Name of the new set", exact=True).fill("Dome tours")
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_text("The set has 1 question now.").wait_for()
    dialog.get_by_role("button", name="Save").wait_for(state="detached")
    (question,) = load_set(tmp_path / "home" / "question_sets" / "Dome tours").questions
    (gold,) = question.gold
    assert (gold.document, gold.page) == ("observatory-guide.pdf", 4) and "88 %" in gold.quote
    assert question.facts == (("88 %", "88 percent"),)
    dialog.get_by_role("link", name="Measure it on Eval results").click()
    page.get_by_role("heading", name="New run").wait_for()
    page.get_by_text("Dome tours (1").first.wait_for()
    assert app.foreign == []
