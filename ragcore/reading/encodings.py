"""Bytes of a text file -> str.

The order: a byte order mark; strict UTF-8 without NULs; the pattern that NULs make in UTF-16;
then a guess, which is always named to the user. No byte is ever dropped in silence.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter

from ragcore.errors import UnsupportedFile

# UTF-32 before UTF-16: the little-endian mark of the first begins with that of the second.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 200_000
# Western text has few letters outside ASCII; above this share another script is more likely.
# A few words are too little to tell scripts apart, so they have to be clearer.
_WESTERN_SHARE = 0.25
_SHORT_BYTES, _SHORT_WESTERN_SHARE = 40, 0.6
_SOUND_PER_FLAW = 5
_BLANK_SHARE = 0.03
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decode_text(data: bytes, file_name: str) -> tuple[str, tuple[str, ...]]:
    """The text of a file and the warnings about its encoding.

    Raises UnsupportedFile for bytes that are no text in any encoding.
    """
    text, warnings = _decode(data, file_name)
    sample = text[:_SAMPLE_BYTES]
    if sample and len(_CONTROLS.findall(sample)) > max(3, 0.02 * len(sample)):
        raise UnsupportedFile(
            f"{file_name} does not contain text. Export it as PDF, .docx, Markdown or plain text first."
        )
    return text, warnings


def _decode(data: bytes, file_name: str) -> tuple[str, tuple[str, ...]]:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _with_replacement(data[len(mark) :], codec, file_name)
    nul_codec = _codec_by_nul_pattern(data)
    if nul_codec:
        text, warnings = _with_replacement(data, nul_codec, file_name)
        return text, (f"{file_name} was read as {nul_codec.upper()} (a guess: it has no mark).", *warnings)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        # A file cut by a download or a copy ends in the middle of a character.
        if error.start >= len(data) - 3 and error.reason == "unexpected end of data":
            return _with_replacement(data, "utf-8", file_name)
    if _is_utf8_but_for_flaws(data):
        return _with_replacement(data, "utf-8", file_name)
    codec = _guess(data)
    text, warnings = _with_replacement(data, codec, file_name)
    shown = "Windows-1252" if codec == "cp1252" else codec
    return text, (
        f"{file_name} is not UTF-8; it was read as {shown}. If letters look wrong, save it as UTF-8.",
        *warnings,
    )


def _with_replacement(data: bytes, codec: str, file_name: str) -> tuple[str, tuple[str, ...]]:
    try:
        return data.decode(codec), ()
    except UnicodeDecodeError:
        text = data.decode(codec, "replace")
    lost = text.count("\ufffd")
    return text, (f"{lost} places in {file_name} could not be decoded as {codec} and show as \ufffd.",)


def _codec_by_nul_pattern(data: bytes) -> str | None:
    """UTF-16 (or UTF-32) without a mark: NULs stand at every second place (or three of four)."""
    sample = data[:_SAMPLE_BYTES]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    quarters = [sample[start::4].count(0) / max(1, len(sample[start::4])) for start in range(4)]
    if len(data) % 4 == 0 and min(quarters[1:]) > 0.7 and quarters[0] < 0.3:
        return "utf-32-le"
    if len(data) % 4 == 0 and min(quarters[:3]) > 0.7 and quarters[3] < 0.3:
        return "utf-32-be"
    even = sample[0::2].count(0) / len(sample[0::2])
    odd = sample[1::2].count(0) / len(sample[1::2])
    if odd > 0.3 and even < 0.05:
        return "utf-16-le"
    if even > 0.3 and odd < 0.05:
        return "utf-16-be"
    # Cyrillic, Greek, Hebrew: only blanks and signs have a NUL, but letters share their high byte.
    if not even and odd > _BLANK_SHARE and _has_few_values(sample[1::2]):
        return "utf-16-le"
    if not odd and even > _BLANK_SHARE and _has_few_values(sample[0::2]):
        return "utf-16-be"
    return None


def _has_few_values(high_bytes: bytes) -> bool:
    commonest = Counter(high_bytes).most_common(3)
    return sum(count for _, count in commonest) > 0.95 * len(high_bytes)


def _is_utf8_but_for_flaws(data: bytes) -> bool:
    """Whether far more letters outside ASCII are sound UTF-8 than not: one stray byte in a file
    must not turn every other "ü" into "Ã¼". Text in other codecs hardly ever looks like UTF-8."""
    sample = data[:_SAMPLE_BYTES].decode("utf-8", "replace")
    flaws = sample.count("\ufffd")
    sound = sum(1 for character in sample if character > "\x7f") - flaws
    return sound > _SOUND_PER_FLAW * flaws


def _guess(data: bytes) -> str:
    """The codec of bytes that are not UTF-8: Windows-1252 unless the text is in another script."""
    sample = data[:_SAMPLE_BYTES]
    high = sum(1 for byte in sample if byte >= 0x80)
    visible = sum(1 for byte in sample if byte > 0x20)
    if high <= (_WESTERN_SHARE if visible > _SHORT_BYTES else _SHORT_WESTERN_SHARE) * visible:
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return best.encoding if best is not None else "cp1252"
