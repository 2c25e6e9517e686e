"""Train the answer judge on SQuAD 1.1 and on invented documents, from the bundled embedder or from an earlier pass.

    python -m training.train_answer_judge TRAIN_JSON DEV_JSON FOLDER [--questions 30000] [--invented 0] [--seed 37]
        [--start FOLDER|shipped] [--learning-rate 6e-5] [--write]

One pass over about three pairs a question (training/squad_pairs.py), with those of the invented documents (training/invented_pairs.py)
among them so many times; the word embeddings stay as they are. Now and then, on questions of DEV_JSON: how often the sign of
the log-odds is right, and the AUROC of texts with the answer against each kind without; and on passages held out of the
invented ones the AUROC of a question's best line. ``--write`` stores the layers as float16 in ragcore/models, from
where the product loads them; then fit the second opinion anew: python -m benchmarks.second_opinion.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from sklearn.metrics import roc_auc_score
from transformers import AutoTokenizer, BertForSequenceClassification

from ragcore.models.answer_judge import EMBEDDINGS, WEIGHTS
from ragcore.models.sentence_transformer import bundled_folder
from training import invented_pairs
from training.squad_pairs import Pair, pairs

BATCH = 48
MAX_TOKENS = 128
DEV_QUESTIONS = 900
REPORT_EVERY = 600
POSITIVE_WEIGHT = 1.5
"""About two texts of three have no answer."""
SHIPPED = Path("shipped")


def batches(found: Sequence[Pair], rng: random.Random) -> Iterator[list[Pair]]:
    """In drawn order, but like lengths together: little is spent on padding."""
    found = rng.sample(found, len(found))
    for start in range(0, len(found), BATCH * 50):
        block = sorted(found[start : start + BATCH * 50], key=lambda one: len(one.question) + len(one.text))
        cut = [block[i : i + BATCH] for i in range(0, len(block), BATCH)]
        rng.shuffle(cut)
        yield from cut


class Trainer:
    def __init__(self, start: Path | None, learning_rate: float, steps: int) -> None:
        """``start``: a folder of an earlier pass, or ``shipped`` for the weights in ragcore/models."""
        shipped = start == SHIPPED
        start = bundled_folder() if start is None or shipped else start
        self.tokenizer = AutoTokenizer.from_pretrained(str(start))
        # Of the attention kernels the plain one is by far the fastest to train on a processor.
        self.model = BertForSequenceClassification.from_pretrained(
            str(start),
            num_labels=1,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        if shipped:
            layers = {name: one.float() for name, one in load_file(WEIGHTS).items()}
            self.model.load_state_dict(layers, strict=False)
        self.model.bert.embeddings.requires_grad_(False)
        trained = [one for one in self.model.parameters() if one.requires_grad]
        self.optimizer = torch.optim.AdamW(trained, lr=learning_rate, weight_decay=0.01, fused=True)
        warm = max(1, steps // 15)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer,
            lambda step: min((step + 1) / warm, max(0.02, (steps - step) / max(1, steps - warm))),
        )

    def log_odds(self, batch: Sequence[Pair]) -> torch.Tensor:
        encoded = self.tokenizer(
            [one.question for one in batch],
            [one.text for one in batch],
            truncation="only_second",
            max_length=MAX_TOKENS,
            padding=True,
            return_tensors="pt",
        )
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.model(**encoded).logits[:, 0].float()

    def step(self, batch: Sequence[Pair]) -> float:
        truth = torch.tensor([float(one.answers) for one in batch])
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            self.log_odds(batch), truth, pos_weight=torch.tensor(POSITIVE_WEIGHT)
        )
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad()
        return loss.item()

    def scores(self, found: Sequence[Pair]) -> list[float]:
        with torch.inference_mode():
            return [
                score
                for start in range(0, len(found), 64)
                for score in self.log_odds(found[start : start + 64]).tolist()
            ]

    def report(self, dev: Sequence[Pair], invented: Sequence[invented_pairs.Asked]) -> None:
        scores = self.scores(dev)
        right = sum((score > 0) == one.answers for score, one in zip(scores, dev, strict=True))
        print(f"  right {right}/{len(dev)}")
        for kind in sorted({one.kind for one in dev if not one.answers}):
            with_answer = "yes or no" if kind.startswith("yes") else "answer"
            compared = [
                (one.answers, score)
                for score, one in zip(scores, dev, strict=True)
                if one.kind in (kind, with_answer)
            ]
            print(f"  AUROC {roc_auc_score(*zip(*compared, strict=True)):.3f}  {kind}")
        lines = iter(
            self.scores([Pair(one.question, text, False, "") for one in invented for text in one.lines])
        )
        best = [max(next(lines) for _ in one.lines) for one in invented]
        truth = [one.answer is not None for one in invented]
        print(
            f"  AUROC {roc_auc_score(truth, best):.3f}  best line, invented documents ({len(truth)} questions)"
        )

    def save(self, folder: Path) -> None:
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=30000)
    parser.add_argument("--invented", type=int, default=0)
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--learning-rate", type=float, default=6e-5)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    torch.manual_seed(given.seed)
    train = list(pairs(given.train, questions=given.questions, seed=given.seed))
    told = invented_pairs.asked(held_out=False)
    for turn in range(given.invented):
        train += invented_pairs.pairs(told, seed=given.seed + turn)
    dev = list(pairs(given.dev, questions=DEV_QUESTIONS, seed=given.seed))
    held_out = invented_pairs.asked(held_out=True)
    steps = -(-len(train) // BATCH)
    trainer = Trainer(given.start, given.learning_rate, steps)
    started = time.perf_counter()
    for number, batch in enumerate(batches(train, random.Random(given.seed)), start=1):
        loss = trainer.step(batch)
        if number % REPORT_EVERY == 0 or number == steps:
            print(f"{number}/{steps}, loss {loss:.3f}, {time.perf_counter() - started:.0f} s", flush=True)
            trainer.report(dev, held_out)
            trainer.save(given.folder)
    if given.write:
        state = load_file(given.folder / "model.safetensors")
        layers = {
            name: one.half().contiguous() for name, one in state.items() if not name.startswith(EMBEDDINGS)
        }
        save_file(layers, WEIGHTS)
        print(f"written: {WEIGHTS}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
