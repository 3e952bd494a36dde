"""Progress survives the way to a file and back; hostile files give a message or nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.practice.exercises.progress import (
    FORMAT,
    LONGEST_CODE,
    LONGEST_FILE,
    Progress,
    ProgressError,
    read,
    write,
)

KNOWN = ("E1", "E2")


def test_there_and_back():
    progress = Progress(frozenset({"E1"}), {"E2": "def f(x):\n\treturn x  # 转置\n"})
    assert read(write(progress), KNOWN) == progress


def test_unknown_exercises_and_other_types_are_passed_over():
    data = {
        "format": FORMAT,
        "version": 1,
        "solved": ["E1", "E99", 3, None, ["E2"]],
        "attempts": {"E1": 5, "E2": "x" * 100_000, "__class__": "y"},
    }
    found = read(json.dumps(data).encode(), KNOWN)
    assert found.solved == {"E1"}
    assert found.attempts == {"E2": "x" * LONGEST_CODE}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{",
        b'{"format": "other"}',
        b'{"format": "vmap-playground-exercises", "version": 99}',
        b"[" * 300_000,
        b"x" * (LONGEST_FILE + 1),
        b"9" * 100_000,
    ],
)
def test_other_files_are_refused_in_both_languages(content):
    with pytest.raises(ProgressError) as refusal:
        read(content, KNOWN)
    assert refusal.value.message("en") != refusal.value.message("zh")


@given(st.binary(max_size=300))
def test_any_bytes_give_progress_or_a_message(content):
    try:
        assert read(content, KNOWN).solved <= set(KNOWN)
    except ProgressError as error:
        assert error.message("zh")
