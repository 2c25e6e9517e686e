"""A chart with the table behind it, which can be read and downloaded."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ragcore.charts.chart import Chart
from ragcore.evaluation.exporting import write_rows

_CONFIG = {"displayModeBar": False, "scrollZoom": False}


def chart_block(
    chart: Chart, key: str, *, alt: str, file_name: str, on_select: Callable[[], None] | None = None
) -> None:
    """``on_select`` is called when a mark is clicked; read the choice with ``clicked(key)``."""
    with st.container(gap=None):
        st.plotly_chart(
            chart.figure,
            key=key,
            alt=alt,
            config=_CONFIG,
            selection_mode="points",
            on_select=on_select or "ignore",
        )
        table = chart.table
        st.download_button(
            "Data of this chart",
            data=lambda: write_rows(
                table.astype(object).where(table.notna(), None).to_dict("records"), "csv"
            ),
            file_name=f"{file_name}.csv",
            mime="text/csv",
            key=f"{key}_data",
            type="tertiary",
            icon=":material/download:",
            on_click="ignore",
            help="Every number of the chart as CSV.",
        )


def clicked(key: str) -> str | None:
    """The first value of the ``customdata`` of the mark that has just been clicked."""
    points = st.session_state[key]["selection"]["points"]
    return str(points[0]["customdata"][0]) if points and points[0].get("customdata") else None
