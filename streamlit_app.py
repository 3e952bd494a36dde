"""The door of the playground: page configuration, then the frame takes over."""

import streamlit as st

from playground.ui.frame import run_app

st.set_page_config(page_title="vmap playground", page_icon="🧭", layout="wide")
run_app()
