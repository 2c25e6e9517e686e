"""What leaves the page: Markdown that fetches nothing where it is drawn, and text as it is stored."""

import json
from datetime import UTC, datetime

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from pages.parts.exporting import as_json, as_markdown, with_citations
from ragcore.records import Citation, ConversationInfo, Message

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(dollarmath_plugin)
ATTACK = '![x](http://h.example/a.png) <img src="http://h.example/b.png"> $5 and $6 -- [t](javascript:x)'
ANSWER = f"**Fees:** {ATTACK} [fees.md:§ 1]\n\n- one\n\n```mermaid\nA@{{ img: 'http://h.example/c' }}\n```"
NOW = datetime(2026, 12, 1, tzinfo=UTC)
CITATION = Citation("fees.md", 1, f"It is {ATTACK}", "§ 1", document_id=1, chunk_id=1)
CONVERSATION = ConversationInfo(1, f"# Fees {ATTACK}", NOW, messages=2)
MESSAGES = [
    Message(1, "user", f"What is {ATTACK}?", "complete", NOW),
    Message(2, "assistant", ANSWER, "complete", NOW, (CITATION,)),
]


def test_exported_markdown_holds_nothing_that_fetches_or_runs():
    exported = as_markdown(CONVERSATION, MESSAGES)
    assert "\u2060" not in exported
    parsed = PARSER.parse(exported)
    tokens = [token for block in parsed for token in (block, *(block.children or ()))]
    assert {token.type for token in tokens} & {
        "image",
        "html_inline",
        "html_block",
        "math_inline",
        "link_open",
    } == set()
    assert [token.info for token in tokens if token.type == "fence"] == [""]
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2", "h2"]
    assert any(token.type == "strong_open" for token in tokens)


def test_exported_title_question_and_quote_read_as_they_were_written():
    html = PARSER.render(as_markdown(CONVERSATION, MESSAGES))
    written = ATTACK.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    assert f"<h1># Fees {written}</h1>" in html
    assert f"<p>What is {written}?</p>" in html
    assert f"<li>[fees.md:§ 1] “It is {written}”</li>" in html


def test_copied_text_is_the_stored_answer_with_its_quotes():
    assert with_citations(MESSAGES[1]) == f"{ANSWER}\n\n[fees.md:§ 1] “It is {ATTACK}”"
    stored = json.loads(as_json(CONVERSATION, MESSAGES))
    assert stored["messages"][1]["content"] == ANSWER
