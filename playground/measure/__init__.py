"""Honest numbers about this machine: time, memory, chunk sizes, and whether it computes rightly."""
