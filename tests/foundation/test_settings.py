"""Settings are legal whatever a link, a crafted client or a caller hands over."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.foundation.settings import Settings, flag, number, one_of, text, whole


@dataclass(frozen=True)
class Sample(Settings, prefix="sample"):
    size: int = one_of(8, (1, 2, 8, 64))
    way: str = one_of("split", ("split", "shared"))
    seed: int = whole(3, low=0, high=99)
    clip: float = number(1.0, low=0.0, high=10.0)
    reveal: bool = flag(False)
    note: str = text("", longest=5)


def is_legal(settings: Sample) -> bool:
    return (
        settings.size in (1, 2, 8, 64)
        and type(settings.size) is int
        and settings.way in ("split", "shared")
        and 0 <= settings.seed <= 99
        and type(settings.seed) is int
        and 0 <= settings.clip <= 10
        and settings.reveal in (True, False)
        and len(settings.note) <= 5
    )


junk = st.one_of(
    st.text(max_size=30),
    st.integers(),
    st.floats(),
    st.none(),
    st.booleans(),
    st.lists(st.integers(), max_size=2),
    st.sampled_from(["1e99", "-1", "abc", "[[", "nan", "inf", "-inf", "8.0", "٣", "x" * 10_000]),
)


@given(size=junk, way=junk, seed=junk, clip=junk, reveal=junk, note=junk)
def test_any_value_becomes_legal(**values):
    assert is_legal(Sample(**values))


@given(
    st.dictionaries(
        st.sampled_from([Sample.key(name) for name in Sample.__annotations__] + ["other"]),
        st.one_of(st.text(), st.sampled_from(["1e99", "nan", "-1", "[[", "x" * 10_000])),
    )
)
def test_any_link_becomes_legal_and_every_change_is_named(query):
    settings, complaints = Sample.from_query(query)
    assert is_legal(settings)
    assert {complaint.key for complaint in complaints} <= set(query)
    for complaint in complaints:
        for language in ("en", "zh"):
            assert complaint.key in complaint.message(language)
            assert len(complaint.message(language)) < 300


@given(st.builds(Sample, size=junk, way=junk, seed=junk, clip=junk, reveal=junk, note=junk))
def test_a_link_restores_the_settings(settings):
    restored, complaints = Sample.from_query(settings.to_query())
    assert restored == settings
    assert complaints == ()


@pytest.mark.parametrize(
    ("given_value", "used"), [("5", 2), ("50", 64), ("1e99", 64), ("-1", 1), ("abc", 8), ("8", 8)]
)
def test_a_number_moves_to_the_nearest_of_its_list(given_value, used):
    settings, complaints = Sample.from_query({"sample_size": given_value})
    assert settings.size == used
    assert bool(complaints) == (given_value != str(used))


def test_defaults_leave_the_link():
    assert Sample().to_query() == {}
    assert Sample(size=64, reveal=True).to_query() == {"sample_size": "64", "sample_reveal": "true"}
