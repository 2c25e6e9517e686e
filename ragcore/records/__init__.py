"""The frozen records that travel between the rooms of ragcore.

They carry data and derive small facts from it. They know no library, no database and no
model. Offsets are in characters; pages are physical and 1-based; scores are cosine
similarities (higher is better, not clamped).
"""

from ragcore.records.answers import (
    Answer,
    AskOptions,
    Band,
    Candidate,
    Citation,
    ConversationInfo,
    GateDecision,
    Message,
    Passage,
    RefusalStage,
    location,
)
from ragcore.records.documents import (
    PAGE_SEPARATOR,
    Chunk,
    CollectionInfo,
    DocumentInfo,
    Heading,
    IngestReport,
    Page,
    Progress,
    SourceDocument,
    Upload,
    UploadStatus,
    page_at,
)
from ragcore.records.health import DocumentHealth
from ragcore.records.models import (
    ChatDelta,
    ChatMessage,
    EmbedderIdentity,
    ModelCard,
)

__all__ = [
    "PAGE_SEPARATOR",
    "Answer",
    "AskOptions",
    "Band",
    "Candidate",
    "ChatDelta",
    "ChatMessage",
    "Chunk",
    "Citation",
    "CollectionInfo",
    "ConversationInfo",
    "DocumentHealth",
    "DocumentInfo",
    "EmbedderIdentity",
    "GateDecision",
    "Heading",
    "IngestReport",
    "Message",
    "ModelCard",
    "Page",
    "Passage",
    "Progress",
    "RefusalStage",
    "SourceDocument",
    "Upload",
    "UploadStatus",
    "location",
    "page_at",
]
