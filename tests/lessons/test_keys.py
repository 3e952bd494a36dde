"""Keys: what each way of making them gives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.lessons.keys import GENERATORS, WAYS, is_one_key, make_keys


# covers: R1
@pytest.mark.parametrize("generator", GENERATORS)
def test_one_key_for_each_example_gives_different_rows(generator: str):
    keys = make_keys("split", 0, 4, generator)
    rows = np.asarray(jax.vmap(lambda key: jax.random.normal(key, (3,)))(keys))
    assert rows.shape == (4, 3)
    assert len(np.unique(rows, axis=0)) == 4


# covers: R2
def test_a_shared_key_repeats_itself():
    key = make_keys("shared", 0, 4)
    noisy = jax.vmap(lambda k, x: x + jax.random.normal(k, (3,)), in_axes=(None, 0))
    rows = np.asarray(noisy(key, jnp.zeros((4, 3))))
    assert is_one_key(key)
    assert (rows == rows[0]).all()
    assert (rows[0] == np.asarray(jax.random.normal(jax.random.key(0), (3,)))).all()


def test_fold_in_of_the_number_gives_the_same_keys_as_split():
    split, folded = (jax.random.key_data(make_keys(way, 5, 6)) for way in ("split", "fold_in"))
    assert (np.asarray(split) == np.asarray(folded)).all()


def test_a_larger_batch_begins_with_the_same_keys():
    few, many = (jax.random.key_data(make_keys("split", 5, count)) for count in (3, 70))
    assert (np.asarray(few) == np.asarray(many)[:3]).all()


def test_raw_keys_are_uint32_rows_and_give_the_same_numbers():
    raw, typed = make_keys("raw", 3, 5), make_keys("split", 3, 5)
    assert raw.dtype == jnp.uint32
    assert raw.shape == (5, 2)
    assert typed.shape == (5,)
    assert not is_one_key(raw)
    assert is_one_key(jax.random.PRNGKey(3))
    draw = jax.vmap(jax.random.uniform)
    assert (np.asarray(draw(raw)) == np.asarray(draw(typed))).all()


def test_an_unknown_way_is_refused_by_name():
    with pytest.raises(ValueError, match="'copy'") as refusal:
        make_keys("copy", 0, 2)
    assert all(way in str(refusal.value) for way in WAYS)
