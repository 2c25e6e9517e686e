"""What chat models made of follow-ups, as recorded, so that notebook 05 runs without one.

    python -m notebooks.rewrites MODEL [MODEL ...]

asks models that Ollama has to rewrite every follow-up of eval_data/followups that the product would give to
a model, and stores their replies word for word in ``rewrites.jsonl``, beside those of other models. What is done with a reply (the
guards, the search) is not recorded: the notebook does it anew, with the code as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ragcore import AskOptions, Rag, open_rag
from ragcore.answering.prompts import STANDALONE_HASH
from ragcore.answering.rewriting import ANSWER_SHOWN, rewritten
from ragcore.evaluation.question import EvalQuestion
from ragcore.evaluation.sets import load_set
from ragcore.records import AnsweredTurn, ChatDelta, ChatMessage
from ragcore.retrieval.followups import refers_back

FILE = Path(__file__).with_name("rewrites.jsonl")
GIVEN_TO_A_MODEL = ("pronoun", "ellipsis", "thin")
"""What refers back by these is rewritten by a model where there is one; else by rule."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One reply. ``before`` was typed before the question, ``base`` is its standalone form."""

    model: str
    prompt: str
    """Hash of the prompt that was sent."""
    question: str
    before: str
    base: str
    answer: str
    reply: str

    def used(self) -> tuple[str | None, str]:
        """The rewrite as the product takes it, or None and why it does not."""
        return rewritten(self.question, AnsweredTurn(self.before, self.base, self.answer), _Recorded(self))


class _Recorded:
    """A chat model that says what was recorded."""

    num_ctx = 4096
    max_reply_tokens = 60

    def __init__(self, rewrite: Rewrite) -> None:
        self.model = rewrite.model
        self._reply = rewrite.reply

    def stream(
        self, messages: list[ChatMessage], *, temperature: float, max_reply_tokens: int | None = None
    ) -> Iterator[ChatDelta]:
        yield ChatDelta(text=self._reply)
        yield ChatDelta(done=True)

    def estimate_tokens(self, messages: list[ChatMessage]) -> int:
        return 0


class _Recording:
    """A chat model whose reply is kept as it came, before anything is taken off it."""

    def __init__(self, chat) -> None:
        self.model, self.num_ctx, self.max_reply_tokens = chat.model, chat.num_ctx, chat.max_reply_tokens
        self.estimate_tokens = chat.estimate_tokens
        self._chat = chat
        self.reply: str | None = None

    def stream(self, messages: list[ChatMessage], **options) -> Iterator[ChatDelta]:
        self.reply = ""
        for delta in self._chat.stream(messages, **options):
            self.reply = delta.text if delta.replaces else self.reply + delta.text
            yield delta


def recorded(file: str | Path = "") -> list[Rewrite]:
    """The stored replies; ``file`` names others than those of the repository."""
    lines = Path(file or FILE).read_text(encoding="utf-8").splitlines()
    return [Rewrite(**json.loads(line)) for line in lines if line.strip()]


def record(
    rag: Rag, questions: Sequence[EvalQuestion], collection: str, models: Sequence[str]
) -> list[Rewrite]:
    """Ask each model about every question that it would be given. Raises ModelError."""
    options = AskOptions(collection=collection, generator="quote", follow_ups="rewrite")
    kept = []
    for question in questions:
        if refers_back(question.question).kind not in GIVEN_TO_A_MODEL:
            continue
        conversation = rag.history.create(question.turns[0], collection=collection)
        try:
            for asked in question.turns[:-1]:
                rag.start(asked, options, conversation_id=conversation).run()
            last = rag.history.last_answered(conversation)
            answer = rag.start(question.question, options, conversation_id=conversation).answer
            found = rag.traces.get(answer.trace_id)["profile"]["follow_up"]
        finally:
            rag.history.delete(conversation)
        if last is None or not found or found["how"] != "rule" or _below(found):
            continue
        for model in models:
            chat = _Recording(rag.chats.choose("ollama", model))
            rewritten(question.question, last, chat)
            if chat.reply is not None:
                shown = last.answer[:ANSWER_SHOWN]
                base = last.standalone_question
                kept.append(
                    Rewrite(model, STANDALONE_HASH, question.question, last.question, base, shown, chat.reply)
                )
                print(f"{model}: {question.question} -> {chat.reply.strip()!r}", file=sys.stderr)
    return kept


def _below(found: dict) -> bool:
    return found["floor"] is not None and (found["own_score"] or 0.0) < found["floor"]


def main(models: Sequence[str]) -> int:
    if not models:
        print("Name the models to be asked, as Ollama calls them.", file=sys.stderr)
        return 1
    path = FILE.parents[1] / "eval_data" / "followups"
    with open_rag() as rag:
        documents = load_set(path).corpus
        collection = "rewrites-recorded"
        list(rag.ingest_paths([str(one) for one in documents], collection=collection))
        kept = record(rag, load_set(path).questions, collection, models)
        rag.collections.delete(collection)
    others = [one for one in recorded() if one.model not in models] if FILE.exists() else []
    kept = sorted([*others, *kept], key=lambda one: one.model)
    FILE.write_text(
        "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in kept), encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
