"""Plumbline's face: ``streamlit run streamlit_app.py``.

The router. It opens the library once, and shows a failure that no page has dealt with as its one
sentence.
"""

from __future__ import annotations

import streamlit as st

from pages.parts.app import ICON, LOGO, get_rag, layout_of, load_style, pages
from pages.parts.safe_markdown import sentence
from ragcore.errors import RagError

st.session_state["routed"] = True
st.set_option("client.showSidebarNavigation", True)
# Before the navigation, which would fetch the page's own symbol from the network as the tab's icon.
st.set_page_config(page_title="Plumbline", page_icon=str(ICON))
page = st.navigation(pages())
# Said once, here: a page that says it again makes its content jump at every run.
st.set_page_config(layout=layout_of(page))
load_style()
st.logo(LOGO, size="large")
failure: RagError | None = None
try:
    get_rag()
    page.run()
except RagError as error:
    failure = error
if failure is not None:
    st.error(sentence(str(failure)), icon=":material/error:")
    st.stop()
