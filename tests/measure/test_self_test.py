"""The self-test of the machine finds wrong rows, and finds none here."""

import jax.numpy as jnp
import numpy as np

from playground.measure.self_test import SelfTest, against_float64, programs, run_self_test


def right(x):
    return jnp.asarray(np.asarray(x, np.float64) @ np.array([4.0, 3.0, 1.0]))


# covers: T9
def test_this_machine_computes_the_known_cases_rightly():
    test = run_self_test((100, 40_000))
    assert len(test.checks) == 2 * len(programs())
    assert test.holds, test.failed
    assert test.largest_error < 1e-5


def test_wrong_rows_are_counted():
    def broken(x):
        return right(x).at[7].add(3.0).at[9].set(jnp.nan)

    check = against_float64("broken", broken, 100)
    assert check.wrong_rows == 2
    assert check.largest_error == np.inf
    test = SelfTest((against_float64("right", right, 100), check))
    assert not test.holds
    assert test.failed == (check,)
