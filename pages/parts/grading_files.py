"""Hand grades out to a file, and back from one without loss."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.app import prepare
from pages.parts.grading_session import ANY
from pages.parts.safe_markdown import sentence
from ragcore.charts.chart import KIND_WORDS
from ragcore.charts.grades import GRADE_WORDS
from ragcore.errors import RagError
from ragcore.evaluation.exporting import write_rows
from ragcore.evaluation.grade_transfer import grade_rows, read_grades
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.rag import Rag
from ragcore.storage import GRADES

FORMATS = {
    "csv": ("CSV", "text/csv"),
    "jsonl": ("JSONL", "application/jsonl"),
    "parquet": ("Parquet", "application/vnd.apache.parquet"),
}
_LARGEST_MB = 50


def files_section(rag: Rag, run_id: int, answers: Sequence[AnswerToGrade]) -> None:
    """Export what is filtered, and import."""
    st.subheader("Export", anchor=False)
    _export(run_id, answers)
    st.subheader("Import", anchor=False)
    _import(rag, run_id)


def _export(run_id: int, answers: Sequence[AnswerToGrade]) -> None:
    rows = grade_rows(answers)
    if not rows:
        st.markdown("Nothing of this run has been graded yet, so there is nothing to export.")
        return
    st.markdown(
        "A row for each grade: question, answer, automatic grade, grade, note, grader, time. "
        "The same file can be imported again."
    )
    with st.container(horizontal=True):
        chosen = {
            "grader": _filter("Grader", "export_grader", sorted({row["grader"] for row in rows}), {}),
            "grade": _filter("Grade", "export_grade", list(GRADES), GRADE_WORDS),
            "kind": _filter("Kind of question", "export_kind", sorted({r["kind"] for r in rows}), KIND_WORDS),
        }
    rows = [row for row in rows if all(value in (ANY, row[column]) for column, value in chosen.items())]
    st.caption(f"{len(rows)} grade{'' if len(rows) == 1 else 's'}")
    with st.container(horizontal=True, gap="small"):
        for kind, (name, mime) in FORMATS.items():
            st.download_button(
                name,
                # At the click: by then another grader may have gone on, but the file is what was listed.
                data=lambda kind=kind: write_rows(rows, kind),
                file_name=f"grades-run-{run_id}.{kind}",
                mime=mime,
                key=f"export_{kind}",
                icon=":material/download:",
                disabled=not rows,
                on_click="ignore",
                help=f"The grades listed above as {name}.",
            )


def _filter(label: str, key: str, options: list[str], words: dict[str, str]) -> str:
    return st.selectbox(
        label,
        [ANY, *options],
        format_func=lambda value: words.get(value, value),
        help=f"Export only this {label.lower()}.",
        **prepare(key, ANY, [ANY, *options]),
    )


def _import(rag: Rag, run_id: int) -> None:
    st.markdown(
        "Grades come back under their graders' names and with their times. What is there already is not "
        "stored twice, and a grade for another answer than this run gave is left out."
    )
    # A new box for the next file: this one would keep the file that has been imported.
    number = st.session_state.setdefault("import_number", 1)
    file = st.file_uploader(
        "File of grades",
        type=list(FORMATS),
        max_upload_size=_LARGEST_MB,
        key=f"import_file_{number}",
        help="A file that was exported here, or by `eval export RUN --grades`.",
    )
    if st.button(
        "Import",
        key="import_grades",
        icon=":material/upload:",
        disabled=file is None,
        help="Store the grades of the chosen file.",
    ):
        try:
            with st.spinner("Importing…"):
                found = rag.grading.import_rows(run_id, read_grades(file.getvalue(), file.name))
        except RagError as error:
            st.session_state["import_said"] = (False, f"{file.name}: {error}")
        else:
            st.session_state["import_said"] = (True, f"{file.name}: {found.sentence}")
        st.session_state["import_number"] = number + 1
        # The export above lists what has just come in.
        st.rerun()
    worked, said = st.session_state.pop("import_said", (True, ""))
    if said and worked:
        st.success(sentence(said), icon=":material/check:")
    elif said:
        st.error(sentence(said), icon=":material/error:")
