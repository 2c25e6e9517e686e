"""Guards for zip containers (every .docx is one), and what kind of container it is.

All limits are counted while unpacking: the sizes in a zip's directory can lie.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib

from ragcore.errors import BrokenFile, FileTooLarge, PasswordProtected, UnsupportedFile

from .limits import ReadingLimits, human_size

_PIECE_BYTES = 1 << 16
_RATIO_FROM_BYTES = 1 << 20
_DOCX_MAIN = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def check_docx(data: bytes, file_name: str, limits: ReadingLimits) -> None:
    """Passes for a sound Word document (.docx) within the limits.

    Raises UnsupportedFile for other containers, PasswordProtected for encrypted entries,
    FileTooLarge for one that unpacks to too much, BrokenFile for a damaged one.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            entries = container.infolist()
            if len(entries) > limits.max_zip_entries:
                raise FileTooLarge(
                    f"{file_name} holds {len(entries)} entries, more than the {limits.max_zip_entries} "
                    "that are unpacked. Save it anew from Word."
                )
            _check_kind(container, file_name)
            if any(entry.flag_bits & 0x1 for entry in entries):
                raise PasswordProtected(f"{file_name} is encrypted. Save it without a password first.")
            _check_inflation(container, entries, len(data), file_name, limits)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, OSError, ValueError) as error:
        raise BrokenFile(
            f"{file_name} is damaged and cannot be unpacked. Open it in Word and save it again."
        ) from error
    except NotImplementedError as error:
        raise BrokenFile(
            f"{file_name} is packed in a way that Word does not use. Open it in Word and save it again."
        ) from error


def _check_kind(container: zipfile.ZipFile, file_name: str) -> None:
    names = set(container.namelist())
    if "[Content_Types].xml" in names:
        with container.open("[Content_Types].xml") as stream:
            types = stream.read(1 << 20)
        if _DOCX_MAIN in types:
            return
        if b"ms-word.document.macroEnabled" in types or b"ms-word.template.macroEnabled" in types:
            advice = "is a Word document with macros (.docm). Save it as .docx without macros"
        elif b"wordprocessingml.template" in types:
            advice = "is a Word template (.dotx). Save it as a .docx document"
        elif b"spreadsheetml" in types or b"ms-excel" in types:
            advice = "is an Excel workbook. Save the sheets as .csv, or the workbook as PDF"
        elif b"presentationml" in types or b"ms-powerpoint" in types:
            advice = "is a PowerPoint presentation. Export it as PDF"
        else:
            raise BrokenFile(
                f"{file_name} is an Office file without a document in it. Open it in Word and save it as .docx."
            )
        raise UnsupportedFile(f"{file_name} {advice}.")
    if "word/document.xml" in names:
        raise BrokenFile(f"{file_name} is a damaged Word document. Open it in Word and save it again.")
    kind = container.read("mimetype")[:200] if "mimetype" in names else b""
    if b"opendocument.text" in kind:
        advice = "is an OpenDocument text (.odt). Save it as .docx or PDF"
    elif b"opendocument" in kind:
        advice = "is an OpenDocument file. Save it as PDF"
    elif b"epub" in kind:
        advice = "is an e-book (EPUB). Convert it to PDF"
    elif any(name.endswith(".iwa") for name in names):
        advice = "is an Apple iWork file. Export it as PDF or .docx"
    else:
        advice = "is a ZIP archive. Unpack it and add the files in it"
    raise UnsupportedFile(f"{file_name} {advice}.")


def _check_inflation(
    container: zipfile.ZipFile,
    entries: list[zipfile.ZipInfo],
    packed_bytes: int,
    file_name: str,
    limits: ReadingLimits,
) -> None:
    inflated = 0
    for entry in entries:
        with container.open(entry) as stream:
            while piece := stream.read(_PIECE_BYTES):
                inflated += len(piece)
                if inflated > limits.max_inflated_bytes:
                    raise FileTooLarge(
                        f"{file_name} unpacks to more than {human_size(limits.max_inflated_bytes)} and was "
                        "not read. Save it anew with smaller pictures, or split it."
                    )
                if inflated > _RATIO_FROM_BYTES and inflated > limits.max_zip_ratio * packed_bytes:
                    raise FileTooLarge(
                        f"{file_name} unpacks to more than {limits.max_zip_ratio:.0f} times its size, as "
                        "harmful files do, and was not read. Save it anew from Word."
                    )


def without_dangling_relations(data: bytes) -> bytes:
    """A copy of a package without the relationships to parts that are not in it.

    Some programs write ``Target="NULL"`` for pictures they could not embed. Word ignores that;
    python-docx raises KeyError.
    """
    from lxml import etree

    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        names = set(source.namelist())
        for name in names:
            content = source.read(name)
            if name.endswith(".rels"):
                # "word/_rels/document.xml.rels" holds targets relative to "word/".
                folder = posixpath.dirname(posixpath.dirname(name))
                root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
                for relation in list(root):
                    path = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", "")))
                    if relation.get("TargetMode") != "External" and path.lstrip("/") not in names:
                        root.remove(relation)
                content = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
            target.writestr(name, content)
    return out.getvalue()
