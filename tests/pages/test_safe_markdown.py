"""Nothing but text comes out of text: no maths, no image, no HTML, no disguised link."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from pages.parts.safe_markdown import plain, plain_line, quoted, safe_markdown, sentence

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(dollarmath_plugin)
ACTIVE = {"image", "html_block", "html_inline", "math_inline", "math_block", "link_open", "s_open"}

DIAGRAM = re.compile(r"language-mermaid(?!\w)", re.ASCII | re.IGNORECASE)
"""What Streamlit 1.67 draws as a diagram: /language-(\\w+)/ of the class, in lower case."""

PIECES = st.sampled_from(
    [
        *"$`~|![]()<>&*_#-=+:\\ \n\t0129ax.",
        "\n\n", "```", "~~~", "    ", "- ", "1. ", "> ", "| a |", "|---|", "![x](http://h/leak)", "$5 and $6",
        "<script>alert(1)</script>", "[t](javascript:x)", "[r]: http://h", "[r]", "``", "`$x`", "<img src=x>", "&lt;",
        "http://h", "<http://h>", "www.h", "http://h:80/", "\r", "\x0b", "\u2028", "mermaid", "MERMAID", "```mermaid\n",
    ]
)  # fmt: skip
NASTY = st.lists(PIECES, max_size=30).map("".join)


def tokens(markdown: str):
    for token in PARSER.parse(markdown):
        yield token
        yield from token.children or ()


def active(markdown: str) -> set[str]:
    diagrams = {"mermaid" for token in tokens(markdown) if DIAGRAM.search(f"language-{token.info.strip()}")}
    return diagrams | {token.type for token in tokens(markdown)} & ACTIVE


def shown(markdown: str) -> str:
    """The text that a reader sees, without the invisible joiners."""
    seen = "".join(
        "\n" if token.type in ("hardbreak", "softbreak") else token.content
        for token in tokens(markdown)
        if token.type in ("text", "hardbreak", "softbreak", "code_inline", "text_special")
    )
    return seen.replace("\u2060", "")


@given(NASTY)
def test_nothing_active_comes_out_of_safe_markdown(text):
    assert active(safe_markdown(text)) == set()


@given(NASTY)
def test_nothing_active_comes_out_of_plain_text(text):
    assert active(plain(text)) == set()
    assert active(quoted(text)) == set()
    assert active(sentence(text)) == set()


@given(NASTY)
def test_plain_line_shows_every_character(text):
    assert shown(plain_line(text)) == " ".join(text.split())


def test_the_check_itself_sees_what_is_active():
    assert active("![x](http://h)\n\n$a$\n\n<b>x</b>\n\n[a](http://b)\n\n~~~ Mermaid-x\n~~~") == {
        "mermaid",
        "image",
        "math_inline",
        "html_inline",
        "link_open",
    }


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("costs $5 and $6", r"costs \$5 and \$6"),
        ("`$5` and $6", r"`$5` and \$6"),
        ("![x](http://h/leak)", r"\![x\](http\://h/leak\)"),
        ("[text](https://example.org)", r"[text\](https\://example.org\)"),
        ("**https://a.example/b_c?d=1&e**", r"**https\://a.example/b\_c\?d\=1\&e**"),
        ("| www.a.example/b_c | 1 |", r"| www\.a.example/b\_c | 1 |"),
        ("20 days [terms.pdf:3].", "20 days [terms.pdf:3]."),
        ("<b>bold</b>", r"\<b\>bold\</b\>"),
        ("see :smile: and :red[this]", r"see \:smile\: and \:red[this\]".replace(r"this\]", "this]")),
        ("a :red(b) c:d 10:30", r"a \:red(b) c\:d 10:30"),
        ("**bold** and *it*", "**bold** and *it*"),
        ("# Title", "##### Title"),
        ("text\n---", "text\n\\---"),
        ("- one\n- two", "- one\n- two"),
        ("| a | b |\n| :- | --- |\n| $1 | 2 |", "| a | b |\n| :- | --- |\n| \\$1 | 2 |"),
        ("about ~5 and ~6", r"about \~5 and \~6"),
    ],
)
def test_what_becomes_of(text, safe):
    assert safe_markdown(text) == safe


def test_code_block_keeps_its_dollars():
    assert safe_markdown("see\n```sh\necho $HOME\n```\nfor $5") == "see\n\n```sh\necho $HOME\n```\nfor \\$5"


@pytest.mark.parametrize("called", ["mermaid", "Mermaid", "mermaid+x", " mermaid title", "mermaid{a}"])
def test_diagram_that_would_load_its_pictures_is_shown_as_code(called):
    assert safe_markdown(f'```{called}\nA@{{ img: "http://h" }}\n```') == '```\nA@{ img: "http://h" }\n```'


def test_code_block_without_its_end_is_closed():
    assert safe_markdown("```\n$x").endswith("\n```")


def test_code_block_in_a_list_cannot_end_early():
    # By Markdown's rules the image would stand outside both the item and the code.
    assert active(safe_markdown("- a\n  ```\n![x](http://h/leak)\n  ```")) == set()


def test_quotation_of_two_paragraphs_is_one_block():
    assert [token.type for token in PARSER.parse(quoted("a\n\nb"))].count("blockquote_open") == 1


def test_number_at_the_beginning_is_not_a_list():
    assert re.sub(r"<[^>]*>", "", PARSER.render(plain("1. one"))).strip() == "1. one"


def test_arrows_and_dashes_stay_as_written():
    # Between blanks, Streamlit draws -> as an arrow and -- as a dash unless something stands between.
    assert plain_line("a -> b -- c >= d") == "a -\u2060\\> b -\u2060- c \\>\u2060= d"
    assert plain_line("<-> git --force a->b") == "\\<\u2060-\\> git --force a-\\>b"


@pytest.mark.parametrize("draw", [plain_line, safe_markdown])
def test_icons_and_the_logo_stay_as_written(draw):
    assert draw(":material/home:") == r"\:material\/home\:"
    assert draw(":material_home: :streamlit:") == "\\:\u2060material_home\\: \\:\u2060streamlit\\:".replace(
        "material_home", r"material\_home" if draw is plain_line else "material_home"
    )


def test_marks_that_reorder_an_address_are_left_out():
    disguised = "https://a.example/\u202egpj.exe\u202c"
    assert shown(plain_line(disguised)) == shown(safe_markdown(disguised)) == "https://a.example/gpj.exe"
    assert shown(plain_line("\u2067ab\u2069 cd")) == "ab cd"


def test_commands_in_messages_are_code():
    assert sentence("Run `ollama pull a_b` for $5.") == r"Run `ollama pull a_b` for \$5."
