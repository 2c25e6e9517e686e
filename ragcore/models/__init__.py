"""The outside models: embedding in this process or by Ollama, and chat by Ollama.

Nothing else in ragcore imports sentence-transformers, ollama or httpx.
"""

from ragcore.models.answer_judge import AnswerJudge
from ragcore.models.chat import OllamaChat
from ragcore.models.choosing import ChatModels
from ragcore.models.embedding import Embedder
from ragcore.models.ollama_server import OllamaServer
from ragcore.models.opening import open_embedder
from ragcore.models.profiles import PROFILES, Profile, profile_for
from ragcore.models.tokens import estimate_tokens

__all__ = [
    "PROFILES",
    "AnswerJudge",
    "ChatModels",
    "Embedder",
    "OllamaChat",
    "OllamaServer",
    "Profile",
    "estimate_tokens",
    "open_embedder",
    "profile_for",
]
