"""The text within a Word paragraph, as it reads with all tracked changes accepted.

``paragraph.text`` of python-docx leaves out insertions, content controls, simple fields and
smart tags; this descends into every wrapper instead.
"""

from __future__ import annotations

from typing import Any

from .docx_styles import W, is_on, whole

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_WRAPPERS = frozenset(
    f"{W}{name}"
    for name in ("hyperlink", "smartTag", "fldSimple", "customXml", "dir", "bdo", "sdtContent", "rubyBase")
)
_INSERTED = frozenset((f"{W}ins", f"{W}moveTo"))
_DELETED = frozenset((f"{W}del", f"{W}moveFrom"))
_CHARACTERS = {
    f"{W}tab": "\t",
    f"{W}ptab": "\t",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
}
# Wingdings (private use F0xx, or xx) as they are used in forms.
_SYMBOLS = {0xFE: "☒", 0xFD: "☒", 0xA8: "☐", 0x6F: "☐", 0x71: "☐", 0xFC: "✓", 0xFB: "✗", 0xE0: "→", 0xB7: "•"}
_PAGE_FIELDS = frozenset(("PAGE", "NUMPAGES", "SECTIONPAGES"))


class InlineReader:
    """Reads paragraphs one after another and notes what it met on the way."""

    def __init__(self, notes: dict[tuple[str, str], str], *, page_fields: bool = True) -> None:
        self._notes = notes
        self._page_fields = page_fields
        self._fields: list[list[str]] = []
        self.boxes: list[Any] = []
        """Contents of text boxes (``w:txbxContent``) anchored in the last paragraph."""
        self.bold = False
        """Whether all text of the last paragraph is set in bold."""
        self.has_changes = False
        self.has_hidden = False

    def read(self, paragraph: Any) -> str:
        """The paragraph's text; notes stand in square brackets at their mark."""
        self.boxes = []
        self._fields = []
        self._plain_seen = False
        self._bold_seen = False
        text = "".join(self._parts(paragraph))
        self.bold = self._bold_seen and not self._plain_seen
        return text

    def _parts(self, element: Any) -> list[str]:
        parts: list[str] = []
        for child in element:
            tag = child.tag
            if tag == f"{W}r":
                parts += self._run(child)
            elif tag in _DELETED:
                self.has_changes = True
            elif tag in _INSERTED:
                self.has_changes = True
                parts += self._parts(child)
            elif tag == f"{W}fldSimple":
                name = (child.get(f"{W}instr") or "").split()
                if self._page_fields or not name or name[0].upper() not in _PAGE_FIELDS:
                    parts += self._parts(child)
            elif tag in _WRAPPERS or tag == f"{W}sdt":
                parts += self._parts(child)
            elif tag in (f"{M}oMath", f"{M}oMathPara"):
                parts += [node.text or "" for node in child.iter(f"{M}t")]
            elif tag == f"{MC}AlternateContent":
                parts += self._parts(chosen(child))
        return parts

    def _run(self, run: Any) -> list[str]:
        properties = run.find(f"{W}rPr")
        if is_on(properties, "vanish"):
            self.has_hidden = True
            return []
        parts = self._run_parts(run)
        if any(part.strip() for part in parts):
            if is_on(properties, "b"):
                self._bold_seen = True
            else:
                self._plain_seen = True
        return parts

    def _run_parts(self, run: Any) -> list[str]:
        parts: list[str] = []
        for child in run:
            tag = child.tag
            if tag == f"{W}fldChar":
                self._field_mark(child.get(f"{W}fldCharType"))
            elif tag == f"{W}instrText":
                if self._fields:
                    self._fields[-1][0] += child.text or ""
            elif self._in_page_field():
                continue
            elif tag == f"{W}t":
                parts.append(child.text or "")
            elif tag in _CHARACTERS:
                parts.append(_CHARACTERS[tag])
            elif tag == f"{W}sym":
                code = child.get(f"{W}char") or "0"
                parts.append(_SYMBOLS.get(whole(code, 0, 16) & 0xFF, ""))
            elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                kind = "footnote" if tag == f"{W}footnoteReference" else "endnote"
                note = self._notes.get((kind, child.get(f"{W}id") or ""), "")
                parts.append(f" [{note}]" if note else "")
            elif tag == f"{MC}AlternateContent":
                parts += self._run_parts(chosen(child))
            elif tag == f"{W}ruby":
                parts += [part for base in child.iterfind(f"{W}rubyBase") for part in self._parts(base)]
            elif tag in (f"{W}drawing", f"{W}pict", f"{W}object"):
                self.boxes += outermost_boxes(child)
        return parts

    def _field_mark(self, kind: str | None) -> None:
        if kind == "begin":
            self._fields.append(["", ""])
        elif kind == "separate" and self._fields:
            self._fields[-1][1] = "result"
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _in_page_field(self) -> bool:
        """In the stale result of a page number field, in a header or footer."""
        if self._page_fields:
            return False
        return any(
            state and name.split()[:1] and name.split()[0].upper() in _PAGE_FIELDS
            for name, state in self._fields
        )


def chosen(alternatives: Any) -> Any:
    """The branch of ``mc:AlternateContent`` that is read: the first Choice, else the Fallback."""
    choice = alternatives.find(f"{MC}Choice")
    if choice is None:
        choice = alternatives.find(f"{MC}Fallback")
    return choice if choice is not None else ()


def outermost_boxes(element: Any) -> list[Any]:
    """Text box contents below ``element``, each once: not the fallback's copy, not boxes in boxes."""
    boxes: list[Any] = []
    children = chosen(element) if element.tag == f"{MC}AlternateContent" else element
    for child in children:
        if child.tag == f"{W}txbxContent":
            boxes.append(child)
        else:
            boxes += outermost_boxes(child)
    return boxes
