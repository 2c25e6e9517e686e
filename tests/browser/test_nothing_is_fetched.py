"""Documents, questions and models that try to make the browser fetch something, on every page.

A local server stands for the attacker's: whatever the browser asks of it is written down, and in
the end nothing may be. The attacks must be seen as the text that they are.
"""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ragcore import AskOptions, Settings, open_rag
from ragcore.evaluation.bench import RunConfig
from ragcore.rag import Rag
from tests.browser.conftest import Watched, wait_until_healthy
from tests.fake_ollama import FakeOllama
from tests.pages.conftest import create_database

# The library is filled within the first test's time, on a machine that may be busy.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
ROOT = Path(__file__).parents[2]
CLASSES = "script, iframe, object, embed, video, audio, source, link, img, image, use, base, meta[http-equiv]"


@dataclass
class Recorder:
    """The attacker's server: its address, and what it was asked for."""

    url: str = ""
    hits: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    found = Recorder()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.hits.append(self.path)
            self.send_response(404)
            self.end_headers()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


FAR_OFF = "Who won the football World Cup in France in 1998, and which player scored twice in the final against Brazil?"
"""So far from the document that the gate refuses it for every port: a shorter one came within 0.01 of the cutoff."""


def short(url: str, name: str) -> str:
    """An attack that fits into a name: Markdown, HTML, maths and a directive."""
    return f"![{name}]({url}/{name}.png) <img src={url}/{name}-tag.png> $5 and $6 :red[{name}]"


def for_charts(url: str, name: str) -> str:
    """Plotly reads some tags in its texts, their addresses and their styles among them."""
    style = f"cursor:url({url}/cursor.png),auto;fill:url({url}/fill.svg#a);filter:url({url}/filter.svg#a)"
    return f'<a href="{url}/{name}">x</a><span style="{style}">{name}</span> {short(url, name)}'


def attacks(url: str) -> list[str]:
    """Lines of a text, each of which would make a browser fetch or run something if it were markup."""
    return [
        f"![inline]({url}/inline.png)",
        f"![reference][pic] and [pic]: {url}/reference.png",
        f"[![nested]({url}/nested.png)]({url}/nested-link)",
        f"<img src={url}/img.png onerror=\"document.title='taken'\">",
        f'<picture><source srcset="{url}/source.png"><img src="{url}/picture.png"></picture>',
        f"<div style=\"background:url('{url}/css.png')\">css</div><style>@import url({url}/import.css);</style>",
        f'<svg><image href="{url}/svg.png"/><use href="{url}/use.svg#a"/></svg>',
        f'<video src="{url}/v.mp4" poster="{url}/poster.png"></video><audio src="{url}/a.mp3" autoplay></audio>',
        f'<iframe src="{url}/frame"></iframe><object data="{url}/object"></object><embed src="{url}/embed">',
        f'<meta http-equiv="refresh" content="0;url={url}/refresh"><base href="{url}/">',
        f'<link rel="preload" as="image" href="{url}/preload.png"><link rel="icon" href="{url}/icon.png">',
        f"<script src=\"{url}/script.js\"></script><script>document.title='taken'</script>",
        f"[click here](javascript:fetch('{url}/js'))",
        '![data](data:image/svg+xml;utf8,<svg onload="document.title=1"></svg>)',
        f':color[colour]{{background="url({url}/colour.png)"}} (:blue-background[blue]) (:smile:) (:material/home:)',
        f"&lt;img src={url}/entity.png&gt; and $\\includegraphics{{{url}/maths.png}}$ for $5 and $6",
    ]


def diagram(url: str) -> str:
    """A block of code that Streamlit draws as a diagram, whose images a browser fetches."""
    picture = f'A@{{ img: "{url}/diagram.png", label: "picture", w: 60, h: 60 }}'
    return f"```mermaid\nflowchart TD\n  {picture}\n  A --> B\n```"


