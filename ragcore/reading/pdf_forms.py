"""What was filled into a PDF: form fields and typed-on notes, as lines of their page."""

from __future__ import annotations

import re
from typing import Any

_RADIO, _PUSH_BUTTON, _PASSWORD = 1 << 15, 1 << 16, 1 << 13
_MAX_PARENTS = 50


def form_lines(page: Any, seen_groups: set[str]) -> list[str]:
    """``name: value`` for each filled field of a ``pypdf.PageObject``; check boxes say yes or no.

    Empty fields, passwords and buttons are left out. ``seen_groups`` holds the names
    of the radio groups already told, over all pages: a group has one value and many widgets.
    """
    lines = []
    annotations = page.get("/Annots")
    annotations = annotations.get_object() if annotations is not None else None
    for reference in annotations or ():
        widget = reference.get_object()
        if not hasattr(widget, "get"):
            continue
        if widget.get("/Subtype") == "/FreeText":
            lines.append(_plain(widget.get("/Contents")))
        elif widget.get("/Subtype") == "/Widget":
            lines.append(_field_line(widget, seen_groups))
    return [line for line in lines if line]


def _field_line(widget: Any, seen_groups: set[str]) -> str:
    chain = _chain(widget)
    kind = _inherited(chain, "/FT")
    flags = int(_inherited(chain, "/Ff") or 0)
    value = _inherited(chain, "/V")
    name = _name(chain)
    if kind == "/Btn":
        if flags & _PUSH_BUTTON:
            return ""
        if flags & _RADIO:
            group = ".".join(_plain(item.get("/T")) for item in reversed(chain))
            if group in seen_groups or value in (None, "/Off"):
                return ""
            seen_groups.add(group)
            return f"{name}: {_plain(value).lstrip('/')}"
        state = widget.get("/AS", value)
        return f"{name}: {'no' if state in (None, '/Off', '') else 'yes'}"
    if kind not in ("/Tx", "/Ch") or (kind == "/Tx" and flags & _PASSWORD):
        return ""
    if isinstance(value, list):
        text = ", ".join(_plain(item) for item in value)
    else:
        text = _plain(value)
    return f"{name}: {text}" if text else ""


def _chain(widget: Any) -> list[Any]:
    """The widget and its parents; a field's entries are inherited along it (PDF 32000-1, 12.7.3.1)."""
    chain = [widget]
    while (parent := chain[-1].get("/Parent")) is not None and len(chain) < _MAX_PARENTS:
        chain.append(parent.get_object())
    return chain


def _inherited(chain: list[Any], key: str) -> Any:
    for item in chain:
        value = item.get(key)
        if value is not None:
            return value.get_object()
    return None


def _name(chain: list[Any]) -> str:
    """The name, after the label that a person sees, where the form has one."""
    name = next((_plain(item.get("/T")) for item in chain if _plain(item.get("/T"))), "field")
    # XFA forms number everything: "name[0]".
    name = re.sub(r"\[\d+\]$", "", name)
    label = next((_plain(item.get("/TU")) for item in chain if _plain(item.get("/TU"))), "")
    return f"{label.rstrip(':')} / {name}" if label and label != name else name


def _plain(value: Any) -> str:
    if value is None:
        return ""
    value = value.get_object()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if hasattr(value, "get_data"):
        return value.get_data().decode("utf-8", "replace").strip()
    return " ".join(str(value).split()) if isinstance(value, str) else ""
