"""What is practised: the error museum, the drill, the quiz, the own function of the Lab; no Streamlit, no figures."""
