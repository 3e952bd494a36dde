"""Limits: what does not fit is refused with both numbers, and places come back."""

import pytest

from playground.foundation import limits


def test_what_does_not_fit_is_refused_with_both_numbers():
    with pytest.raises(limits.MemoryRefused) as refusal:
        limits.allow_bytes(limits.MEMORY_BYTES + 1, "batch size 512")
    for language in ("en", "zh"):
        message = refusal.value.message(language)
        assert limits.readable_bytes(limits.MEMORY_BYTES) in message
        assert "batch size 512" in message
    limits.allow_bytes(limits.MEMORY_BYTES)


def test_a_place_comes_back_after_a_failure(monkeypatch):
    monkeypatch.setattr(limits, "WAIT_SECONDS", 0)
    for _ in range(2 * limits.COMPUTATIONS_AT_ONCE):
        with pytest.raises(KeyError), limits.place():
            raise KeyError


def test_without_a_free_place_the_user_is_told(monkeypatch):
    monkeypatch.setattr(limits, "WAIT_SECONDS", 0)
    held = [limits.place() for _ in range(limits.COMPUTATIONS_AT_ONCE)]
    for place in held:
        place.__enter__()
    with pytest.raises(limits.ServerBusyError) as busy, limits.place():
        pass
    for place in held:
        place.__exit__(None, None, None)
    assert busy.value.message("en") != busy.value.message("zh")


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (12_800_000_000, "11.9 GiB")],
)
def test_bytes_are_readable(count, text):
    assert limits.readable_bytes(count) == text
