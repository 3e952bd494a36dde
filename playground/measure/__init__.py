"""Honest numbers about this machine: time, memory, chunk sizes, a self-test."""
