"""Typed repairs run in the sandbox and are judged by their numbers."""

import pytest

from playground.practice.own_repair import try_own

START = """
def discount(price, rate):
    return price * (1 - rate)

price = jnp.array([20.0, 35.0, 50.0, 80.0])
"""


@pytest.mark.parametrize(
    "call",
    [
        "jax.vmap(discount, in_axes=(0, None))(price, 0.2)",
        "jax.vmap(lambda p: discount(p, 0.2))(price)",
        "price * 0.8",
    ],
)
def test_any_way_to_the_wanted_numbers_is_right(call):
    assert try_own("shared_number", START + call).is_wanted


@pytest.mark.parametrize(
    ("call", "status"),
    [
        ("jax.vmap(discount)(price, 0.2)", "error"),
        ("price * 0.7", "ok"),
        ("price[:, None] * 0.8", "ok"),
        ("'words'", "ok"),
        ("[[1.0], [1.0, 2.0]]", "ok"),
        ("", "ok"),
        ("while True: pass", "timeout"),
    ],
)
def test_what_gives_other_numbers_is_not(call, status):
    own = try_own("shared_number", START + call)
    assert own.outcome.status == status, own.outcome
    assert not own.is_wanted


def test_a_dict_of_outputs_is_compared_key_by_key():
    code = "row = jnp.array([[2.0, 7.0, 1.0], [8.0, 2.0, 8.0], [1.0, 8.0, 2.0], [8.0, 4.0, 5.0]])\n"
    right = code + '{"low": row.min(axis=1), "high": row.max(axis=1)}'
    assert try_own("out_axes_tuple", right).is_wanted
    assert not try_own("out_axes_tuple", code + '{"low": row.min(axis=1)}').is_wanted
