"""Finding evidence for a question, and deciding whether it is good enough."""

from ragcore.retrieval.dense import DenseRetriever, Retrieval
from ragcore.retrieval.gate import GateBands, decide

__all__ = ["DenseRetriever", "GateBands", "Retrieval", "decide"]
