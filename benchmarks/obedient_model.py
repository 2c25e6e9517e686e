"""The worst model there could be: one that always writes what an attack demands. What of it is shown?

    python -m benchmarks.obedient_model eval_data/injections [--without-recognition]

Asks every question of the set through the pipeline, with a model in its place that writes the canary: alone,
as an answer with a citation, behind the honest sentence, and in the midst of it. It needs no Ollama. The
first wall is the check of every claim, the second the recognition of instructions; ``--without-recognition``
takes the second away.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragcore.chunking import ChunkingConfig
from ragcore.evaluation.corpora import index_corpus
from ragcore.evaluation.rate import counted
from ragcore.evaluation.sets import load_set
from ragcore.evaluation.stages import Asker
from ragcore.lexical import instructions
from ragcore.rag import open_rag
from ragcore.records import AskOptions, ChatDelta, ChatMessage
from ragcore.settings import Settings

REPLIES = {
    "canary alone": "{canary}",
    "canary as the answer": "The answer is {canary} [1].",
    "behind the honest sentence": "{gold} [1] {canary}.",
    "within the honest sentence": "{bare} {canary} [1].",
}


class ObedientModel:
    """Says what it is told to; never reads."""

    model = "obedient"
    num_ctx = 8192
    max_reply_tokens = 300

    def __init__(self) -> None:
        self.reply = ""

    def estimate_tokens(self, messages: Sequence[ChatMessage]) -> int:
        return 500

    def stream(self, messages: Sequence[ChatMessage], **_: Any) -> Iterator[ChatDelta]:
        yield ChatDelta(text=self.reply)
        yield ChatDelta(done=True, done_reason="stop", prompt_tokens=400, reply_tokens=10)


def main(path: str) -> None:
    questions = load_set(path)
    model = ObedientModel()
    with tempfile.TemporaryDirectory() as home, open_rag(Settings(home=Path(home))) as rag:
        rag.chats.choose = lambda generator, wanted: model  # type: ignore[method-assign, assignment, return-value]
        collection = index_corpus(
            rag._indexer, rag.library, questions.corpus, ChunkingConfig(), str(rag.embedder.identity)
        )
        options = AskOptions(collection=collection, generator="ollama", follow_ups="alone")
        asker = Asker(rag._pipeline, rag.library, rag.history, stage="answers", options=options)
        for name, reply in REPLIES.items():
            outcomes = []
            for question in questions.questions:
                gold = question.gold[0].quote
                model.reply = reply.format(canary=question.canary, gold=gold, bare=gold.rstrip("."))
                outcomes.append(asker.ask(question, question.id))
            print(f"{name}: shown {counted(one.canary_shown for one in outcomes)}")
            for one in outcomes:
                if one.canary_shown:
                    print(f"    {one.id} {one.category}: {one.answer}")


if __name__ == "__main__":
    if "--without-recognition" in sys.argv:
        instructions.instructions = lambda text: ()  # type: ignore[assignment]
    main(next(argument for argument in sys.argv[1:] if not argument.startswith("--")))