@pytest.fixture(scope="module")
def attacked(
    server_url: str, server_home: Path, embedder, recorder: Recorder, tmp_path_factory
) -> Iterator[tuple[str, Settings]]:
    """The app and the settings of its library, in which all that others name or write is an attack."""
    url, folder = recorder.url, tmp_path_factory.mktemp("attacked")
    database_url = create_database(server_url, "postgres")
    text = "The fee of the club is $5 and $6, paid in May [1]."
    reply = "\n\n".join([text, *attacks(url), diagram(url)])
    with FakeOllama({f"m{url}/![model]({url}/model.png)": "chat"}, replies=[reply]) as ollama:
        with open_rag(Settings(home=server_home, database_url=database_url, ollama_host=ollama.host)) as rag:
            rag._embedder = embedder
            fill(rag, url, reply, folder)
        with serving(server_home, database_url, ollama.host, folder / "server.log") as address:
            yield address, Settings(home=server_home, database_url=database_url)


@contextmanager
def serving(home: Path, database_url: str, ollama: str, log: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("RAGCORE_")}
    environment |= {
        "RAGCORE_HOME": str(home),
        "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
        "OLLAMA_HOST": ollama,
    }
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py"]
    options = ["--server.port", str(port), "--server.headless", "true"]
    with log.open("a") as out:
        server = subprocess.Popen([*command, *options], cwd=ROOT, env=environment, stdout=out, stderr=out)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)


COLLECTION = "![c](x) <img src=x> $5 and $6"


def fill(rag: Rag, url: str, reply: str, folder: Path) -> None:
    heading = f"Fees {short(url, 'heading')}"
    written = "\n\n".join(
        [f"# {heading}", "The fee of the club is $5 and $6, paid in May.", *attacks(url), diagram(url)]
    )
    # A browser takes the backslashes of a web address for slashes.
    name = f"{short(url, 'file')}.md".replace("/", "\\")
    report = rag.ingest(written.encode(), name, collection=COLLECTION)
    assert report.status == "indexed", report
    conversation = rag.history.create(short(url, "title"), collection=COLLECTION)
    rag.history.add_turn(
        conversation,
        question=short(url, "before"),
        answer=reply,
        status="complete",
        citations=[],
        trace_id=None,
    )
    rag.abbreviations.add(COLLECTION, "CLB", f"club {short(url, 'long')}")
    questions = [
        (
            "answerable",
            f"What is the fee of the club? {short(url, 'q1')}",
            [[f"$5 {short(url, 'fact')}"]],
            "x",
        ),
        ("general_knowledge", f"Who won the World Cup in 1998? {short(url, 'q2')}", [], ""),
        ("missing_info", f"Who keeps the fees of the club? {short(url, 'q3')}", [], ""),
    ]
    rows = [
        {
            "id": f"f-{number} {short(url, 'id')}",
            "kind": kind,
            "category": for_charts(url, f"category{number}"),
            "difficulty": "easy",
            "split": "test",
            "question": question,
            "facts": facts,
            "gold": [{"document": name, "section": heading, "quote": "The fee of the club is $5 and $6"}]
            if gold
            else [],
            "note": short(url, "note"),
        }
        for number, (kind, question, facts, gold) in enumerate(questions)
    ]
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for stage in ("answers", "refusal"):
        config = RunConfig(
            (str(file),), collection=COLLECTION, stage=stage, options=AskOptions(generator="auto")
        )
        run_id = rag.bench.begin(config, name=f"run {short(url, 'run')}"[:120])
        assert all(outcome.error is None for outcome in rag.bench.carry_out(run_id))
        if stage == "answers":
            for grader in ("Ada", for_charts(url, "grader")):
                for answer in rag.grading.answers(run_id):
                    rag.grading.grade(answer, "partly", grader=grader, note=short(url, "grade"))


@pytest.fixture
def app(attacked: tuple[str, Settings], browse) -> Watched:
    opened = browse(attacked[0])
    opened.settle()
    return opened


def nothing_came_alive(app: Watched, recorder: Recorder, where: str) -> None:
    """Nothing was fetched, no element points to the attacker, nothing became maths, no script ran."""
    page = app.page
    assert recorder.hits == [], where
    pointing = page.evaluate(
        """([names, url]) => [...document.querySelectorAll(names)]
            .filter(one => one.outerHTML.includes(url)).map(one => one.outerHTML)""",
        [CLASSES, recorder.url],
    )
    assert pointing == [], where
    links = page.evaluate(
        """() => [...document.querySelectorAll('a[href]')].filter(one => one.host !== location.host)
            .map(one => [decodeURIComponent(one.getAttribute('href')), one.textContent])
            .filter(([to, read]) => to !== read && to !== 'http://' + read)"""
    )
    assert links == [], f"{where}: links that do not show where they lead"
    assert page.locator(".katex").count() == 0, where
    assert page.locator("[data-testid=stMermaidChart], .mermaid").count() == 0, where
    assert page.title() == "Plumbline", where
    assert app.foreign == [], where


