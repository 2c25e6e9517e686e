"""Whether a text says the answer to a question, by a small model that comes with the code.

A cross-encoder: six layers of 384 dimensions read question and text together (Nogueira and Cho 2019,
Passage Re-ranking with BERT). It began as the bundled embedder, whose vocabulary and word embeddings it
still shares, so only its layers are stored here. Trained on SQuAD 1.1 (Rajpurkar et al. 2016) with texts
from which the answer was taken out, then on invented documents, as training/README.md tells; on no question of eval_data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ragcore.models.sentence_transformer import bundled_folder

if TYPE_CHECKING:
    from transformers import BertForSequenceClassification

WEIGHTS = Path(__file__).with_name("answer_judge.safetensors")
"""float16, without the embeddings."""
EMBEDDINGS = "bert.embeddings."
MAX_TOKENS = 192
"""Of question and text together; what is longer loses the end of the text."""
BATCH = 32


class AnswerJudge:
    """Reads question and text together. Loaded at the first use; safe between threads."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._weights = weights
        self._lock = Lock()

    @cached_property
    def digest(self) -> str:
        """sha256 of the stored weights: what coefficients that were fitted to its figures belong to."""
        with self._weights.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def log_odds(self, question: str, texts: Sequence[str]) -> np.ndarray:
        """For each text how likely it says the answer, in log-odds; float32 (n_texts,).

        Raises ModelMissing when the bundled embedder, whose word embeddings it shares, is not installed.
        """
        import torch

        found = np.empty(len(texts), np.float32)
        # Like lengths together, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        with self._lock, torch.inference_mode():
            for start in range(0, len(order), BATCH):
                places = order[start : start + BATCH]
                pairs = self._tokenizer.encode_batch([(question, texts[place]) for place in places])
                logits = self._model(
                    input_ids=torch.tensor([pair.ids for pair in pairs]),
                    token_type_ids=torch.tensor([pair.type_ids for pair in pairs]),
                    attention_mask=torch.tensor([pair.attention_mask for pair in pairs]),
                ).logits
                found[places] = logits[:, 0].numpy()
        return found

    @cached_property
    def _tokenizer(self):
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(bundled_folder() / "tokenizer.json"))
        tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
        tokenizer.enable_padding()
        return tokenizer

    @cached_property
    def _model(self) -> BertForSequenceClassification:
        from safetensors.torch import load_file
        from transformers import BertConfig, BertForSequenceClassification

        folder = bundled_folder()
        config = BertConfig.from_pretrained(str(folder), num_labels=1)
        model = BertForSequenceClassification(config)
        state = {name: tensor.float() for name, tensor in load_file(self._weights).items()}
        shared = {f"bert.{name}": tensor for name, tensor in load_file(folder / "model.safetensors").items()}
        state |= {name: shared[name] for name in model.state_dict() if name.startswith(EMBEDDINGS)}
        model.load_state_dict(state)
        return model.eval()
