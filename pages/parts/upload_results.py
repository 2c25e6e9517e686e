"""What became of the files that were added in this session."""

from __future__ import annotations

import streamlit as st

from pages.parts.indexing import IndexingQueue
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.records import IngestReport

_OUTCOMES = {
    "indexed": ":material/check_circle:",
    "replaced": ":material/change_circle:",
    "unchanged": ":material/radio_button_checked:",
    "rejected": ":material/cancel:",
}


def upload_results(queue: IndexingQueue, collection: str) -> int:
    """A line for each file that was added in this session, newest last.

    Returns how many files the queue had dealt with, of all collections, when this was drawn.
    """
    outcomes = list(queue.reports.values())
    reports = [report for to, report in outcomes if to == collection]
    if not reports:
        return len(outcomes)
    with st.container(border=True, key="upload_results", gap="xsmall"):
        for report in reports:
            report_line(report)
        st.button(
            "Clear this list",
            key="clear_uploads",
            type="tertiary",
            icon=":material/clear_all:",
            help="Empty this list and the drop zone. Indexed documents stay; rejected files can be added again.",
            on_click=_clear,
            args=(queue,),
        )
    return len(outcomes)


def report_line(report: IngestReport) -> None:
    """What became of one file, with what was noticed about it."""
    if report.error is not None:
        words = f"rejected. {report.error}"
    else:
        # Only PDF files have pages of their own.
        pages = f"{count(report.pages, 'page')}, " if report.file.lower().endswith(".pdf") else ""
        words = f"{report.status}: {pages}{count(report.chunks, 'chunk')}"
    st.markdown(f"{_OUTCOMES[report.status]} **{plain_line(report.file)}** {sentence(words)}")
    for warning in report.warnings:
        st.caption(f":material/warning: {sentence(warning)}")


def _clear(queue: IndexingQueue) -> None:
    queue.reports.clear()
    st.session_state["drop_zone"] = st.session_state.get("drop_zone", 0) + 1


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
