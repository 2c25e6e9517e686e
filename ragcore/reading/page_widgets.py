"""What was filled into a page, as characters with a place: form fields and typed-on notes.

The indexed text has them as ``name: value`` lines (pdf_forms.py), so a quote may be one of them;
each character stands where its field does.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

from .page_glyphs import Glyph, to_pixels

_PASSWORD = 1 << 13


def read_widgets(document: Any, page: Any, width: int, height: int) -> list[Glyph]:
    """A line of glyphs for each text field, choice and note of a page that is drawn so large."""
    from pypdfium2 import raw

    edges = to_pixels(page, width, height)
    turned = round(page.get_rotation() / 90) % 4
    glyphs: list[Glyph] = []
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            text = " ".join(_text(document.formenv, annotation).split())
            place = raw.FS_RECTF()
            if text and raw.FPDFAnnot_GetRect(annotation, place):
                box = edges(place.left, place.bottom, place.right, place.top)
                glyphs += [
                    Glyph(character, box, box, turned, not character.isspace()) for character in f"\n{text}"
                ]
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return glyphs


def _text(form: Any, annotation: Any) -> str:
    from pypdfium2 import raw

    subtype = raw.FPDFAnnot_GetSubtype(annotation)
    if subtype == raw.FPDF_ANNOT_FREETEXT:
        return _string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
    if subtype != raw.FPDF_ANNOT_WIDGET or not form:
        return ""
    value = _value(form, annotation)
    name = _string(raw.FPDFAnnot_GetFormFieldName, form, annotation).rsplit(".", 1)[-1]
    # As in pdf_forms.py: XFA forms number everything, "name[0]".
    name = re.sub(r"\[\d+\]$", "", name)
    label = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
    shown = f"{label.rstrip(':')} / {name}" if label and label != name else name
    return f"{shown}: {value}" if value.strip() else ""


def _value(form: Any, annotation: Any) -> str:
    from pypdfium2 import raw

    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind == raw.FPDF_FORMFIELD_CHECKBOX:
        return "yes" if raw.FPDFAnnot_IsChecked(form, annotation) else "no"
    if kind == raw.FPDF_FORMFIELD_RADIOBUTTON:
        checked = raw.FPDFAnnot_IsChecked(form, annotation)
        return _string(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation) if checked else ""
    if kind == raw.FPDF_FORMFIELD_TEXTFIELD:
        secret = raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD
        return "" if secret else _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
    if kind in (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        return _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
    return ""


def _string(read: Callable[..., int], *arguments: Any) -> str:
    """The UTF-16 text that a function of pdfium writes into a buffer; sizes are bytes."""
    size = read(*arguments, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    read(*arguments, buffer, size)
    return bytes(buffer)[: max(size - 2, 0)].decode("utf-16-le", "replace")
