"""What is practised: the error museum, the drill, the quiz; no Streamlit, no figures."""