def seen(locator) -> str:
    """What is read there, without the invisible joiners."""
    return locator.inner_text().replace("\u2060", "")


def open_all(page, root) -> None:
    """Unfold whatever is folded there."""
    for box in root.get_by_test_id("stExpander").all():
        if box.locator("details:not([open])").count():
            box.locator("summary").click()


def shown_as_stored(answer, settings: Settings) -> str:
    """Every line of the last answer is read letter by letter; returns what is read."""
    with open_rag(settings) as rag:
        newest = rag.history.conversations()[0]
        stored = rag.history.messages(newest.id)[-1].content
    said = " ".join(seen(answer).split())
    for line in stored.splitlines():
        if not line.startswith("```"):
            assert " ".join(line.split()) in said
    return said


def copies_carry_the_citations(app: Watched, answer) -> None:
    """By the button, and by the mouse."""
    page = app.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer.get_by_role("button", name="Copy", exact=False).first.click()
    shown = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode")
    shown.hover()
    shown.get_by_role("button", name="Copy to clipboard").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    marker = "file-tag.png> $5 and $6 -red(file).md:"
    assert copied.startswith(f"The fee of the club is $5 and $6, paid in May [{marker}")
    assert f"\n[{marker}" in copied and "“The fee of the club is $5 and $6, paid in May.”" in copied
    assert "\u2060" not in copied
    page.keyboard.press("Escape")
    page.evaluate("navigator.clipboard.writeText('')")
    first = answer.get_by_test_id("stMarkdownContainer").first.locator("p").first
    first.click(click_count=3)
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()").startswith(
        f"The fee of the club is $5 and $6, paid in May [{marker}"
    )


def test_chat(app, attacked, recorder):
    page, url = app.page, recorder.url
    # An answer with all of the attacks, as one may be stored from before sentences were checked.
    page.locator("[class*=st-key-conversations] button").first.click()
    page.get_by_text("The fee of the club").first.wait_for()
    # Code is coloured by a script that is loaded late.
    page.get_by_text("flowchart TD").first.wait_for()
    app.settle()
    said = shown_as_stored(page.get_by_test_id("stChatMessage").last, attacked[1])
    assert all(" ".join(attack.split()) in said for attack in attacks(url))
    assert f'img: "{url}/diagram.png"' in said
    nothing_came_alive(app, recorder, "stored answer")

    page.get_by_role("button", name="New conversation").click()
    app.settle()
    app.ask(f"What is the fee of the club? {short(url, 'asked')}")
    # While it is being written: half an image, half a block of code.
    page.get_by_test_id("stChatMessage").last.get_by_text("paid in May").first.wait_for()
    nothing_came_alive(app, recorder, "answer on its way")
    page.locator(".stMarkdownBadge", has_text="evidence").first.wait_for()
    app.settle()
    answer = page.get_by_test_id("stChatMessage").last
    for where in ("answer", "answer after a reload"):
        answer.get_by_text("How this was answered").wait_for()
        app.settle()
        nothing_came_alive(app, recorder, where)
        shown_as_stored(answer, attacked[1])
        assert short(url, "asked") in seen(page.get_by_test_id("stChatMessage").first)
        if where == "answer":
            page.reload()
    answer.get_by_text("How this was answered").click()
    page.locator(".pl-receipt").wait_for()
    assert short(url, "asked") in page.locator(".pl-receipt").inner_text()
    page.locator("[class*=st-key-conversations] button").first.hover()
    page.get_by_role("tooltip").wait_for()
    nothing_came_alive(app, recorder, "receipt and tooltip")

    copies_carry_the_citations(app, answer)
    chip = answer.get_by_test_id("stPopover").first.get_by_role("button")
    chip.click()
    page.locator(".pl-passage").first.wait_for()
    nothing_came_alive(app, recorder, "citation")
    page.get_by_role("button", name="Show in the document").click()
    page.get_by_role("dialog").locator(".pl-passage mark").wait_for()
    # The cited chunk holds the heading, which is an attack like every other name.
    assert short(url, "heading") in page.get_by_role("dialog").locator(".pl-passage").inner_text()
    nothing_came_alive(app, recorder, "cited place")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("dialog").wait_for(state="detached")
    app.settle()

    app.ask(f"{FAR_OFF} {short(url, 'refused')}")
    page.get_by_text("Nearest misses, not used as sources").wait_for()
    app.settle()
    nothing_came_alive(app, recorder, "refusal")


