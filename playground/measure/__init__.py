"""Honest numbers about this machine: time, memory, chunk sizes, a self-test."""

from playground.measure.recommend import recommend_chunk

__all__ = ["recommend_chunk"]
