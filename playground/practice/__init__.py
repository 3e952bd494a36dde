"""Practise: the user's own functions and answers, run in the sandbox and judged outside it."""
