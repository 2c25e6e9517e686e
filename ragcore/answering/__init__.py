"""From a question to a cited answer or an honest refusal."""

from ragcore.answering.pipeline import Pipeline
from ragcore.answering.turn import Turn

__all__ = ["Pipeline", "Turn"]