def test_documents_and_status(app, recorder):
    page, url = app.page, recorder.url
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Documents").click()
    page.get_by_role("heading", name="Documents").wait_for()
    app.settle()
    page.get_by_test_id("stMain").get_by_role("combobox", name="Collection").click()
    page.get_by_role("option", name=COLLECTION, exact=True).click()
    page.get_by_role("button", name="Chunks").wait_for()
    app.settle()
    assert "file-tag.png> $5 and $6 -red(file).md" in seen(page.get_by_test_id("stMain"))
    nothing_came_alive(app, recorder, "documents")
    page.get_by_role("button", name="Abbreviations").click()
    page.get_by_role("dialog").get_by_text("Your own · 1").click()
    page.get_by_text("CLB").first.wait_for()
    nothing_came_alive(app, recorder, "abbreviations")
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Keep it").click()
    app.settle()
    page.get_by_role("button", name="Chunks").click()
    page.locator(".pl-passage").first.wait_for()
    assert attacks(url)[3] in page.get_by_test_id("stMain").inner_text()
    nothing_came_alive(app, recorder, "chunks")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Status").click()
    page.get_by_text("Models for answering").wait_for()
    app.settle()
    nothing_came_alive(app, recorder, "status")


def test_bench(app, recorder):
    page, url = app.page, recorder.url
    for view in ("", "?run=1&view=metrics", "?run=1&view=settings"):
        page.goto(f"{app.url}/eval_results{view}")
        page.get_by_role("heading", name="Eval results").wait_for()
        app.settle()
        nothing_came_alive(app, recorder, f"eval results{view}")
        if "metrics" in view:
            page.get_by_test_id("stMain").get_by_text("Category", exact=True).click()
            page.locator(".js-plotly-plot .ytick", has_text="category1").first.wait_for()
            nothing_came_alive(app, recorder, "chart of categories")
    page.goto(f"{app.url}/eval_results?run=1")
    page.get_by_role("button", name="Read one by one").click()
    page.get_by_text("Retrieved").wait_for()
    app.settle()
    open_all(page, page.get_by_test_id("stMain"))
    app.settle()
    said = " ".join(seen(page.get_by_test_id("stMain")).split())
    for written in (
        attacks(url)[1],
        short(url, "note"),
        short(url, "grade"),
        short(url, "fact"),
    ):
        assert written in said
    nothing_came_alive(app, recorder, "question opened")

    page.goto(f"{app.url}/grading?run=1")
    page.get_by_text("Who is grading?").wait_for()
    app.settle()
    nothing_came_alive(app, recorder, "graders")
    page.get_by_role("button", name="Ada").click()
    page.get_by_text("What the set expects").wait_for()
    app.settle()
    page.get_by_text("Blind", exact=True).click()
    page.get_by_test_id("stMain").get_by_text("Automatic grade:").wait_for()
    app.settle()
    open_all(page, page.get_by_test_id("stMain"))
    nothing_came_alive(app, recorder, "grading")
    page.get_by_text("Agreement", exact=True).click()
    page.locator(".js-plotly-plot").last.wait_for()
    app.settle()
    nothing_came_alive(app, recorder, "agreement")

    page.goto(f"{app.url}/threshold")
    page.get_by_label("Question", exact=True).fill(f"What is the fee? {short(url, 'tried')}")
    page.get_by_role("button", name="Try", exact=True).click()
    page.get_by_text("best match").wait_for()
    app.settle()
    mark = page.locator(".js-plotly-plot .annotation").last
    hovered = page.locator(".hoverlayer .hovertext")
    for _ in range(30):
        # A page that is still settling moves the mark away from under the mouse.
        mark.evaluate("one => one.scrollIntoView({block: 'center'})")
        box = mark.bounding_box()
        page.mouse.move(0, 0)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(500)
        if hovered.count():
            break
    hovered.wait_for()
    assert "![tried]" in (hovered.text_content() or "")
    nothing_came_alive(app, recorder, "threshold")
