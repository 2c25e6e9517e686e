"""Every failure that ragcore reports, as one tree.

    RagError                      catch this to catch them all
    ├── InputError                the caller asked for something impossible
    │   ├── SettingsError         an environment variable or option has a bad value
    │   └── NotFound              a collection, document, conversation or trace is not there
    ├── FileRejected              one file cannot be indexed; the others go on
    │   ├── UnsupportedFile       a type that is not read (or an old format of one that is)
    │   ├── EmptyFile             nothing in it
    │   ├── NoTextLayer           pages are pictures; needs OCR
    │   ├── PasswordProtected     a password is needed
    │   ├── BrokenFile            damaged, or not what its name says
    │   └── FileTooLarge          over a limit (bytes, pages, inflated bytes, entries, time)
    ├── ModelError                an embedding or chat model could not do its part
    │   ├── EmbeddingError        vectors are missing, non-finite, zero or of a wrong width
    │   ├── EmbedderMismatch      the collection was indexed by another embedder; re-embed
    │   ├── ModelUnreachable      no server answers at the address
    │   ├── ModelMissing          the server does not have the model
    │   └── ModelStalled          no first or no next token in time, or the stream broke
    ├── GraderBroken              a grader gives sentinels a wrong grade, so nothing it says counts
    ├── StorageError              the database cannot be opened, migrated or written
    └── Cancelled                 the user stopped long work; nothing of it is kept

Messages are one or two sentences that say what was tried, the value met and the next step;
they are shown to users as they are.
"""


class RagError(Exception):
    """Base of every error that ragcore raises on purpose."""


class InputError(RagError):
    """The caller asked for something impossible."""


class SettingsError(InputError):
    """An environment variable or an option has a value that cannot be used."""


class NotFound(InputError):
    """A collection, document, conversation or trace that does not exist."""


class FileRejected(RagError):
    """One file cannot be indexed. Nothing of it is stored."""


class UnsupportedFile(FileRejected):
    """A file type that is not read."""


class EmptyFile(FileRejected):
    """A file without any content."""


class NoTextLayer(FileRejected):
    """A PDF whose pages are pictures only."""


class PasswordProtected(FileRejected):
    """A file that opens only with a password."""


class BrokenFile(FileRejected):
    """A damaged file, or one that is not what its name says."""


class FileTooLarge(FileRejected):
    """A file over one of the limits."""


class ModelError(RagError):
    """An embedding or chat model could not do its part."""


class EmbeddingError(ModelError):
    """Vectors that are missing, non-finite, zero or of the wrong width, or text that is too long."""


class EmbedderMismatch(ModelError):
    """A collection that was indexed by another embedder than the one in use."""


class ModelUnreachable(ModelError):
    """No model server answers at the configured address."""


class ModelMissing(ModelError):
    """The model server does not have the model that was asked for."""


class ModelStalled(ModelError):
    """The first or the next token did not come in time, or the stream broke midway."""


class GraderBroken(RagError):
    """A grader that gives a known answer the wrong grade; the run stops before it counts anything."""


class StorageError(RagError):
    """The database cannot be opened, migrated or written."""


class Cancelled(RagError):
    """Long work that was stopped on request."""
