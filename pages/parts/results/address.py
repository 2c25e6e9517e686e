"""What is open on the Eval results page, kept in the address so that a link opens exactly that.

The address is the only place where this is kept: widgets are filled from it and write into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import streamlit as st

from ragcore.evaluation.result_rows import Change, ResultFilter, State

VIEWS = {"questions": "Questions", "metrics": "Metrics", "compared": "Compared", "settings": "Settings"}
MANY = {
    "kind": "kinds",
    "category": "categories",
    "stage": "stages",
    "verdict": "verdicts",
    "split": "splits",
    "set": "sets",
}
"""Name in the address -> field of ResultFilter, for filters that take several values."""
FILTERS = ("state", *MANY, "text", "changed")


@dataclass(frozen=True, slots=True)
class Address:
    """``run`` None: the list of runs, or with ``new`` the form of a new one."""

    run: int | None
    question: str | None
    compare: int | None
    view: str
    new: bool
    filter: ResultFilter
    changed: str | None
    """better, worse or any, against the run ``compare``."""

    @property
    def filtered(self) -> bool:
        return self.filter != ResultFilter() or self.changed is not None


def read() -> Address:
    """The address as it is. What makes no sense in it counts as not given."""
    given = st.query_params
    state = given.get("state")
    changed = given.get("changed")
    return Address(
        run=_number("run"),
        question=given.get("question"),
        compare=_number("compare"),
        view=given["view"] if given.get("view") in VIEWS else "questions",
        new="new" in given,
        filter=ResultFilter(
            state=state if state in get_args(State) else None,
            text=given.get("text", ""),
            **{field: tuple(given.get_all(name)) for name, field in MANY.items()},
        ),
        changed=changed if changed in ("any", *get_args(Change)[:2]) else None,
    )


def go(**changes: Any) -> None:
    """Write into the address; None, "" and empty lists take a parameter out of it."""
    for name, value in changes.items():
        if value in (None, "", [], ()):
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = [str(one) for one in value] if isinstance(value, list) else str(value)


def open_run(run_id: int) -> None:
    st.query_params.clear()
    go(run=run_id)


def to_list() -> None:
    st.query_params.clear()


def clear_filters() -> None:
    go(**dict.fromkeys(FILTERS))


def bound(name: str, value: Any) -> dict[str, Any]:
    """Arguments of a widget that shows ``value`` and writes what is chosen under ``name``."""
    key = f"results_{name}"
    st.session_state[key] = value
    return {"key": key, "on_change": _write, "args": (name,)}


def _write(name: str) -> None:
    go(**{name: st.session_state[f"results_{name}"]})


def _number(name: str) -> int | None:
    text = st.query_params.get(name, "")
    # Postgres ids end at nine digits and some; more would only be an error of another kind.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
