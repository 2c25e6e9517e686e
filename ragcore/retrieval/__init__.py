"""Finding evidence for a question, and deciding whether it is good enough."""

from ragcore.retrieval.abbreviations import Abbreviations
from ragcore.retrieval.gate import GateBands, decide, nothing_asked, reconsidered
from ragcore.retrieval.searching import Retrieval, Retriever
from ragcore.retrieval.second_opinion import signals_opinion

__all__ = [
    "Abbreviations",
    "GateBands",
    "Retrieval",
    "Retriever",
    "decide",
    "nothing_asked",
    "reconsidered",
    "signals_opinion",
]
