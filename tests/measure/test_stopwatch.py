"""The stopwatch: equality first, stages apart, waiting, stopping, telling what is unstable."""

import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from playground.measure.agreement import drift_between
from playground.measure.stopwatch import FirstCall, Timing, finish, first_call, race, seconds_of

X = jnp.arange(15.0).reshape(5, 3)


def test_a_method_with_another_result_is_not_timed():
    methods = {
        "sum": lambda x: x.sum(1),
        "wrong axis": lambda x: x.sum(0),
        "again": jax.jit(lambda x: x @ jnp.ones(3)),
    }
    right, wrong, again = finish(race(methods, (X,), seconds=0.02))
    assert right.samples
    assert again.samples
    assert again.drift is not None
    assert again.drift.agrees
    assert not wrong.samples
    assert wrong.drift is not None
    assert not wrong.drift.agrees


def test_the_share_done_grows_to_the_end():
    work = race({"a": lambda x: x + 1, "b": lambda x: 1 + x}, (X,), seconds=0.05)
    shares = list(work)
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1


def test_a_slow_method_is_stopped_and_keeps_its_one_sample():
    def slow(x):
        time.sleep(0.03)
        return x + 1

    fast, stopped = finish(
        race({"fast": lambda x: x + 1, "slow": slow}, (X,), seconds=0.03, longest_call=0.02)
    )
    assert stopped.stopped
    assert len(stopped.samples) == 1
    assert not fast.stopped
    assert len(fast.samples) >= 3


# covers: T2
def test_the_first_call_of_a_compiled_function_is_taken_apart_by_stage():
    stages, result = first_call(jax.jit(lambda x: jnp.tanh(x) @ x.T), (X,))
    assert stages.trace_seconds > 0
    assert stages.lower_seconds > 0
    assert stages.compile_seconds > stages.run_seconds
    assert stages.total_seconds == pytest.approx(
        stages.trace_seconds + stages.lower_seconds + stages.compile_seconds + stages.run_seconds
    )
    np.testing.assert_allclose(
        result, np.tanh(np.asarray(X, float)) @ np.asarray(X, float).T, rtol=1e-5
    )
    plain, _ = first_call(lambda x: x + 1, (X,))
    assert plain.lower_seconds == plain.compile_seconds == 0 or plain.compile_seconds < 1e-4


def test_the_compiled_stage_is_not_paid_a_second_time():
    traces = []

    def function(x):
        traces.append(x.shape)
        return x * 2

    first_call(jax.jit(function), (X,))
    assert traces == [(5, 3)]


def test_samples_are_waited_for():
    matrix = jnp.ones((700, 700))
    product = jax.jit(lambda m: m @ m @ m @ m)
    first_call(product, (matrix,))
    start = time.perf_counter()
    seconds = seconds_of(product, (matrix,), calls=5)
    assert time.perf_counter() - start >= 5 * seconds * 0.99


def test_summary_of_samples():
    timing = Timing(
        "x", FirstCall(0, 0, 0, 1), samples=(1.0, 2.0, 3.0, 4.0, 5.0), calls_per_sample=2
    )
    assert timing.median == 3
    assert timing.quartiles == (2, 4)
    assert timing.unstable
    assert not timing.settled
    assert timing.seconds_spent == 30
    steady = Timing("y", samples=(1.0, 1.01, 0.99) * 4)
    assert steady.settled
    assert not steady.unstable
    empty = Timing("z", stopped=True)
    assert np.isnan(empty.median)
    assert not empty.settled


def test_drift_is_counted_in_units_of_the_last_place():
    one = np.float32(1)
    drift = drift_between(jnp.array([one + 3 * np.spacing(one)]), jnp.array([one]))
    assert drift.ulp == 3
    assert drift.agrees
    assert drift_between(jnp.array([jnp.nan, 1.0]), jnp.array([jnp.nan, 1.0])).ulp == 0
    assert not drift_between(jnp.array([jnp.nan, 1.0]), jnp.array([1.0, 1.0])).agrees
    assert not drift_between(jnp.ones(3), jnp.ones((3, 1))).agrees
    assert not drift_between({"a": X}, {"b": X}).agrees
    assert drift_between(jnp.zeros((0, 3)), jnp.zeros((0, 3))).agrees
    assert not drift_between(jnp.array([1, 2]), jnp.array([1, 3])).agrees
    half = jnp.array([1.0], jnp.bfloat16)
    assert drift_between(half * (1 + 2**-7), half).ulp == 1
