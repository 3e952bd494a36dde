"""What is practised: error museum, drill, quiz, and the Lab's own functions; no Streamlit."""
